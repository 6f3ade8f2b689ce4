// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

TypeId
Hpcc::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Hpcc::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Hpcc, CongestionControl>("ns3::rdma::Hpcc", "RdmaNic")
            .Add("Eta",
                 shared(&Parameters::eta, 0.95, 0.01, 1),
                 "Target utilization of a link (0.95: Li et al. 2019, section 5.1)")
            .Add("MaxStage",
                 shared(&Parameters::maxStage, 5),
                 "RTTs of additive increase before a multiplicative one (5: Li et al. 2019, "
                 "section 5.1; 0: run.py of its simulator)")
            .Add("Step",
                 shared(&Parameters::stepBytes, 80),
                 "W_ai, bytes (80: Li et al. 2019, section 5.1)")
            .Add("MinimumRate",
                 shared(&Parameters::minRate, DataRate("100Mbps"), AnyRate()),
                 "Lower bound of the window over T (100 Mb/s: mix/config.txt of HPCC's simulator)")
            .Add("WindowLimited",
                 shared(&Parameters::isWindowed, true),
                 "Whether the window bounds what is in flight (Algorithm 1); else only the rate W "
                 "/ T does (HAS_WIN 0 of HPCC's simulator)")
            .Add("OwnRtt",
                 shared(&Parameters::usesOwnRtt, false),
                 "Whether T is the queue pair's own base RTT, not the longest of the fabric "
                 "(false: GLOBAL_T 1 of HPCC's simulator)");
    return tid;
}

Feedback
Hpcc::GetNeededFeedback() const
{
    return Feedback::INT;
}

bool
Hpcc::UsesOwnPath() const
{
    return m_parameters->usesOwnRtt;
}

bool
Hpcc::NeedsOnSent() const
{
    return false;
}

void
Hpcc::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
    const Time rtt = m_parameters->usesOwnRtt ? path.ownRtt : path.baseRtt;
    m_rttPs = static_cast<double>(rtt.GetPicoSeconds());
    const auto getBytes = [this](DataRate rate) {
        return static_cast<double>(rate.GetBitRate()) * m_rttPs / BIT_PS_PER_BYTE;
    };
    m_maxBytes = std::max<double>(getBytes(path.lineRate), path.mtuBytes);
    m_minBytes = std::clamp(getBytes(m_parameters->minRate), 1.0, m_maxBytes);
    m_windowBytes = m_maxBytes;
    m_reference = m_maxBytes;
}

void
Hpcc::Measure(const IntStack& path)
{
    double fullest = 0;
    double tau = 0;
    for (uint32_t i = 0; i < path.GetCount(); ++i)
    {
        const IntHop& now = path[i];
        const IntHop& before = m_hops[i];
        const auto elapsed = static_cast<double>(now.at - before.at);
        const auto rate = static_cast<double>(now.bitRate) / BIT_PS_PER_BYTE; // In bytes per ps.
        const auto queue = static_cast<double>(std::min(now.queueBytes, before.queueBytes));
        const auto sent = static_cast<double>(now.sentBytes - before.sentBytes);
        const double inFlight = queue / (rate * m_rttPs) + sent / (elapsed * rate);
        if (inFlight > fullest)
        {
            fullest = inFlight;
            tau = elapsed;
        }
    }
    const double weight = std::min(tau / m_rttPs, 1.0);
    m_u = (1 - weight) * m_u + weight * fullest;
}

void
Hpcc::OnAck(const AckEvent& ack)
{
    m_ackedBytes += ack.ackedBytes;
    if (!ack.path || ack.path->GetCount() == 0)
    {
        return;
    }
    const IntStep step = m_hops.Compare(*ack.path);
    if (step == IntStep::LATE)
    {
        return; // Otherwise the next answer would be compared with the older stack.
    }
    if (step == IntStep::NEXT)
    {
        Measure(*ack.path);
    }
    m_hops.Remember(*ack.path);
    if (step == IntStep::RESTART)
    {
        m_updateEnd = std::max(m_updateEnd, m_ackedBytes + ack.inFlightBytes);
        return;
    }
    const double excess = m_u / m_parameters->eta;
    const bool isMultiplied = excess >= 1 || m_stage >= m_parameters->maxStage;
    const double base = isMultiplied ? m_reference / excess : m_reference;
    m_windowBytes = std::clamp(base + m_parameters->stepBytes, m_minBytes, m_maxBytes);
    if (m_ackedBytes > m_updateEnd)
    {
        m_stage = isMultiplied ? 0 : m_stage + 1;
        m_reference = m_windowBytes;
        m_updateEnd = m_ackedBytes + ack.inFlightBytes;
    }
}

SendLimit
Hpcc::GetLimit() const
{
    SendLimit limit;
    const auto rate = std::llround(m_windowBytes * BIT_PS_PER_BYTE / m_rttPs);
    limit.rate = std::min(DataRate(static_cast<uint64_t>(std::max(rate, 1LL))), m_lineRate);
    if (m_parameters->isWindowed)
    {
        limit.windowBytes = static_cast<uint64_t>(std::llround(m_windowBytes));
    }
    return limit;
}

double
Hpcc::GetUtilization() const
{
    return m_u;
}

} // namespace ns3::rdma
