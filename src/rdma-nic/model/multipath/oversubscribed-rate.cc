// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/oversubscribed-rate.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

OversubscribedRate::OversubscribedRate(const Parameters& parameters,
                                       Tick baseRtt,
                                       RandomStream random)
    : m_parameters(parameters),
      m_baseRtt(baseRtt),
      m_random(random),
      m_intervalEnd(NextInterval()),
      m_step(parameters.increase)
{
}

Tick
OversubscribedRate::NextInterval()
{
    const double baseRtts = 1.5 * (0.75 + m_random.NextDouble() / 2);
    return std::max<Tick>(static_cast<Tick>(baseRtts * static_cast<double>(m_baseRtt)), 1);
}

void
OversubscribedRate::OnPacket(const CreditDemand& demand)
{
    UpdateUntil(ToTick(demand.now));
    ++m_counts.all;
    m_counts.trimmed += demand.isTrimmed;
    m_counts.trimmedEarlier += demand.isTrimmed && !demand.isLastHop;
    m_counts.marked += demand.isMarked && !demand.isTrimmed;
}

double
OversubscribedRate::Get(Tick now)
{
    UpdateUntil(now);
    return m_share;
}

void
OversubscribedRate::UpdateUntil(Tick now)
{
    while (m_intervalEnd <= now)
    {
        if (m_counts.all == 0 && m_share == 1)
        {
            // Nothing has arrived for at least an interval: further ones only let the average fall.
            m_marked = 0;
            m_intervalEnd = now + NextInterval();
            return;
        }
        Update();
        m_intervalEnd += NextInterval();
    }
}

void
OversubscribedRate::Update()
{
    const Counts counts = std::exchange(m_counts, {});
    const uint32_t whole = counts.all - counts.trimmed;
    const double marked = whole == 0 ? 0 : static_cast<double>(counts.marked) / whole;
    m_marked += m_parameters.weight * (marked - m_marked);
    const double excess = m_marked - m_parameters.target;
    if (counts.trimmedEarlier > 0)
    {
        m_share -= static_cast<double>(counts.trimmedEarlier) / counts.all;
    }
    if (excess > 0)
    {
        m_share *= 1 - excess * m_parameters.decrease;
    }
    if (counts.trimmedEarlier == 0 && excess <= 0)
    {
        m_share += counts.marked == 0 ? m_step : m_parameters.increase;
        m_step = std::min(2 * m_step, 1.0);
    }
    else
    {
        m_step = m_parameters.increase;
    }
    m_share = std::clamp(m_share, m_parameters.least, 1.0);
}

} // namespace ns3::rdma
