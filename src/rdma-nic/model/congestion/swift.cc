// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/swift.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Swift);

namespace
{
/// @param isGood whether the two attributes are consistent
/// @throws std::invalid_argument unless isGood
void
ExpectOrder(const char* attribute, const char* expected, double other, double value, bool isGood)
{
    if (!isGood)
    {
        std::ostringstream text;
        text << "ns3::rdma::Swift::" << attribute << ": expected " << expected << ", " << other
             << ", got " << value;
        throw std::invalid_argument(text.str());
    }
}
} // namespace

TypeId
Swift::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Swift::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Swift, CongestionControl>("ns3::rdma::Swift", "RdmaNic")
            .Add("AdditiveIncrease",
                 shared(&Parameters::additiveIncrease, 1, 0),
                 "Packets by which a window grows per RTT (1: isekai)")
            .Add("Beta",
                 shared(&Parameters::beta, 0.8, 0, 1),
                 "Weight of the delay's excess in a cut (0.8: isekai)")
            .Add("MaxDecrease",
                 shared(&Parameters::maxDecrease, 0.5, 0, 0.99),
                 "Largest share that a cut takes (0.5: isekai)")
            .Add("BaseTarget",
                 shared(&Parameters::baseTarget, MicroSeconds(25), NanoSeconds(1)),
                 "The fabric's target without hops and scaling (25 us: isekai)")
            .Add("PerHop",
                 shared(&Parameters::perHop, MicroSeconds(1), Time(0)),
                 "Time that each switch of the path adds to the target (1 us: isekai)")
            .Add("ScalingRange",
                 shared(&Parameters::scalingRange, MicroSeconds(100), Time(0)),
                 "Time that flow scaling adds to the target at most (100 us: isekai; 0: none)")
            .Add("ScalingMinimum",
                 shared(&Parameters::scalingMinimum, 0.1, 1e-6),
                 "Window in packets up to which it adds all (0.1: isekai)")
            .Add("ScalingMaximum",
                 shared(&Parameters::scalingMaximum, 256, 1e-6),
                 "Window in packets from which on it adds nothing (256: isekai); above "
                 "ScalingMinimum")
            .Add("HostTarget",
                 shared(&Parameters::hostTarget, MicroSeconds(100), NanoSeconds(1)),
                 "Target of the time in both NICs (100 us: ours)")
            .Add("InitialWindow",
                 shared(&Parameters::initialWindow, 32, 1e-3, 1e6),
                 "Initial window, packets (32: isekai)")
            .Add("MinimumWindow",
                 shared(&Parameters::minimumWindow, 0.01, 1e-3, 1e6),
                 "Smallest window, packets (0.01: isekai)")
            .Add("MaximumWindow",
                 shared(&Parameters::maximumWindow, 256, 1, 1e6),
                 "Largest window, packets (256: isekai)")
            .Add("ResetExpiries",
                 shared(&Parameters::resetExpiries, 3, 1),
                 "Timer expiries in a row that make the window the smallest (3: isekai)");
    return tid;
}

void
Swift::NotifyConstructionCompleted()
{
    CongestionControl::NotifyConstructionCompleted();
    ExpectOrder("ScalingMaximum",
                "more than ScalingMinimum",
                m_parameters->scalingMinimum,
                m_parameters->scalingMaximum,
                m_parameters->scalingMaximum > m_parameters->scalingMinimum);
    ExpectOrder("MaximumWindow",
                "at least MinimumWindow",
                m_parameters->minimumWindow,
                m_parameters->maximumWindow,
                m_parameters->maximumWindow >= m_parameters->minimumWindow);
}

Feedback
Swift::GetNeededFeedback() const
{
    return Feedback::NONE;
}

bool
Swift::UsesOwnPath() const
{
    return !m_parameters->perHop.IsZero();
}

bool
Swift::NeedsOnSent() const
{
    return false;
}

void
Swift::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
    m_mtuBytes = path.mtuBytes;
    m_hops = path.hops;
    m_rtt = std::max(path.baseRtt, PicoSeconds(1));
    m_fabric = {std::clamp(m_parameters->initialWindow,
                           m_parameters->minimumWindow,
                           m_parameters->maximumWindow),
                Time::Min()};
    m_host = m_fabric;
}

Time
Swift::GetFabricTarget() const
{
    const auto range = static_cast<double>(m_parameters->scalingRange.GetPicoSeconds());
    const double high = 1 / std::sqrt(m_parameters->scalingMaximum);
    const double low = 1 / std::sqrt(m_parameters->scalingMinimum);
    const double alpha = range / (low - high);
    const double scaling = alpha / std::sqrt(m_fabric.packets) - alpha * high;
    return m_parameters->baseTarget + m_parameters->perHop * static_cast<int64_t>(m_hops) +
           PicoSeconds(static_cast<int64_t>(std::clamp(scaling, 0.0, range)));
}

void
Swift::Cut(Window& window, double factor, Time now)
{
    if (window.cutAt == Time::Min() || now - window.cutAt >= m_rtt)
    {
        window.packets = std::max(window.packets * factor, m_parameters->minimumWindow);
        window.cutAt = now;
    }
}

void
Swift::Adjust(Window& window, Time delay, Time target, const AckEvent& ack)
{
    if (delay < target)
    {
        const double acked = static_cast<double>(ack.ackedBytes) / m_mtuBytes;
        const double share = window.packets >= 1 ? acked / window.packets : acked;
        window.packets = std::min(window.packets + m_parameters->additiveIncrease * share,
                                  m_parameters->maximumWindow);
        return;
    }
    const double excess = static_cast<double>((delay - target).GetPicoSeconds()) /
                          static_cast<double>(delay.GetPicoSeconds());
    Cut(window, std::max(1 - m_parameters->beta * excess, 1 - m_parameters->maxDecrease), ack.now);
}

void
Swift::OnAck(const AckEvent& ack)
{
    m_rtt = std::max(ack.rtt, PicoSeconds(1));
    Adjust(m_fabric, ack.GetFabricTime(), GetFabricTarget(), ack);
    Adjust(m_host, ack.hostTime, m_parameters->hostTarget, ack);
}

void
Swift::OnLoss(const LossEvent& loss)
{
    Cut(m_fabric, 1 - m_parameters->maxDecrease, loss.now);
}

void
Swift::OnTimeout(const LossEvent& loss)
{
    if (loss.expiries >= m_parameters->resetExpiries)
    {
        m_fabric.packets = m_parameters->minimumWindow;
        m_fabric.cutAt = loss.now;
        return;
    }
    Cut(m_fabric, 1 - m_parameters->maxDecrease, loss.now);
}

SendLimit
Swift::GetLimit() const
{
    const double packets = std::min(m_fabric.packets, m_host.packets);
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = static_cast<uint64_t>(std::max(packets, 1.0) * m_mtuBytes);
    if (packets < 1)
    {
        const double rate =
            packets * m_mtuBytes * BIT_PS_PER_BYTE / static_cast<double>(m_rtt.GetPicoSeconds());
        limit.rate = std::clamp(DataRate(static_cast<uint64_t>(rate)), DataRate(1), m_lineRate);
    }
    return limit;
}

double
Swift::GetFabricWindow() const
{
    return m_fabric.packets;
}

double
Swift::GetHostWindow() const
{
    return m_host.packets;
}

} // namespace ns3::rdma
