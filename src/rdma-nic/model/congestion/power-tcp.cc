// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/power-tcp.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcp);
NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcp);

namespace
{
/// Adds the attributes of PowerParameters.
/// @param shared of a field, its initial value and bounds @param usesOwnRtt initial value
template <typename SharedField>
TypeAttributes
AddCommon(TypeAttributes attributes, const SharedField& shared, bool usesOwnRtt)
{
    return attributes
        .Add("Gamma",
             shared(&PowerParameters::gamma, 0.9, 0.001, 1),
             "Weight of the newest window (0.9: ns3-datacenter, which has 0.7 for theta-PowerTCP)")
        .Add("AdditiveIncrease",
             shared(&PowerParameters::additiveIncrease, DataRate("150Mbps"), AnyRate()),
             "Beta / tau (150 Mb/s: ns3-datacenter)")
        .Add("MinimumRate",
             shared(&PowerParameters::minimumRate, DataRate("100Mbps"), AnyRate()),
             "Lower bound of the window over tau (100 Mb/s: ns3-datacenter)")
        .Add("LeastCurrent",
             shared(&PowerParameters::leastCurrent, 0.5, 0.001, 1),
             "Lower bound of the current, line rates (0.5: ns3-datacenter)")
        .Add("OwnRtt",
             shared(&PowerParameters::usesOwnRtt, usesOwnRtt),
             "Whether tau is the queue pair's own base RTT, not the longest of the fabric");
}
} // namespace

void
PowerWindow::Start(const PathInfo& path, const PowerParameters& parameters)
{
    m_lineRate = path.lineRate;
    const Time tau = parameters.usesOwnRtt ? path.ownRtt : path.baseRtt;
    m_tauPs = static_cast<double>(std::max(tau, PicoSeconds(1)).GetPicoSeconds());
    const auto getBytes = [this](DataRate rate) {
        return static_cast<double>(rate.GetBitRate()) * m_tauPs / BIT_PS_PER_BYTE;
    };
    m_betaBytes = getBytes(parameters.additiveIncrease);
    m_maxBytes = std::max<double>(getBytes(path.lineRate), path.mtuBytes);
    m_minBytes = std::clamp(getBytes(parameters.minimumRate), 1.0, m_maxBytes);
    m_bytes = m_maxBytes;
    m_oldBytes = m_maxBytes;
}

void
PowerWindow::Smooth(double power, double elapsedPs)
{
    const double weight = std::min(elapsedPs / m_tauPs, 1.0);
    m_power = (1 - weight) * m_power + weight * power;
}

void
PowerWindow::Move(double gamma, double fromBytes)
{
    const double target = m_oldBytes / m_power + m_betaBytes;
    m_bytes = std::clamp(gamma * target + (1 - gamma) * fromBytes, m_minBytes, m_maxBytes);
}

bool
PowerWindow::IsRoundOver(const AckEvent& ack)
{
    m_ackedBytes += ack.ackedBytes;
    return m_ackedBytes > m_roundEnd;
}

void
PowerWindow::BeginRound(const AckEvent& ack)
{
    m_oldBytes = m_bytes;
    m_roundEnd = m_ackedBytes + ack.inFlightBytes;
}

SendLimit
PowerWindow::GetLimit() const
{
    SendLimit limit;
    const auto rate = std::llround(m_bytes * BIT_PS_PER_BYTE / m_tauPs);
    limit.rate = std::min(DataRate(static_cast<uint64_t>(std::max(rate, 1LL))), m_lineRate);
    limit.windowBytes = static_cast<uint64_t>(std::llround(m_bytes));
    return limit;
}

TypeId
PowerTcp::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&PowerTcp::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        AddCommon(TypeAttributes::Of<PowerTcp, CongestionControl>("ns3::rdma::PowerTcp", "RdmaNic"),
                  shared,
                  false)
            .Add("TargetUtilization",
                 shared(&Parameters::targetUtilization, 1, 0.01, 1),
                 "By which power is divided (1: power as it is; ns3-datacenter: 0.95)")
            .Add("KeepsOldWindow",
                 shared(&Parameters::keepsOldWindow, false),
                 "Whether 1 - Gamma is the weight of the window of a round trip ago, not of the "
                 "current one (true: ns3-datacenter)");
    return tid;
}

Feedback
PowerTcp::GetNeededFeedback() const
{
    return Feedback::INT;
}

bool
PowerTcp::UsesOwnPath() const
{
    return m_parameters->usesOwnRtt;
}

bool
PowerTcp::NeedsOnSent() const
{
    return false;
}

void
PowerTcp::Start(const PathInfo& path, Time)
{
    m_window.Start(path, *m_parameters);
}

void
PowerTcp::Measure(const IntStack& path)
{
    double largest = 0;
    double elapsedOfLargest = 0;
    for (uint32_t i = 0; i < path.GetCount(); ++i)
    {
        const IntHop& now = path[i];
        const IntHop& before = m_hops[i];
        const auto elapsed = static_cast<double>(now.at - before.at);
        const auto rate = static_cast<double>(now.bitRate) / BIT_PS_PER_BYTE; // Bytes per ps.
        const auto sent = static_cast<double>(now.sentBytes - before.sentBytes);
        const double growth =
            static_cast<double>(now.queueBytes) - static_cast<double>(before.queueBytes);
        const double current =
            std::max((growth + sent) / (elapsed * rate), m_parameters->leastCurrent);
        const double voltage = 1 + now.queueBytes / (rate * m_window.GetTauPs());
        if (current * voltage > largest)
        {
            largest = current * voltage;
            elapsedOfLargest = elapsed;
        }
    }
    m_window.Smooth(largest / m_parameters->targetUtilization, elapsedOfLargest);
}

void
PowerTcp::OnAck(const AckEvent& ack)
{
    const bool isRoundOver = m_window.IsRoundOver(ack);
    if (!ack.path || ack.path->GetCount() == 0)
    {
        return;
    }
    const IntStep step = m_hops.Compare(*ack.path);
    if (step == IntStep::LATE)
    {
        return;
    }
    if (step == IntStep::NEXT)
    {
        Measure(*ack.path);
        m_window.Move(m_parameters->gamma,
                      m_parameters->keepsOldWindow ? m_window.GetOldBytes() : m_window.GetBytes());
    }
    m_hops.Remember(*ack.path);
    if (step == IntStep::RESTART || isRoundOver)
    {
        m_window.BeginRound(ack);
    }
}

SendLimit
PowerTcp::GetLimit() const
{
    return m_window.GetLimit();
}

double
PowerTcp::GetPower() const
{
    return m_window.GetPower();
}

TypeId
ThetaPowerTcp::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&ThetaPowerTcp::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        AddCommon(TypeAttributes::Of<ThetaPowerTcp, CongestionControl>("ns3::rdma::ThetaPowerTcp",
                                                                       "RdmaNic"),
                  shared,
                  true)
            .Add("RttMargin",
                 shared(&Parameters::rttMargin, 1, 1, 10),
                 "Round trip of an empty path, taus (1: by definition; ns3-datacenter: 1.05)")
            .Add("MovesEachAnswer",
                 shared(&Parameters::movesEachAnswer, false),
                 "Whether each answer moves the window, from that of a round trip ago, not one per "
                 "round trip (true: ns3-datacenter)");
    return tid;
}

Feedback
ThetaPowerTcp::GetNeededFeedback() const
{
    return Feedback::NONE;
}

bool
ThetaPowerTcp::UsesOwnPath() const
{
    return m_parameters->usesOwnRtt;
}

bool
ThetaPowerTcp::NeedsOnSent() const
{
    return false;
}

void
ThetaPowerTcp::Start(const PathInfo& path, Time)
{
    m_window.Start(path, *m_parameters);
}

void
ThetaPowerTcp::OnAck(const AckEvent& ack)
{
    const bool isRoundOver = m_window.IsRoundOver(ack);
    if (!ack.hasRtt || (m_hasRtt && ack.now <= m_lastAnswer))
    {
        return;
    }
    const auto rttPs = static_cast<double>(ack.GetFabricTime().GetPicoSeconds());
    const double voltage = rttPs / (m_parameters->rttMargin * m_window.GetTauPs());
    if (m_hasRtt)
    {
        const auto elapsed = static_cast<double>((ack.now - m_lastAnswer).GetPicoSeconds());
        const double current =
            std::max((rttPs - m_lastRttPs) / elapsed + 1, m_parameters->leastCurrent);
        m_window.Smooth(current * voltage, elapsed);
    }
    else
    {
        m_window.Smooth(voltage, m_window.GetTauPs()); // No change is known: current 1.
    }
    const bool beginsRound = !m_hasRtt || isRoundOver;
    if (beginsRound || m_parameters->movesEachAnswer)
    {
        m_window.Move(m_parameters->gamma, m_window.GetOldBytes());
    }
    if (beginsRound)
    {
        m_window.BeginRound(ack);
    }
    m_hasRtt = true;
    m_lastRttPs = rttPs;
    m_lastAnswer = ack.now;
}

SendLimit
ThetaPowerTcp::GetLimit() const
{
    return m_window.GetLimit();
}

double
ThetaPowerTcp::GetPower() const
{
    return m_window.GetPower();
}

} // namespace ns3::rdma
