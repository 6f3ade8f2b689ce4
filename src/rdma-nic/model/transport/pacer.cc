// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::rdma
{

Pacer::Pacer(Ptr<CongestionControl> control,
             const PathInfo& path,
             uint64_t flightCapBytes,
             Tick now)
    : m_control(control),
      m_lineRate(path.lineRate),
      m_flightCapBytes(flightCapBytes)
{
    m_control->Start(path, ToTime(now));
    TakeLimit();
}

void
Pacer::OnAck(const AckEvent& ack)
{
    m_control->OnAck(ack);
    TakeLimit();
}

void
Pacer::OnCnp(Tick now)
{
    m_control->OnCnp(ToTime(now));
    TakeLimit();
}

void
Pacer::OnDeadline(Tick now)
{
    m_control->OnDeadline(ToTime(now));
    TakeLimit();
}

void
Pacer::TakeLimit()
{
    const SendLimit limit = m_control->GetLimit();
    m_windowBytes = std::min(limit.windowBytes, m_flightCapBytes);
    m_reviewAt = ToTick(limit.deadline);
    if (limit.rate != m_rate)
    {
        NS_ABORT_MSG_IF(limit.rate.GetBitRate() == 0,
                        m_control->GetInstanceTypeId().GetName()
                            << " allows a rate of zero, at which nothing would ever be sent");
        m_rate = limit.rate;
        m_pace = SerializationRate(m_rate);
        m_isPaced = m_rate < m_lineRate;
    }
}

} // namespace ns3::rdma
