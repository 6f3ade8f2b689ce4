// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-driver.h"

#include <algorithm>

namespace ns3::rdma
{

void
FlowDriver::OnWindow(const WindowState& all, Tick end)
{
    m_all = all;
    m_endTime = all.endTime;
    m_outbox.ForgetSent();
    for (const auto& workload : m_workloads)
    {
        workload->EndWindow(all, IsAlone());
    }
    m_precision.Forget();
    m_ledger.WriteBefore(end);
    if (m_config.traffic && m_config.ranks->GetRank() == 0)
    {
        m_config.traffic->WriteEnded();
    }
    if (m_hasSampled)
    {
        EndSample();
    }
}

Tick
FlowDriver::GetSampleTime() const
{
    return m_config.series && !m_isSamplingOver ? m_config.series->GetNextTime() : TICK_NEVER;
}

void
FlowDriver::Sample()
{
    std::vector<FlowUnderWay> flows;
    for (const ActiveFlow& flow : m_flows)
    {
        if (flow.isActive && m_config.series->HasFlows())
        {
            // A shared queue pair exists since the start of the run.
            const Tick posted = std::max<Tick>(flow.arrival.startPs, m_config.limits.beginAt);
            flows.push_back({GetWorkload(flow.number).GetFirstNumber(flow.number),
                             flow.arrival.src,
                             flow.arrival.dst,
                             flow.isShared ? 0 : posted,
                             GetNic(flow.ends.src).FindQueuePair(flow.srcQp)->requester});
        }
    }
    m_config.series->Sample(flows);
    m_hasSampled = true;
}

void
FlowDriver::EndSample()
{
    // Decided from the state of all ranks at the time of the sample, so that all ranks agree.
    m_hasSampled = false;
    m_config.series->EndSample(m_all.packetHops == m_hopsAtSample);
    m_hopsAtSample = m_all.packetHops;
    m_isSamplingOver = m_all.done == m_all.started && !HasMore(m_all);
}

void
FlowDriver::SkipIdle(const WindowState& all)
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
FlowDriver::GetDecisionTime() const
{
    return m_decider.GetNextTime();
}

bool
FlowDriver::HasMore(const WindowState& all) const
{
    const bool hasOperations =
        std::any_of(m_workloads.begin(), m_workloads.end(), [](const auto& workload) {
            const FlowSchedule* const graph = workload->GetSchedule();
            return graph && graph->MayStartMore(workload->GetState());
        });
    return hasOperations || m_starter.MayStartMore(all) ||
           (m_config.traffic && all.nextWork != TICK_NEVER && all.now < m_config.traffic->GetEnd());
}

bool
FlowDriver::Decide(const WindowState& all)
{
    const bool goesOn = m_decider.Decide(all, HasMore(all));
    m_endTime = goesOn ? m_endTime : m_decider.GetEnd();
    return goesOn;
}

} // namespace ns3::rdma
