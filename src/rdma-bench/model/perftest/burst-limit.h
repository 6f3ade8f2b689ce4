// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BURST_LIMIT_H
#define RDMA_BURST_LIMIT_H

#include "ns3/tick.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief When a host may post messages: bursts that begin at equal distances. A burst that is late
 * does not delay the beginning of the next one (perftest's run_iter_bw(), SW_RATE_LIMIT).
 */
class BurstLimit
{
  public:
    /// No limit.
    BurstLimit() = default;

    /// @param messages of a burst @param distance above 0, from one beginning to the next
    BurstLimit(uint32_t messages, Tick distance)
        : m_messages(messages),
          m_distance(distance)
    {
    }

    bool IsSet() const
    {
        return m_distance > 0;
    }

    /// @return whether the present burst is over.
    bool IsAtEnd() const
    {
        return m_left == 0;
    }

    /// @return whether a message may be posted; if none of the present burst is left, the next one
    /// begins.
    bool Allows(Tick now)
    {
        if (m_left == 0 && now >= m_next)
        {
            m_next += m_distance;
            m_left = m_messages;
        }
        return m_left > 0;
    }

    /// Messages have been posted.
    void Take(uint32_t messages)
    {
        m_left -= std::min(m_left, messages);
    }

    /// @return the beginning of the next burst.
    Tick GetNext() const
    {
        return m_next;
    }

  private:
    uint32_t m_messages{0};
    Tick m_distance{0}; ///< 0: no limit.
    Tick m_next{0};
    uint32_t m_left{0};
};

} // namespace ns3::rdma

#endif // RDMA_BURST_LIMIT_H
