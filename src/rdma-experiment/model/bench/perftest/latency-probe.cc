// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/latency-probe.h"

#include "ns3/psn.h"
#include "ns3/simulator.h"

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
      m_isPingPong(options.kind.verb == PerftestVerb::WRITE ||
                   options.kind.verb == PerftestVerb::SEND)
{
    if (!m_isPingPong)
    {
        m_client.SetSentHandler([this](uint32_t, uint32_t) { OnEnd(); });
    }
    else if (options.kind.verb == PerftestVerb::SEND)
    {
        m_client.SetReceivedHandler([this](uint32_t) { OnEnd(); });
        m_server.SetReceivedHandler([this](uint32_t) { m_server.Post(0); });
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
        m_server.Post(0);
    }
    if (IsLater(m_client.GetArrived(0), m_ended))
    {
        OnEnd();
    }
}

bool
LatencyProbe::IsDone() const
{
    return m_ended == m_iterations;
}

LatencySummary
LatencyProbe::Summarize() const
{
    constexpr uint32_t HALF_ROUND_TRIP{2};
    return SummarizeLatency(GetDifferences(m_posted), m_isPingPong ? HALF_ROUND_TRIP : 1);
}

void
LatencyProbe::PostNext()
{
    if (m_posted.size() < m_iterations)
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
    PostNext();
}

} // namespace ns3::rdma
