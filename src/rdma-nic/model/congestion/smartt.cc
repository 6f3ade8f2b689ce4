// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/smartt.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Smartt);

namespace
{
double
GetPs(Time time)
{
    return static_cast<double>(time.GetPicoSeconds());
}
} // namespace

TypeId
Smartt::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Smartt::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Smartt, CongestionControl>("ns3::rdma::Smartt", "RdmaNic")
            .Add("TargetDelay",
                 shared(&Parameters::targetDelay, MicroSeconds(7), NanoSeconds(1)),
                 "Target round trip beyond the base RTT (7 us: spcl/HTSIM)")
            .Add("FairIncrease",
                 shared(&Parameters::fairIncrease, 0.25, 0),
                 "Beta: packets per window of unmarked answers (0.25: spcl/HTSIM)")
            .Add("MultiplicativeIncrease",
                 shared(&Parameters::multiplicativeIncrease, 2, 0),
                 "Mi: weight of the distance to the target below it (2: spcl/HTSIM)")
            .Add("MultiplicativeDecrease",
                 shared(&Parameters::multiplicativeDecrease, 1, 0),
                 "Md: weight of the distance to the target above it (1: spcl/HTSIM)")
            .Add("FairDecrease",
                 shared(&Parameters::fairDecrease, 0.8, 0, 1),
                 "Gamma_g: share of a largest window that a window of marked answers takes (0.8: "
                 "spcl/HTSIM)")
            .Add("FastPackets",
                 shared(&Parameters::fastPackets, 4, 0),
                 "Packets that an answer adds in a fast increase (4: spcl/HTSIM)")
            .Add("FastIncreaseLimit",
                 shared(&Parameters::fastLimit, MicroSeconds(1), Time(0)),
                 "Delay below which answers count for the fast increase (1 us: spcl/HTSIM)")
            .Add("WaitToDecrease",
                 shared(&Parameters::waitToDecrease, 0, 0, 1),
                 "Averaged share of marks up to which the window does not fall (0: none, the "
                 "default of spcl/HTSIM, whose option has 0.3)")
            .Add("AverageWeight",
                 shared(&Parameters::averageWeight, 0.05, 1e-6, 1),
                 "Weight of an answer in the averaged share of marks (0.05: spcl/HTSIM)")
            .Add("LargestWindow",
                 shared(&Parameters::largestWindow, 1.5, 0.01, 1000),
                 "Largest and first window, bandwidth-delay products (1.5: uet-htsim)");
    return tid;
}

Feedback
Smartt::GetNeededFeedback() const
{
    return Feedback::ECN_ECHO;
}

bool
Smartt::NeedsOnSent() const
{
    return false;
}

void
Smartt::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
    m_baseRtt = std::max(path.baseRtt, PicoSeconds(1));
    m_packetBytes = path.packetBytes != 0 ? path.packetBytes : path.mtuBytes;
    m_maxBytes = std::max(m_parameters->largestWindow * static_cast<double>(path.GetBdpBytes()),
                          m_packetBytes);
    m_bytes = m_maxBytes;
    m_fastWindow = m_bytes;
}

void
Smartt::OnAck(const AckEvent& ack)
{
    const auto bytes =
        static_cast<double>(ack.receivedBytes != 0 ? ack.receivedBytes : ack.ackedBytes);
    m_arrivedBytes += bytes;
    const double weight = m_parameters->averageWeight;
    m_marks = (1 - weight) * m_marks + weight * (ack.isCeEchoed ? 1 : 0);
    if (m_toIgnoreBytes > 0)
    {
        m_toIgnoreBytes -= bytes;
        return;
    }
    if (QuickAdapt(ack.inFlightBytes, ack.now) || !ack.hasRtt || bytes == 0)
    {
        return;
    }
    const Time rtt = std::max(ack.GetFabricTime(), PicoSeconds(1));
    const Time delay = rtt - m_baseRtt;
    if (!RaiseFast(bytes, delay, ack.isCeEchoed))
    {
        Move(bytes, GetPs(rtt), delay, ack.isCeEchoed);
    }
    m_bytes = std::clamp(m_bytes, m_packetBytes, m_maxBytes);
}

bool
Smartt::RaiseFast(double bytes, Time delay, bool isMarked)
{
    if (isMarked || delay >= m_parameters->fastLimit)
    {
        m_fastWindow = m_bytes;
        m_fastBytes = 0;
        return false;
    }
    m_fastBytes += bytes;
    if (m_fastBytes <= m_fastWindow)
    {
        return false;
    }
    m_bytes += m_parameters->fastPackets * m_packetBytes;
    return true;
}

void
Smartt::Move(double bytes, double rttPs, Time delay, bool isMarked)
{
    const double target = GetPs(m_baseRtt + m_parameters->targetDelay);
    const bool isLate = delay >= m_parameters->targetDelay;
    if (!isMarked)
    {
        if (!isLate)
        {
            m_bytes += std::min(bytes,
                                m_parameters->multiplicativeIncrease * m_packetBytes *
                                    (target - rttPs) * bytes / (m_bytes * rttPs));
        }
        m_bytes += m_parameters->fairIncrease * bytes * m_packetBytes / m_bytes;
        return;
    }
    if (m_marks <= m_parameters->waitToDecrease && m_parameters->waitToDecrease > 0)
    {
        return;
    }
    if (isLate)
    {
        m_bytes -=
            std::min(bytes,
                     m_parameters->multiplicativeDecrease * bytes * (rttPs - target) / rttPs);
    }
    m_bytes -= m_bytes * m_parameters->fairDecrease * bytes / m_maxBytes;
}

bool
Smartt::QuickAdapt(uint64_t inFlightBytes, Time now)
{
    if (now < m_checkAt)
    {
        return false;
    }
    const Time interval = m_baseRtt + m_parameters->targetDelay;
    const bool isFirst = m_checkAt.IsZero();
    // What has arrived in longer than an interval, per interval.
    const double share = isFirst ? 1 : GetPs(interval) / GetPs(now - m_checkAt + interval);
    const double arrived = m_arrivedBytes * share;
    m_arrivedBytes = 0;
    m_checkAt = now + interval;
    if (isFirst || !m_hasLoss)
    {
        return false;
    }
    m_bytes = std::clamp(arrived, m_packetBytes, m_maxBytes);
    m_toIgnoreBytes = static_cast<double>(inFlightBytes);
    m_hasLoss = false;
    return true;
}

void
Smartt::Lose(uint64_t bytes, uint64_t inFlightBytes, Time now)
{
    if (m_toIgnoreBytes > 0)
    {
        m_toIgnoreBytes -= static_cast<double>(bytes);
        return;
    }
    m_bytes = std::max(m_bytes - static_cast<double>(bytes), m_packetBytes);
    m_hasLoss = true;
    QuickAdapt(inFlightBytes, now);
}

void
Smartt::OnTrim(const TrimEvent& trim)
{
    Lose(trim.packetBytes, trim.inFlightBytes, trim.now);
}

void
Smartt::OnLoss(const LossEvent& loss)
{
    Lose(loss.lostBytes, loss.inFlightBytes, loss.now);
}

void
Smartt::OnTimeout(const LossEvent& loss)
{
    m_toIgnoreBytes = 0; // Answers to what was in flight are lost.
    Lose(loss.lostBytes, loss.inFlightBytes, loss.now);
}

SendLimit
Smartt::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = static_cast<uint64_t>(std::llround(m_bytes));
    return limit;
}

double
Smartt::GetWindow() const
{
    return m_bytes;
}

} // namespace ns3::rdma
