// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHUFFLE_DATA_H
#define RDMA_SHUFFLE_DATA_H

#include "ns3/offload-hosts.h"
#include "ns3/shuffle-kernel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What is shuffled.
struct ShuffleOptions
{
    static constexpr uint32_t MAX_QUEUE_PAIRS{256}; ///< Of which the StRoM NIC has 500.

    uint64_t bytes{1U << 20U}; ///< Of all values together.
    uint32_t bits{ShuffleParameters::MAX_BITS};
    double hotShare{0};     ///< Of the values, that are of partition 0 beyond its own part.
    bool isShort{false};    ///< Partition 0 has room for half of its values.
    uint32_t queuePairs{4}; ///< Of "send": partitions are on them in turn.
};

/**
 * @ingroup rdma-offload
 * @brief Values in the client's memory, room for their partitions in the server's, and what plain
 * C++ makes of them.
 */
class ShuffleData
{
  public:
    /// @param hosts outlive this. @throws InputError if their TLBs have no entries left
    ShuffleData(const ShuffleOptions& options, OffloadHosts& hosts);

    /// @return what of the partitions in the server's memory is not as it should be; empty:
    /// nothing.
    std::string FindFault() const;

    /// @return whether the server has the values as they were; empty: it has.
    std::string FindFaultOfCopy() const;

    /// @return the address of the values at the client.
    uint64_t GetSource() const
    {
        return m_source;
    }

    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    uint64_t GetPartition(uint64_t value) const
    {
        return value & m_mask;
    }

    /// @return where at the server each partition goes, and for how many values there is room.
    const std::vector<ShufflePartition>& GetTable() const
    {
        return m_table;
    }

    /// @return values without room.
    uint64_t GetLeftOut() const
    {
        return m_leftOut;
    }

  private:
    void MakeValues(const ShuffleOptions& options);

    OffloadHosts& m_hosts;
    uint64_t m_bytes;
    uint64_t m_mask;
    uint64_t m_source;
    std::vector<std::vector<uint64_t>> m_partitions; ///< The values of each, in their order.
    std::vector<ShufflePartition> m_table;
    uint64_t m_leftOut{0};
};

} // namespace ns3::rdma

#endif // RDMA_SHUFFLE_DATA_H
