// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "ns3/policy-error.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return whether a policy may return this rate. A negative double or NaN converted to an integer
/// has the highest bit set.
bool
IsValid(DataRate rate)
{
    return static_cast<int64_t>(rate.GetBitRate()) > 0;
}

/// @return the time, rounded up, that bytes take at rate `to` if they take `time` at rate `from`.
Tick
Rescale(Tick time, DataRate from, DataRate to)
{
    const auto bits = static_cast<Uint128>(time) * from.GetBitRate();
    return static_cast<Tick>((bits + to.GetBitRate() - 1) / to.GetBitRate());
}
} // namespace

Pacer::Pacer(Ptr<CongestionControl> control,
             const SendBounds& bounds,
             Tick now,
             const PathFacts& own)
    : m_control(control)
{
    PathInfo path = bounds.path;
    path.ownRtt = own.rtt > 0 ? ToTime(own.rtt) : path.baseRtt;
    path.hops = own.hops;
    CallPolicy(*m_control, "Start()", [&] { m_control->Start(path, ToTime(now)); });
    TakeLimit(bounds, now);
}

bool
Pacer::OnAck(const AckEvent& ack, const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnAck()", [&] { m_control->OnAck(ack); });
    return TakeLimit(bounds, now);
}

bool
Pacer::OnLoss(const LossEvent& loss, const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnLoss()", [&] { m_control->OnLoss(loss); });
    return TakeLimit(bounds, now);
}

bool
Pacer::OnTrim(const TrimEvent& trim, const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnTrim()", [&] { m_control->OnTrim(trim); });
    return TakeLimit(bounds, now);
}

bool
Pacer::OnTimeout(const LossEvent& loss, const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnTimeout()", [&] { m_control->OnTimeout(loss); });
    return TakeLimit(bounds, now);
}

bool
Pacer::OnCnp(const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnCnp()", [&] { m_control->OnCnp(ToTime(now)); });
    return TakeLimit(bounds, now);
}

bool
Pacer::OnDeadline(const SendBounds& bounds, Tick now)
{
    CallPolicy(*m_control, "OnDeadline()", [&] { m_control->OnDeadline(ToTime(now)); });
    const bool isSooner = TakeLimit(bounds, now);
    if (m_reviewAt <= now)
    {
        FailDeadline(now);
    }
    return isSooner;
}

bool
Pacer::OnBounds(const SendBounds& bounds, Tick now)
{
    return TakeLimit(bounds, now);
}

bool
Pacer::TakeLimit(const SendBounds& bounds, Tick now)
{
    const SendLimit limit =
        CallPolicy(*m_control, "GetLimit()", [&] { return m_control->GetLimit(); });
    if (limit.windowBytes == 0)
    {
        FailWindow();
    }
    m_windowBytes = std::min(limit.windowBytes, bounds.flightCapBytes);
    const Tick reviewAt = ToTick(limit.deadline);
    // An overdue deadline that is unchanged is served later: the delay is the NIC's.
    if (reviewAt < now && reviewAt != m_reviewAt)
    {
        m_reviewAt = reviewAt;
        FailDeadline(now);
    }
    m_reviewAt = reviewAt;
    const bool isBounded = bounds.rateLimit < limit.rate && IsValid(limit.rate);
    const DataRate rate = isBounded ? bounds.rateLimit : limit.rate;
    if (rate == m_rate)
    {
        return false;
    }
    const Tick before = m_nextSendTime;
    TakeRate(rate, bounds, now);
    return m_nextSendTime < before;
}

void
Pacer::TakeRate(DataRate rate, const SendBounds& bounds, Tick now)
{
    if (!IsValid(rate))
    {
        FailPolicy(*m_control,
                   "GetLimit()",
                   "a rate above zero",
                   rate.GetBitRate() == 0 ? "0 bit/s" : "a negative number or none");
    }
    const DataRate line = bounds.path.lineRate;
    if (m_nextSendTime > now)
    {
        m_nextSendTime =
            now + Rescale(m_nextSendTime - now, std::min(m_rate, line), std::min(rate, line));
    }
    m_rate = rate;
    m_pace = rate < line ? SerializationRate(rate) : SerializationRate();
}

void
Pacer::FailWindow() const
{
    FailPolicy(*m_control, "GetLimit()", "a window of at least 1 byte", "0");
}

void
Pacer::FailDeadline(Tick now) const
{
    FailPolicy(*m_control,
               "GetLimit()",
               "a deadline after now",
               DescribeTick(m_reviewAt) + " at " + DescribeTick(now));
}

} // namespace ns3::rdma
