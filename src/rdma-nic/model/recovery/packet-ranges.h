// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_RANGES_H
#define RDMA_PACKET_RANGES_H

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief A set of packet numbers as rising, disjoint ranges: what a requester still has to send
 * again.
 */
class PacketRanges
{
  public:
    /// Adds first up to, not including, end; merges overlapping and adjacent ranges.
    void Add(uint64_t first, uint64_t end);

    /// Removes one number.
    /// @return whether it was in the set.
    bool Remove(uint64_t number);

    /// Removes all numbers before the given one.
    void RemoveBefore(uint64_t number);

    bool Contains(uint64_t number) const;

    bool IsEmpty() const
    {
        return m_ranges.empty();
    }

    /// @return the count of numbers in the set.
    uint64_t GetCount() const
    {
        uint64_t count = 0;
        for (const Range& range : m_ranges)
        {
            count += range.end - range.first;
        }
        return count;
    }

    /// @return the lowest number. Only if not empty.
    uint64_t GetFirst() const
    {
        return m_ranges.front().first;
    }

    /// Removes and returns the lowest number. Only if not empty.
    uint64_t TakeFirst();

    void Clear();

  private:
    struct Range
    {
        uint64_t first;
        uint64_t end;
    };

    boost::container::small_vector<Range, 1> m_ranges;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_RANGES_H
