// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::rdma
{

Pacer::Pacer(Ptr<CongestionControl> control, const SendBounds& bounds, Tick now)
    : m_control(control)
{
    m_control->Start(bounds.path, ToTime(now));
    TakeLimit(bounds);
}

void
Pacer::OnAck(const AckEvent& ack, const SendBounds& bounds)
{
    m_control->OnAck(ack);
    TakeLimit(bounds);
}

void
Pacer::OnCnp(const SendBounds& bounds, Tick now)
{
    m_control->OnCnp(ToTime(now));
    TakeLimit(bounds);
}

void
Pacer::OnDeadline(const SendBounds& bounds, Tick now)
{
    m_control->OnDeadline(ToTime(now));
    TakeLimit(bounds);
}

void
Pacer::TakeLimit(const SendBounds& bounds)
{
    const SendLimit limit = m_control->GetLimit();
    m_windowBytes = std::min(limit.windowBytes, bounds.flightCapBytes);
    m_reviewAt = ToTick(limit.deadline);
    if (limit.rate != m_rate)
    {
        NS_ABORT_MSG_IF(limit.rate.GetBitRate() == 0,
                        m_control->GetInstanceTypeId().GetName()
                            << " allows a rate of zero, at which nothing would ever be sent");
        m_rate = limit.rate;
        m_pace = m_rate < bounds.path.lineRate ? SerializationRate(m_rate) : SerializationRate();
    }
}

} // namespace ns3::rdma
