// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_NUMBERS_H
#define RDMA_QUEUE_PAIR_NUMBERS_H

#include "ns3/queue-pair-table.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The numbers of the queue pairs of each server, each given to one queue pair of the run.
 *
 * All ranks take numbers in the same order, so that they agree on them.
 */
class QueuePairNumbers
{
  public:
    /// @param made by node: queue pairs that exist, which have the first numbers
    explicit QueuePairNumbers(std::vector<uint32_t> made)
        : m_made(std::move(made))
    {
    }

    uint32_t TakeNext(uint32_t node)
    {
        return QueuePairTable::GetNumber(m_made[node]++);
    }

    /// Takes the next numbers of each node at once. @param counts by node
    /// @return by node: queue pairs before these
    std::vector<uint32_t> TakeAll(const std::vector<uint32_t>& counts)
    {
        std::vector<uint32_t> before = m_made;
        for (std::size_t node = 0; node < counts.size(); ++node)
        {
            m_made[node] += counts[node];
        }
        return before;
    }

  private:
    std::vector<uint32_t> m_made; ///< By node.
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_NUMBERS_H
