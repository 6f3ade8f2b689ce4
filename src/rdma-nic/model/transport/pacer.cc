// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "ns3/abort.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return how long bytes take at a rate that take a time at another one, rounded up.
Tick
Rescale(Tick time, DataRate from, DataRate to)
{
    const auto bits = static_cast<Uint128>(time) * from.GetBitRate();
    return static_cast<Tick>((bits + to.GetBitRate() - 1) / to.GetBitRate());
}
} // namespace

Pacer::Pacer(Ptr<CongestionControl> control, const SendBounds& bounds, Tick now)
    : m_control(control)
{
    m_control->Start(bounds.path, ToTime(now));
    TakeLimit(bounds, now);
}

bool
Pacer::OnAck(const AckEvent& ack, const SendBounds& bounds)
{
    m_control->OnAck(ack);
    return TakeLimit(bounds, ToTick(ack.now));
}

bool
Pacer::OnCnp(const SendBounds& bounds, Tick now)
{
    m_control->OnCnp(ToTime(now));
    return TakeLimit(bounds, now);
}

bool
Pacer::OnDeadline(const SendBounds& bounds, Tick now)
{
    m_control->OnDeadline(ToTime(now));
    return TakeLimit(bounds, now);
}

bool
Pacer::TakeLimit(const SendBounds& bounds, Tick now)
{
    const SendLimit limit = m_control->GetLimit();
    m_windowBytes = std::min(limit.windowBytes, bounds.flightCapBytes);
    m_reviewAt = ToTick(limit.deadline);
    if (limit.rate == m_rate)
    {
        return false;
    }
    const Tick before = m_nextSendTime;
    TakeRate(limit.rate, bounds, now);
    return m_nextSendTime < before;
}

void
Pacer::TakeRate(DataRate rate, const SendBounds& bounds, Tick now)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    m_control->GetInstanceTypeId().GetName()
                        << " allows a rate of zero, at which nothing would ever be sent");
    const DataRate line = bounds.path.lineRate;
    if (m_nextSendTime > now)
    {
        m_nextSendTime =
            now + Rescale(m_nextSendTime - now, std::min(m_rate, line), std::min(rate, line));
    }
    m_rate = rate;
    m_pace = rate < line ? SerializationRate(rate) : SerializationRate();
}

} // namespace ns3::rdma
