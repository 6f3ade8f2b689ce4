// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timely.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Timely);

TypeId
Timely::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Timely::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Timely, CongestionControl>("ns3::rdma::Timely", "RdmaNic")
            .Add("Alpha",
                 shared(&Parameters::alpha, 0.875, 0, 1),
                 "Weight of the newest difference of round trips (0.875: HPCC's simulator)")
            .Add("Beta",
                 shared(&Parameters::beta, 0.8, 0, 1),
                 "Weight of a decrease (0.8: HPCC's simulator)")
            .Add("LowThreshold",
                 shared(&Parameters::lowThreshold, MicroSeconds(50), Time(0)),
                 "Round trip below which the rate always grows (50 us: HPCC's simulator)")
            .Add("HighThreshold",
                 shared(&Parameters::highThreshold, MicroSeconds(500), NanoSeconds(1)),
                 "Round trip above which the rate always falls (500 us: HPCC's simulator); above "
                 "LowThreshold")
            .Add("MinimumRtt",
                 shared(&Parameters::minimumRtt, MicroSeconds(20), NanoSeconds(1)),
                 "Unit of the gradient (20 us: HPCC's simulator)")
            .Add("AdditiveIncrease",
                 shared(&Parameters::additiveIncrease, DataRate("10Mbps"), AnyRate()),
                 "Delta: increase per event (10 Mb/s: HPCC's rdma-hw.cc; its "
                 "run.py: 100 Mb/s at 100 Gb/s)")
            .Add("HyperFactor",
                 shared(&Parameters::hyperFactor, 5, 1),
                 "Increases in hyperactive mode, AdditiveIncreases (5: HPCC's "
                 "simulator)")
            .Add("HyperEvents",
                 shared(&Parameters::hyperEvents, 5, 1),
                 "Increases in a row before hyperactive mode (5: HPCC's simulator)")
            .Add("HyperBelowLow",
                 shared(&Parameters::hyperBelowLow, false),
                 "Whether increases below LowThreshold count, and are hyperactive, too (true: "
                 "HPCC's simulator)")
            .Add("MinimumRate",
                 shared(&Parameters::minimumRate, DataRate("100Mbps"), AnyRate()),
                 "Lowest rate (100 Mb/s: mix/config.txt of HPCC's simulator)")
            .Add("SampleBytes",
                 shared(&Parameters::sampleBytes, 0),
                 "Acknowledged payload per event (0: what was in flight at the last event, as in "
                 "HPCC's simulator)")
            .Add("WindowRtts",
                 shared(&Parameters::windowRtts, 0, 0, 1000),
                 "Window, base round trips at the rate (0: none, as TIMELY; 1: timely_vwin in "
                 "run.py of HPCC's simulator)");
    return tid;
}

void
Timely::NotifyConstructionCompleted()
{
    CongestionControl::NotifyConstructionCompleted();
    if (m_parameters->highThreshold <= m_parameters->lowThreshold)
    {
        throw std::invalid_argument(
            "ns3::rdma::Timely::HighThreshold: expected more than LowThreshold, " +
            std::to_string(m_parameters->lowThreshold.GetNanoSeconds()) + " ns, got " +
            std::to_string(m_parameters->highThreshold.GetNanoSeconds()) + " ns");
    }
}

Feedback
Timely::GetNeededFeedback() const
{
    return Feedback::NONE;
}

bool
Timely::NeedsOnSent() const
{
    return false;
}

void
Timely::Start(const PathInfo& path, Time)
{
    m_lineRate = static_cast<double>(path.lineRate.GetBitRate());
    m_rate = m_lineRate;
    m_baseRttPs = static_cast<double>(path.baseRtt.GetPicoSeconds());
}

void
Timely::OnAck(const AckEvent& ack)
{
    m_ackedBytes += ack.ackedBytes;
    if (!ack.hasRtt || m_ackedBytes <= m_eventEnd)
    {
        return;
    }
    const auto rttPs = static_cast<double>(ack.GetFabricTime().GetPicoSeconds());
    if (m_hasRtt)
    {
        Update(rttPs);
    }
    m_hasRtt = true;
    m_lastRttPs = rttPs;
    const uint64_t bytes = m_parameters->sampleBytes;
    m_eventEnd = bytes == 0 ? m_ackedBytes + ack.inFlightBytes : m_ackedBytes + bytes - 1;
}

void
Timely::Update(double rttPs)
{
    const double alpha = m_parameters->alpha;
    m_differencePs = (1 - alpha) * m_differencePs + alpha * (rttPs - m_lastRttPs);
    const double gradient = GetGradient();
    const auto low = static_cast<double>(m_parameters->lowThreshold.GetPicoSeconds());
    const auto high = static_cast<double>(m_parameters->highThreshold.GetPicoSeconds());
    if (rttPs < low)
    {
        Raise(m_parameters->hyperBelowLow);
        return;
    }
    if (rttPs <= high && gradient <= 0)
    {
        Raise(true);
        return;
    }
    const double share = rttPs > high ? 1 - high / rttPs : gradient;
    const auto least = static_cast<double>(m_parameters->minimumRate.GetBitRate());
    const double factor = std::max(1 - m_parameters->beta * share, 0.0);
    m_rate = std::max(m_rate * factor, std::min(least, m_lineRate));
    m_raises = 0;
}

void
Timely::Raise(bool mayBeHyper)
{
    const bool isHyper = mayBeHyper && m_raises >= m_parameters->hyperEvents;
    const auto step = static_cast<double>(m_parameters->additiveIncrease.GetBitRate());
    m_rate = std::min(m_rate + (isHyper ? m_parameters->hyperFactor : 1) * step, m_lineRate);
    m_raises = mayBeHyper ? m_raises + 1 : 0;
}

double
Timely::GetGradient() const
{
    return m_differencePs / static_cast<double>(m_parameters->minimumRtt.GetPicoSeconds());
}

SendLimit
Timely::GetLimit() const
{
    SendLimit limit;
    limit.rate = DataRate(static_cast<uint64_t>(std::max(std::llround(m_rate), 1LL)));
    if (m_parameters->windowRtts > 0)
    {
        const double bytes = m_parameters->windowRtts * m_rate * m_baseRttPs / BIT_PS_PER_BYTE;
        limit.windowBytes = static_cast<uint64_t>(std::max(std::llround(bytes), 1LL));
    }
    return limit;
}

} // namespace ns3::rdma
