// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPEN_REQUESTS_H
#define RDMA_OPEN_REQUESTS_H

#include "ns3/fabric-engine.h"

#include <deque>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief The requests of one client that have begun and not ended.
 *
 * They are numbered from 0 in the order of their start, and end in any order.
 */
class OpenRequests
{
  public:
    /// Adds the next request. @param start not before that of the last one
    void Begin(Tick start);

    void End(uint64_t number);

    /// @return the start of the oldest one. @param none returned if none is open
    Tick GetOldestStart(Tick none) const
    {
        return m_starts.empty() ? none : m_starts.front();
    }

  private:
    std::deque<Tick> m_starts; ///< From the oldest open one on; TICK_NEVER: has ended.
    uint64_t m_first{0};       ///< Number of the first of them.
};

} // namespace ns3::rdma

#endif // RDMA_OPEN_REQUESTS_H
