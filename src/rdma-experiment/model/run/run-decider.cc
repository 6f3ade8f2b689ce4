// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-decider.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

RunDecider::RunDecider(PrecisionWatch& precision,
                       Tick stallLimit,
                       Tick now,
                       Tick endAt,
                       std::function<bool()> isDeadlocked)
    : m_precision(precision),
      m_watch(stallLimit, now),
      m_isDeadlocked(std::move(isDeadlocked)),
      m_endAt(endAt)
{
}

Tick
RunDecider::GetNextTime() const
{
    const Tick next = std::min({m_watch.GetNextTime(), m_precision.GetNextTime(), m_endAt});
    return next == TICK_NEVER ? TICK_NEVER : next + 1;
}

bool
RunDecider::LookForStall(const WindowState& all, bool hasActive)
{
    if (m_watch.Look(all.progress, hasActive))
    {
        return true;
    }
    return hasActive && m_isDeadlocked && m_watch.IsNearLimit() && m_isDeadlocked();
}

bool
RunDecider::Decide(const WindowState& all, bool hasMore)
{
    const Tick now = GetNextTime() - 1;
    const bool hasActive = all.done < all.started;
    if (now == m_watch.GetNextTime())
    {
        if (!hasActive && !hasMore && all.nextWork == TICK_NEVER)
        {
            m_watch.End(); // The last frames have arrived, or nothing but pauses goes on.
        }
        else
        {
            m_isStalled = LookForStall(all, hasActive);
        }
    }
    const bool isPrecise = now == m_precision.GetNextTime() && m_precision.Look();
    m_isDecided = m_isStalled || isPrecise || now == m_endAt;
    m_end = m_isDecided ? now : m_end;
    return !m_isDecided;
}

} // namespace ns3::rdma
