// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-simulator-impl.h"
#include "ns3/flow-traffic.h"
#include "ns3/peak-memory.h"
#include "ns3/run-driver.h"
#include "ns3/simulation-run.h"
#include "ns3/window-loop.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return a line if congestion control got no mark although there was congestion; else nothing.
std::optional<std::string>
FindIdleControl(const RunReport& report, const RdmaNic& nic)
{
    const auto full = report.drops.find(GetDropReasonName(DropReason::BUFFER_FULL));
    const uint64_t drops = full == report.drops.end() ? 0 : full->second;
    if (nic.GetFeedback() == Feedback::NONE || nic.GetFeedback() == Feedback::INT ||
        report.ecnMarks > 0 || report.trims > 0 || report.pfcPauses + drops == 0)
    {
        return std::nullopt;
    }
    TypeIdValue control;
    nic.GetAttribute("CongestionControl", control);
    return control.Get().GetName() + " never acted: no packet was marked (fabric.ecn), with " +
           std::to_string(report.pfcPauses) + " PFC pauses and " + std::to_string(drops) +
           " packets dropped by full buffers";
}

} // namespace

RunReport
SimulationRun::Collect(const RunDriver& driver,
                       const FlowTraffic* flows,
                       const WindowLoop& loop) const
{
    PartialReport own = Report(driver, flows);
    own.counts.isPartial = loop.GetState().isStopped;
    const RankTraffic& traffic = m_ranks.GetTraffic();
    own.rank = {own.counts.events,
                loop.GetWindows(),
                traffic.bytes - m_trafficBefore.bytes,
                loop.GetTimes().computeSeconds,
                loop.GetTimes().waitSeconds,
                loop.GetTimes().exchangeSeconds,
                GetPeakRssBytes()};
    if (driver.IsComplete() && loop.GetState().nextTime == TICK_NEVER)
    {
        CheckAllIsGone(own);
    }
    std::vector<PartialReport> parts{own};
    m_ranks.CollectAtFirst(parts);
    if (m_ranks.GetRank() != 0)
    {
        RunReport nothing;
        nothing.isPartial = own.counts.isPartial;
        return nothing;
    }
    RunReport report = MergeReports(parts, GetWorkloadNames(m_scenario));
    report.notes = DescribeUnused(parts, report);
    report.pauseCycle = driver.GetPauseCycle();
    report.fluidUntilPs = m_scenario.run.fluidStart.GetPicoSeconds();
    return report;
}

PartialReport
SimulationRun::Report(const RunDriver& driver, const FlowTraffic* flows) const
{
    const FabricCore& core = m_fabric->GetCore();
    PartialReport partial;
    RunReport& report = partial.counts;
    report.flowsStartedByWorkload.assign(m_scenario.workloads.size(), 0);
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    // What all ranks do alike counts once: arrivals, and ns-3's own events, as of links.
    uint64_t shared = simulator->GetNs3EventCount() + m_linkChanges->GetEventCount();
    FlowTotals totals;
    if (flows)
    {
        report.flowsStarted = flows->GetStarted();
        report.flowsStartedByWorkload = flows->CountStartedByWorkload();
        shared += flows->GetSharedEvents();
        totals = flows->GetTotals();
        partial.violations = flows->GetViolations();
    }
    for (std::size_t reason = 0; reason < DROP_REASONS; ++reason)
    {
        const auto dropReason = static_cast<DropReason>(reason);
        const uint64_t count = core.drops.Get(dropReason);
        // Only few fabrics trim or have a watchdog.
        const bool isRare =
            dropReason == DropReason::TRIMMED || dropReason == DropReason::PAUSE_STORM;
        if (count > 0 || !isRare)
        {
            report.drops[GetDropReasonName(dropReason)] = count;
        }
    }
    const uint64_t events = Simulator::GetEventCount() - (m_ranks.GetRank() == 0 ? 0 : shared);
    const CounterSource source{core, m_nics, totals, events};
    for (const RunCounter& counter : GetRunCounters())
    {
        report.*counter.value = counter.read(source);
    }
    report.simulatedPs = driver.GetEndTime();
    report.classes = CountClasses();
    partial.hosts = ReportHosts(report.simulatedPs);
    partial.losslessDrops = core.losslessDrops;
    partial.unusedLosses = FindUnusedLosses();
    return partial;
}

std::vector<ClassTotals>
SimulationRun::CountClasses() const
{
    std::vector<ClassTotals> totals(HasClasses() ? PRIORITIES : 0);
    const std::vector<GraphLink>& links = m_fabric->GetGraph().links;
    const Tick now = m_fabric->GetCore().engine->Now();
    for (std::size_t end = 0; !totals.empty() && end < 2 * links.size(); ++end)
    {
        const GraphLink& link = links[end / 2];
        const FabricPort& port = m_fabric->GetLinkPort(end / 2, end % 2);
        if (!IsHere(end % 2 == 0 ? link.a : link.b))
        {
            continue;
        }
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            const PortClassCounters& counters = port.GetCounters()->classes[number];
            totals[number].sentBytes += counters.sentBytes;
            totals[number].marks += counters.marks;
            totals[number].fabricDrops += counters.drops - counters.discards;
            totals[number].nicDiscards += counters.discards;
            totals[number].pausedPs += static_cast<uint64_t>(port.GetPausedTime(number, now));
        }
    }
    return totals;
}

std::map<uint32_t, std::string>
SimulationRun::FindUnusedLosses() const
{
    std::map<uint32_t, std::string> unused;
    const std::vector<GraphLink>& links = m_fabric->GetGraph().links;
    for (uint32_t number = 0; number < 2 * links.size(); ++number)
    {
        const GraphLink& link = links[number / 2];
        const LossModel* model = m_fabric->GetLinkPort(number / 2, number % 2).GetLossModel();
        if (!model || !IsHere(number % 2 == 0 ? link.a : link.b))
        {
            continue;
        }
        if (const std::string what = model->FindUnused(); !what.empty())
        {
            unused[number] = what;
        }
    }
    return unused;
}

std::vector<std::string>
SimulationRun::DescribeUnused(const std::vector<PartialReport>& parts,
                              const RunReport& report) const
{
    std::vector<std::string> notes;
    const auto isNic = [](const Ptr<RdmaNic>& nic) { return nic != nullptr; };
    const auto nic = std::find_if(m_nics.begin(), m_nics.end(), isNic);
    if (nic != m_nics.end())
    {
        if (auto idle = FindIdleControl(report, **nic))
        {
            notes.push_back(std::move(*idle));
        }
    }
    std::map<uint32_t, std::string> unused;
    for (const PartialReport& part : parts)
    {
        unused.insert(part.unusedLosses.begin(), part.unusedLosses.end());
    }
    for (const auto& [number, what] : unused)
    {
        const GraphLink& link = m_fabric->GetGraph().links[number / 2];
        const uint32_t from = number % 2 == 0 ? link.a : link.b;
        const uint32_t to = number % 2 == 0 ? link.b : link.a;
        notes.push_back("link from node " + std::to_string(from) + " to node " +
                        std::to_string(to) + ": " + what);
    }
    return notes;
}

bool
SimulationRun::IsFirstPort(uint32_t endpoint) const
{
    return m_nics[endpoint]->GetEndpoint() == endpoint;
}

std::vector<HostRecord>
SimulationRun::ReportHosts(Tick duration) const
{
    std::vector<HostRecord> hosts;
    for (const uint32_t id : m_fabric->GetGraph().GetEndpoints())
    {
        const NicHardware* hardware = m_nics[id]->GetHardware();
        if (!hardware || !IsHere(id) || !IsFirstPort(id))
        {
            continue;
        }
        const PcieStats& pcie = hardware->GetPcie().GetStats();
        const auto slowTask = static_cast<std::size_t>(CpuTask::RETRANSMISSION);
        const Tick slowTime = hardware->GetCpu().GetStats().busy[slowTask];
        HostRecord host;
        host.server = m_fabric->GetGraph().GetEndpoint(id).server;
        host.nic = m_fabric->GetGraph().GetEndpoint(id).nic;
        host.cpuCores = hardware->GetCpu().GetUtilisation(duration);
        host.softwareCores =
            duration > 0 ? static_cast<double>(slowTime) / static_cast<double>(duration) : 0;
        host.pcieUpBytes = std::accumulate(pcie.upBytes.begin(), pcie.upBytes.end(), uint64_t{0});
        host.pcieDownBytes =
            std::accumulate(pcie.downBytes.begin(), pcie.downBytes.end(), uint64_t{0});
        host.contextHits = hardware->GetContextCache().GetStats().hits;
        host.contextMisses = hardware->GetContextCache().GetStats().misses;
        host.gpuPageMisses = hardware->GetGpuPath().GetCacheStats().misses;
        host.wqesFetched = hardware->GetWqeFetcher().GetStats().fetched;
        host.wqesDropped = hardware->GetWqeFetcher().GetStats().dropped;
        for (uint32_t port = 0; port < m_nics[id]->GetPortCount(); ++port)
        {
            const SlowPathStats& slow = m_nics[id]->GetSlowPathStats(port);
            host.softwarePackets += hardware->OnloadsBitmaps() ? slow.metadata + slow.answers : 0;
        }
        hosts.push_back(host);
    }
    return hosts;
}

void
SimulationRun::CheckAllIsGone(PartialReport& report) const
{
    report.framesLeft = m_fabric->GetCore().pool.GetInUse();
    for (uint32_t node = 0; node < m_fabric->GetGraph().isSwitch.size(); ++node)
    {
        const auto fabricSwitch = m_fabric->GetSwitch(node);
        if (fabricSwitch && fabricSwitch->GetBuffer().GetTotalUsed() != 0)
        {
            report.bytesLeft[node] = fabricSwitch->GetBuffer().GetTotalUsed();
        }
    }
}

} // namespace ns3::rdma
