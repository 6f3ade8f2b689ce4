// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-driver.h"

#include "ns3/flow-under-way.h"

#include <algorithm>

namespace ns3::rdma
{

RunDriver::RunDriver(const RunDriverConfig& config)
    : m_config(config),
      m_decider(*config.precision,
                config.stallLimit,
                config.fabric->GetCore().engine->Now(),
                config.endAt,
                [this] { return !FindPausedPorts().empty(); })
{
}

void
RunDriver::Start()
{
    for (RunTraffic* traffic : m_config.traffic)
    {
        traffic->Start();
    }
}

bool
RunDriver::IsComplete() const
{
    return m_all.done == m_all.started &&
           std::all_of(m_config.traffic.begin(),
                       m_config.traffic.end(),
                       [](const RunTraffic* traffic) { return traffic->IsAllStarted(); });
}

void
RunDriver::Finish()
{
    const bool isStalled = m_decider.IsStalled();
    const bool hasOnlyPauses = m_all.nextTime != TICK_NEVER && m_all.nextWork == TICK_NEVER;
    if (isStalled || hasOnlyPauses)
    {
        m_pauseCycle = FindPausedPorts();
    }
    if (!m_decider.IsDecided() && !IsComplete())
    {
        m_endTime = m_all.now; // Stopped on request, or the other operations depend on failed ones.
    }
    if (m_config.series && MayLeavePackets() && m_all.nextTime == TICK_NEVER &&
        m_all.packetHops != m_hopsAtSample)
    {
        m_config.series->SkipTo(m_all.now); // No event is left.
        Sample();
    }
    for (RunTraffic* traffic : m_config.traffic)
    {
        traffic->Finish(isStalled, m_endTime);
    }
}

std::vector<PausedPort>
RunDriver::FindPausedPorts()
{
    std::vector<PausedPort> cycle;
    // Switches of other ranks hold no frames here.
    const auto waits = m_config.ranks->ShareAll(FindPauseWaits(*m_config.fabric));
    for (const PortClass& port : FindPauseCycle(waits))
    {
        cycle.push_back(NamePort(*m_config.fabric, port));
    }
    return cycle;
}

WindowState
RunDriver::GetState(bool isDue) const
{
    WindowState state;
    for (const RunTraffic* traffic : m_config.traffic)
    {
        traffic->AddTo(state, isDue);
    }
    return state;
}

void
RunDriver::Pack(uint32_t rank, ByteBuffer& buffer)
{
    for (RunTraffic* traffic : m_config.traffic)
    {
        traffic->Pack(rank, buffer);
    }
}

void
RunDriver::Unpack(ByteReader& reader)
{
    for (RunTraffic* traffic : m_config.traffic)
    {
        traffic->Unpack(reader);
    }
}

void
RunDriver::OnWindow(const WindowState& all, Tick end)
{
    m_all = all;
    m_endTime = all.endTime;
    for (RunTraffic* traffic : m_config.traffic)
    {
        traffic->OnWindow(all, end);
        if (m_config.ranks->GetRank() == 0)
        {
            traffic->WriteEnded();
        }
    }
    if (m_hasSampled)
    {
        EndSample();
    }
}

Tick
RunDriver::GetSampleTime() const
{
    return m_config.series && !m_isSamplingOver ? m_config.series->GetNextTime() : TICK_NEVER;
}

void
RunDriver::Sample()
{
    SeriesInput input;
    input.delivered.resize(m_config.series->GetGoodputWorkloads(), 0);
    for (const RunTraffic* traffic : m_config.traffic)
    {
        if (m_config.series->HasFlows())
        {
            traffic->ListFlows(input.flows);
        }
        if (!input.delivered.empty())
        {
            traffic->AddDelivered(input.delivered);
        }
    }
    m_config.series->Sample(input);
    m_hasSampled = true;
}

void
RunDriver::EndSample()
{
    // Decided from the state of all ranks at the time of the sample, so that all ranks agree.
    m_hasSampled = false;
    m_config.series->EndSample(m_all.packetHops == m_hopsAtSample);
    m_hopsAtSample = m_all.packetHops;
    m_isSamplingOver = m_all.done == m_all.started && !HasMore(m_all) && !MayLeavePackets();
}

bool
RunDriver::MayLeavePackets() const
{
    return std::any_of(m_config.traffic.begin(),
                       m_config.traffic.end(),
                       [](const RunTraffic* traffic) { return traffic->MayLeavePackets(); });
}

void
RunDriver::SkipIdle(const WindowState& all)
{
    if (all.done == all.started)
    {
        m_decider.SkipIdle(all.nextTime);
    }
    // With several ranks there are windows between two samples: frames may have moved in them.
    if (m_config.series && all.packetHops == m_hopsAtSample)
    {
        m_config.series->SkipIdle(all.nextTime);
    }
}

Tick
RunDriver::GetDecisionTime() const
{
    return m_decider.GetNextTime();
}

bool
RunDriver::HasMore(const WindowState& all) const
{
    return std::any_of(m_config.traffic.begin(),
                       m_config.traffic.end(),
                       [&all](const RunTraffic* traffic) { return traffic->MayStartMore(all); });
}

bool
RunDriver::Decide(const WindowState& all)
{
    const bool goesOn = m_decider.Decide(all, HasMore(all));
    m_endTime = goesOn ? m_endTime : m_decider.GetEnd();
    return goesOn;
}

} // namespace ns3::rdma
