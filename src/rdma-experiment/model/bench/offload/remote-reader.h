// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REMOTE_READER_H
#define RDMA_REMOTE_READER_H

#include "ns3/offload-hosts.h"
#include "ns3/software-costs.h"

#include <functional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-offload
 * @brief A client's core that fetches pieces of the server's memory by RDMA READ, one after the
 * other, as Pilaf and FaRM do.
 *
 * What came by DMA is not in the core's caches: the first load of it is a miss.
 */
class RemoteReader
{
  public:
    /// @param bytes is empty unless the status is SUCCESS
    using Fetched = std::function<void(WcStatus status, std::vector<uint8_t> bytes)>;

    /// @param hosts outlive this @param maxBytes of a piece
    RemoteReader(OffloadHosts& hosts, uint64_t maxBytes);

    /// @param fetched called when the core has loaded the piece
    void Read(uint64_t address, uint32_t bytes, Fetched fetched);

    /// @return READs so far.
    uint64_t GetReads() const
    {
        return m_reads;
    }

  private:
    OffloadHosts& m_hosts;
    uint64_t m_buffer;
    Ptr<const SoftwareCosts> m_costs;
    uint64_t m_reads{0};
};

} // namespace ns3::rdma

#endif // RDMA_REMOTE_READER_H
