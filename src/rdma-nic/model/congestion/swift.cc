// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/swift.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

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
    const auto number = [](double Parameters::*field) {
        return MakeSharedAccessor<DoubleValue>(&Swift::m_parameters, field);
    };
    const auto time = [](Time Parameters::*field) {
        return MakeSharedAccessor<TimeValue>(&Swift::m_parameters, field);
    };
    static TypeId tid =
        TypeId("ns3::rdma::Swift")
            .SetParent<CongestionControl>()
            .SetGroupName("RdmaNic")
            .AddConstructor<Swift>()
            .AddAttribute("AdditiveIncrease",
                          "Packets by which a window grows per RTT (1: isekai)",
                          DoubleValue(1),
                          number(&Parameters::additiveIncrease),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Beta",
                          "Weight of the delay's excess in a cut (0.8: isekai)",
                          DoubleValue(0.8),
                          number(&Parameters::beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest share that a cut takes (0.5: isekai)",
                          DoubleValue(0.5),
                          number(&Parameters::maxDecrease),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("BaseTarget",
                          "The fabric's target without hops and scaling (25 us: isekai)",
                          TimeValue(MicroSeconds(25)),
                          time(&Parameters::baseTarget),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PerHop",
                          "Time that each switch of the path adds to the target (1 us: isekai)",
                          TimeValue(MicroSeconds(1)),
                          time(&Parameters::perHop),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingRange",
                          "Time that flow scaling adds to the target at most (100 us: isekai; 0: "
                          "none)",
                          TimeValue(MicroSeconds(100)),
                          time(&Parameters::scalingRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingMinimum",
                          "Window in packets up to which it adds all (0.1: isekai)",
                          DoubleValue(0.1),
                          number(&Parameters::scalingMinimum),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("ScalingMaximum",
                          "Window in packets from which on it adds nothing (256: isekai); above "
                          "ScalingMinimum",
                          DoubleValue(256),
                          number(&Parameters::scalingMaximum),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("HostTarget",
                          "Target of the time in both NICs (100 us: ours)",
                          TimeValue(MicroSeconds(100)),
                          time(&Parameters::hostTarget),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("InitialWindow",
                          "Initial window, packets (32: isekai)",
                          DoubleValue(32),
                          number(&Parameters::initialWindow),
                          MakeDoubleChecker<double>(1e-3, 1e6))
            .AddAttribute("MinimumWindow",
                          "Smallest window, packets (0.01: isekai)",
                          DoubleValue(0.01),
                          number(&Parameters::minimumWindow),
                          MakeDoubleChecker<double>(1e-3, 1e6))
            .AddAttribute("MaximumWindow",
                          "Largest window, packets (256: isekai)",
                          DoubleValue(256),
                          number(&Parameters::maximumWindow),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute(
                "ResetExpiries",
                "Timer expiries in a row that make the window the smallest (3: isekai)",
                UintegerValue(3),
                MakeSharedAccessor<UintegerValue>(&Swift::m_parameters, &Parameters::resetExpiries),
                MakeUintegerChecker<uint32_t>(1));
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

Ptr<CongestionControl>
Swift::Fork() const
{
    return CopyObject(Ptr<const Swift>(this));
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
