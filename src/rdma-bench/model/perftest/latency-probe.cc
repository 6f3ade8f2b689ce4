// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/latency-probe.h"

#include "ns3/psn.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return whether a count is ahead of another: reliable connections count modulo 2^24 (MSN).
bool
IsLater(uint64_t count, uint64_t other)
{
    return Psn(count) - Psn(other) > 0;
}
} // namespace

LatencyProbe::LatencyProbe(PerftestHost& client,
                           PerftestHost& server,
                           PerftestMeter& meter,
                           const PerftestOptions& options)
    : m_client(client),
      m_server(server),
      m_meter(meter),
      m_iterations(options.iterations),
      m_duration(options.duration),
      m_margin(options.margin),
      m_gap(options.latencyGap),
      m_isPingPong(options.kind.verb == PerftestVerb::WRITE ||
                   options.kind.verb == PerftestVerb::SEND)
{
    if (!m_isPingPong)
    {
        m_client.SetSentHandler([this](uint32_t, uint32_t) { OnEnd(); });
    }
    else if (options.ConsumesReceives())
    {
        m_client.SetReceivedHandler([this](uint32_t) { OnEnd(); });
        m_server.SetReceivedHandler([this](uint32_t) { AfterGap(&LatencyProbe::Answer); });
    }
}

void
LatencyProbe::Start()
{
    PostNext();
}

void
LatencyProbe::PollMemory()
{
    if (IsLater(m_server.GetArrived(0), m_answered))
    {
        ++m_answered;
        AfterGap(&LatencyProbe::Answer);
    }
    if (IsLater(m_client.GetArrived(0), m_ended))
    {
        OnEnd();
    }
}

bool
LatencyProbe::IsOver() const
{
    return m_duration > 0 ? Simulator::Now().GetPicoSeconds() >= m_duration
                          : m_posted.size() >= m_iterations;
}

bool
LatencyProbe::IsDone() const
{
    return IsOver() && m_ended == m_posted.size();
}

uint32_t
LatencyProbe::GetDivisor() const
{
    constexpr uint32_t HALF_ROUND_TRIP{2};
    return m_isPingPong ? HALF_ROUND_TRIP : 1;
}

LatencySummary
LatencyProbe::Summarize() const
{
    return SummarizeLatency(GetDifferences(m_posted), GetDivisor());
}

std::vector<double>
LatencyProbe::GetValues() const
{
    constexpr double PS_PER_US{1e6};
    std::vector<double> values;
    for (const Tick time : GetDifferences(m_posted))
    {
        values.push_back(static_cast<double>(time) / PS_PER_US / GetDivisor());
    }
    return values;
}

uint64_t
LatencyProbe::GetCount() const
{
    if (m_duration == 0)
    {
        return m_iterations;
    }
    const auto begin = std::upper_bound(m_posted.begin(), m_posted.end(), m_margin);
    const auto end = std::upper_bound(begin, m_posted.end(), m_duration - m_margin);
    return static_cast<uint64_t>(end - begin);
}

LatencyRate
LatencyProbe::SummarizeSample() const
{
    constexpr double PS_PER_US{1e6};
    constexpr double PS_PER_SECOND{1e12};
    const auto time = static_cast<double>(m_duration - 2 * m_margin);
    const auto count = static_cast<double>(GetCount());
    return {time / PS_PER_US / GetDivisor() / count, count * PS_PER_SECOND / time};
}

void
LatencyProbe::PostNext()
{
    if (!IsOver())
    {
        m_posted.push_back(Simulator::Now().GetPicoSeconds());
        m_client.Post(0);
    }
}

void
LatencyProbe::OnEnd()
{
    ++m_ended;
    m_meter.OnCompleted(1);
    AfterGap(&LatencyProbe::PostNext);
}

void
LatencyProbe::Answer()
{
    m_server.Post(0);
}

void
LatencyProbe::AfterGap(void (LatencyProbe::*post)())
{
    if (m_gap == 0)
    {
        (this->*post)();
    }
    else
    {
        Simulator::Schedule(PicoSeconds(m_gap), post, this);
    }
}

} // namespace ns3::rdma
