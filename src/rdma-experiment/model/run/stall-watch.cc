// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stall-watch.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr Tick LOOKS_PER_LIMIT{4};
} // namespace

StallWatch::StallWatch(Tick limit, Tick now)
    : m_limit(limit),
      m_next(now + GetStep()),
      m_lastProgress(now)
{
}

Tick
StallWatch::GetStep() const
{
    return std::max<Tick>(m_limit / LOOKS_PER_LIMIT, 1);
}

void
StallWatch::SkipIdle(Tick until)
{
    if (m_next < until)
    {
        m_next += (until - 1 - m_next) / GetStep() * GetStep();
    }
}

bool
StallWatch::Look(uint64_t progress, bool hasWork)
{
    const Tick now = m_next;
    m_next += GetStep();
    if (progress != m_progressThen || !hasWork)
    {
        m_progressThen = progress;
        m_lastProgress = now;
        return false;
    }
    return now - m_lastProgress >= m_limit;
}

void
StallWatch::End()
{
    m_next = TICK_NEVER;
}

} // namespace ns3::rdma
