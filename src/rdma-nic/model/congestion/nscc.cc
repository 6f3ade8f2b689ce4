// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nscc.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Nscc);

namespace
{
double
GetPs(Time time)
{
    return static_cast<double>(time.GetPicoSeconds());
}

/// @return value, truncated; all state of the algorithm is in whole units. Attributes without upper
/// bound may make it too large for 64 bits.
uint64_t
Truncate(double value)
{
    constexpr uint64_t MOST{uint64_t{1} << 62};
    return value < static_cast<double>(MOST) ? static_cast<uint64_t>(value) : MOST;
}
} // namespace

TypeId
Nscc::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Nscc::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Nscc, CongestionControl>("ns3::rdma::Nscc", "RdmaNic")
            .Add("IsTrimming",
                 shared(&Parameters::isTrimming, true),
                 "The fabric trims packets: selects TrimmingTarget instead of LossTarget")
            .Add("TrimmingTarget",
                 shared(&Parameters::trimmingTarget, 0.75, 0.01, 100),
                 "Target delay with trimming, base RTTs (0.75: uet-htsim)")
            .Add("LossTarget",
                 shared(&Parameters::lossTarget, 1, 0.01, 100),
                 "Target delay without trimming, base RTTs (1: uet-htsim)")
            .Add("ProportionalIncrease",
                 shared(&Parameters::proportionalIncrease, 4, 0),
                 "Increase at delay 0 for each received window, payloads at the reference network "
                 "(4: uet-htsim)")
            .Add("FairIncrease",
                 shared(&Parameters::fairIncrease, 5, 0),
                 "Increase above the target for each received window, payloads at the reference "
                 "network (5: uet-htsim)")
            .Add(
                "FastIncrease",
                shared(&Parameters::fastIncrease, 0.25, 0),
                "Share of the received bytes that the fast increase adds, at the reference network "
                "(0.25: uet-htsim)")
            .Add("SteadyIncrease",
                 shared(&Parameters::steadyIncrease, 0.15, 0),
                 "Eta: increase per base RTT, payloads at the reference network (0.15: uet-htsim)")
            .Add("Gamma",
                 shared(&Parameters::gamma, 0.8, 0, 1),
                 "Weight of the averaged delay's excess in a cut (0.8: uet-htsim)")
            .Add("LeastFactor",
                 shared(&Parameters::leastFactor, 0.5, 0.01, 1),
                 "Smallest factor of a cut (0.5: uet-htsim)")
            .Add("AverageWeight",
                 shared(&Parameters::averageWeight, 0.0125, 1e-6, 1),
                 "Weight of a sample in the averaged delay (1/80: uet-htsim)")
            .Add("AveragesByTime",
                 shared(&Parameters::averagesByTime, false),
                 "The weight of a sample is the time since the last one in base RTTs, at most 1, "
                 "instead of AverageWeight (false: uet-htsim; UE 1.0.3 asks for an average over "
                 "about one base RTT)")
            .Add("QuickAdaptThreshold",
                 shared(&Parameters::quickAdaptThreshold, 4, 0),
                 "Delay that triggers quick adapt, target delays (4: uet-htsim; 0: none, as in UE "
                 "1.0.3 with trimming; without, drop threshold / BDP - 1 base RTTs)")
            .Add("QuickAdaptGate",
                 shared(&Parameters::quickAdaptGate, 3, 0, 32),
                 "Quick adapt needs less than the largest window / 2^this received (3: uet-htsim)")
            .Add("FastIncreaseLimit",
                 shared(&Parameters::fastIncreaseLimit, MicroSeconds(1), Time(0)),
                 "Delay below which the fast increase counts bytes (1 us: uet-htsim; UE 1.0.3: "
                 "about 0)")
            .Add("NeedsRtt",
                 shared(&Parameters::needsRtt, false),
                 "A report without valid round trip leaves the window unchanged (true: UE 1.0.3; "
                 "false: uet-htsim, which then uses the averaged delay)")
            .Add("AdjustPackets",
                 shared(&Parameters::adjustPackets, 8, 1),
                 "Received packets after which the increase is added to the window (8: uet-htsim)")
            .Add("LargestWindow",
                 shared(&Parameters::largestWindow, 1.5, 0.01, 1000),
                 "Largest window, bandwidth-delay products (1.5: uet-htsim)")
            .Add("ReferenceBdp",
                 shared(&Parameters::referenceBdp, 150'000, 1),
                 "Bandwidth-delay product of the reference network, bytes (150,000: 100 Gb/s x 12 "
                 "us, uet-htsim)")
            .Add("ReferenceDelay",
                 shared(&Parameters::referenceDelay, MicroSeconds(12), NanoSeconds(1)),
                 "Target delay of the reference network (12 us: uet-htsim)")
            .Add("IgnoresLastHop",
                 shared(&Parameters::ignoresLastHop, false),
                 "Packets that the last switch trims do not cut the window (true: UE 1.0.3 and "
                 "uet-htsim with receiver credits)")
            .Add(
                "MedianOf",
                shared(&Parameters::medianOf, 1, 1, 1024),
                "Delays of which the median is used (1: the newest only; MNSCC: arXiv 2509.07907)");
    return tid;
}

Feedback
Nscc::GetNeededFeedback() const
{
    return Feedback::ECN_ECHO;
}

bool
Nscc::NeedsOnSent() const
{
    return false;
}

void
Nscc::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
    m_packetBytes = path.packetBytes != 0 ? path.packetBytes : path.mtuBytes;
    m_period = path.baseRtt;
    const double share =
        m_parameters->isTrimming ? m_parameters->trimmingTarget : m_parameters->lossTarget;
    m_target = std::max(PicoSeconds(static_cast<int64_t>(GetPs(m_period) * share)), PicoSeconds(1));

    const double network =
        static_cast<double>(path.GetBdpBytes()) / static_cast<double>(m_parameters->referenceBdp);
    const double delays = GetPs(m_target) / GetPs(m_parameters->referenceDelay);
    const double unit = path.mtuBytes * network;
    m_alpha = m_parameters->proportionalIncrease * unit * delays / GetPs(m_target);
    m_fair = m_parameters->fairIncrease * unit;
    m_steady = m_parameters->steadyIncrease * unit;
    m_fastScale = m_parameters->fastIncrease * network;

    UpdateBase(m_period);
    m_state.windowBytes = m_state.largestWindowBytes;
    m_delays.Start(m_parameters->medianOf);
}

void
Nscc::UpdateBase(Time baseRtt)
{
    PathInfo path;
    path.lineRate = m_lineRate;
    path.baseRtt = baseRtt;
    m_state.baseRtt = baseRtt;
    m_state.largestWindowBytes = std::max<uint64_t>(
        Truncate(m_parameters->largestWindow * static_cast<double>(path.GetBdpBytes())),
        m_packetBytes);
}

void
Nscc::OnAck(const AckEvent& ack)
{
    m_state.achievedBytes += ack.receivedBytes;
    m_state.receivedBytes += ack.receivedBytes;
    m_ignoredBytes += ack.receivedBytes;
    Time delay = m_state.averageDelay;
    if (ack.hasRtt)
    {
        const Time rtt = ack.GetFabricTime();
        if (rtt < m_state.baseRtt)
        {
            UpdateBase(rtt);
        }
        delay = m_delays.Add(rtt - m_state.baseRtt);
        Average(delay, ack.isCeEchoed, ack.now);
    }
    else if (m_parameters->needsRtt)
    {
        return;
    }
    if (QuickAdapt(false, ack.isCeEchoed, delay, ack.inFlightBytes, ack.now))
    {
        return;
    }
    if (!ack.isCeEchoed)
    {
        Raise(delay, ack.receivedBytes);
    }
    else if (delay >= m_target)
    {
        m_isFast = false;
        m_fastBytes = 0;
        Cut(ack.now);
    }
    Clamp();
    Adjust(ack.now);
    Clamp();
}

void
Nscc::Raise(Time delay, uint64_t bytes)
{
    if (delay >= m_target)
    {
        m_state.increase =
            Truncate(static_cast<double>(m_state.increase) + m_fair * static_cast<double>(bytes));
        return;
    }
    if (!IsFast(delay, bytes))
    {
        m_state.increase = Truncate(static_cast<double>(m_state.increase) +
                                    m_alpha * static_cast<double>(bytes) * GetPs(m_target - delay));
    }
}

bool
Nscc::IsFast(Time delay, uint64_t bytes)
{
    if (delay >= m_parameters->fastIncreaseLimit)
    {
        m_fastBytes = 0;
        m_isFast = false;
        return false;
    }
    m_fastBytes += bytes;
    m_isFast = m_isFast || m_fastBytes > m_state.windowBytes;
    if (m_isFast)
    {
        m_state.windowBytes = Truncate(static_cast<double>(m_state.windowBytes) +
                                       static_cast<double>(bytes) * m_fastScale);
    }
    return m_isFast;
}

void
Nscc::Cut(Time now)
{
    if (m_state.averageDelay <= m_target || now - m_lastCut <= m_state.baseRtt)
    {
        return;
    }
    const double average = GetPs(m_state.averageDelay);
    const double factor = std::max(1 - m_parameters->gamma * (average - GetPs(m_target)) / average,
                                   m_parameters->leastFactor);
    m_state.windowBytes =
        std::max<uint64_t>(Truncate(static_cast<double>(m_state.windowBytes) * factor),
                           m_packetBytes);
    m_lastCut = now;
}

void
Nscc::Adjust(Time now)
{
    const Time elapsed = now - m_lastAdjustment;
    const uint64_t due = uint64_t{m_parameters->adjustPackets} * m_packetBytes;
    if (m_state.receivedBytes <= due && elapsed <= m_period)
    {
        return;
    }
    m_state.windowBytes += m_state.increase / m_state.windowBytes;
    if (elapsed >= m_period)
    {
        m_state.windowBytes = Truncate(static_cast<double>(m_state.windowBytes) + m_steady);
        m_lastAdjustment = now;
    }
    m_state.increase = 0;
    m_state.receivedBytes = 0;
}

void
Nscc::Average(Time delay, bool isMarked, Time now)
{
    double weight = m_parameters->averageWeight;
    if (m_parameters->averagesByTime)
    {
        weight = std::min(GetPs(now - m_averaged) / GetPs(m_state.baseRtt), 1.0);
        m_averaged = now;
    }
    const bool isOutlier = !isMarked && delay > m_target;
    const double sample = isOutlier ? GetPs(m_state.baseRtt) * 0.25 : GetPs(delay);
    m_state.averageDelay = PicoSeconds(
        static_cast<int64_t>(sample * weight + GetPs(m_state.averageDelay) * (1 - weight)));
}

bool
Nscc::QuickAdapt(bool isLoss, bool isMarked, Time delay, uint64_t inFlightBytes, Time now)
{
    bool hasAdapted = false;
    if (isMarked && m_ignoredBytes < m_toIgnoreBytes)
    {
        hasAdapted = true;
    }
    else if (now > m_quickAdaptEnd)
    {
        const double threshold = m_parameters->quickAdaptThreshold * GetPs(m_target);
        const bool isLate = threshold > 0 && GetPs(delay) > threshold;
        const uint64_t gate = m_state.largestWindowBytes >> m_parameters->quickAdaptGate;
        if (!m_quickAdaptEnd.IsZero() && (m_isTriggered || isLoss || isLate) &&
            m_state.achievedBytes < gate)
        {
            m_state.windowBytes = std::max<uint64_t>(m_state.achievedBytes, m_packetBytes);
            m_toIgnoreBytes = inFlightBytes;
            m_ignoredBytes = 0;
            m_isTriggered = false;
            hasAdapted = true;
        }
        m_state.achievedBytes = 0;
        m_quickAdaptEnd = now + m_state.baseRtt + m_target;
    }
    if (hasAdapted)
    {
        m_state.increase = 0;
        m_state.receivedBytes = 0;
    }
    return hasAdapted;
}

void
Nscc::OnTrim(const TrimEvent& trim)
{
    if (trim.rtt < m_state.baseRtt)
    {
        UpdateBase(trim.rtt);
    }
    m_ignoredBytes += trim.packetBytes;
    Average(m_period, true, trim.now);
    m_isTriggered = true;
    if (QuickAdapt(true, true, Time(0), trim.inFlightBytes, trim.now) ||
        (trim.isLastHop && m_parameters->ignoresLastHop))
    {
        return;
    }
    m_state.windowBytes -= std::min<uint64_t>(trim.packetBytes, m_state.windowBytes);
    Clamp();
}

void
Nscc::OnTimeout(const LossEvent& loss)
{
    m_state.windowBytes -= std::min(loss.lostBytes, m_state.windowBytes);
    m_state.windowBytes = std::max<uint64_t>(m_state.windowBytes, m_packetBytes);
}

void
Nscc::Clamp()
{
    m_state.windowBytes =
        std::clamp<uint64_t>(m_state.windowBytes, m_packetBytes, m_state.largestWindowBytes);
}

SendLimit
Nscc::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = m_state.windowBytes;
    return limit;
}

} // namespace ns3::rdma
