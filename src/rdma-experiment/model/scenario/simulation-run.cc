// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simulation-run.h"

#include "ns3/config.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/flow-driver.h"
#include "ns3/nic-presets.h"
#include "ns3/scenario-builder.h"
#include "ns3/string.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr std::chrono::milliseconds PROGRESS_INTERVAL{50};

void
SetDefault(const std::string& attribute, const std::string& value)
{
    Config::SetDefault(attribute, StringValue(value));
}

Ptr<FabricSimulatorImpl>
GetSimulator()
{
    return DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
}
} // namespace

SimulationRun::SimulationRun(const Scenario& scenario,
                             const NicSpec& nic,
                             std::vector<ServerNic> others)
    : m_scenario(scenario),
      m_nic(nic),
      m_others(std::move(others)),
      m_isPfcEnabled(scenario.fabric.pfc.value_or(FindNicPreset(nic.preset)->needsPfc))
{
    UseFabricSimulator();
    SetAttributes(nic);
    BuildFabric();
    BuildNics();
    ScheduleLinkEvents();
}

SimulationRun::~SimulationRun()
{
    for (auto& nic : m_nics)
    {
        if (nic)
        {
            nic->Dispose();
        }
    }
    m_fabric->Dispose();
    Simulator::Destroy();
    Config::Reset(); // The next run in this process starts from the classes' own defaults.
}

void
SimulationRun::SetAttributes(const NicSpec& nic) const
{
    const FabricSpec& fabric = m_scenario.fabric;
    SetDefault("ns3::rdma::FabricSwitch::PfcEnabled", m_isPfcEnabled ? "true" : "false");
    SetDefault("ns3::rdma::FabricSwitch::BufferSize", std::to_string(fabric.bufferBytes));
    SetDefault("ns3::rdma::RdmaNic::PathMtu", std::to_string(fabric.mtuBytes));
    if (!fabric.loadBalancer.empty())
    {
        SetDefault("ns3::rdma::FabricSwitch::LoadBalancer", fabric.loadBalancer);
    }
    for (const auto& [attribute, value] : nic.attributes)
    {
        SetDefault(attribute, value);
    }
}

const NicSpec&
SimulationRun::GetNic(uint32_t server) const
{
    const auto isMeant = [server](const ServerNic& other) { return other.node == server; };
    const auto other = std::find_if(m_others.begin(), m_others.end(), isMeant);
    return other == m_others.end() ? m_nic : *other->nic;
}

void
SimulationRun::BuildFabric()
{
    const TopologyGraph graph = MakeTopology(m_scenario);
    const auto headers = CreateObject<RdmaNic>()->GetHeaderSizes();
    const uint32_t maxFrameBytes = headers.GetWriteFrame(true, m_scenario.fabric.mtuBytes);
    m_fabric = CreateObject<Fabric>();
    m_fabric->Build(graph, MakeFabricConfig(m_scenario, maxFrameBytes));
}

void
SimulationRun::BuildNics()
{
    const TopologyGraph& graph = m_fabric->GetGraph();
    m_nics.resize(graph.isSwitch.size());
    Tick baseRtt = 0;
    const NicSpec* previous = &m_nic;
    for (const uint32_t server : graph.GetServers())
    {
        const NicSpec& spec = GetNic(server);
        if (&spec != previous)
        {
            Config::Reset(); // What the previous NIC sets and this one does not.
            SetAttributes(spec);
            previous = &spec;
        }
        auto nic = CreateObject<RdmaNic>();
        if (baseRtt == 0)
        {
            const HeaderSizes& headers = nic->GetHeaderSizes();
            baseRtt = m_fabric->GetMaxBaseRtt(headers.GetWriteFrame(false, nic->GetPathMtu()),
                                              headers.GetAckFrame());
        }
        m_fabric->GetNodes().Get(server)->AggregateObject(nic);
        nic->SetSeed(m_scenario.run.seed);
        nic->Start(m_fabric->GetCore(), m_fabric->GetServerDevice(server), server, baseRtt);
        m_nics[server] = nic;
    }
}

void
SimulationRun::ScheduleLinkEvents()
{
    for (const LinkEvent& event : m_scenario.linkEvents)
    {
        Simulator::Schedule(event.at, [this, &event] { ChangeLinks(event); });
    }
}

void
SimulationRun::ChangeLinks(const LinkEvent& event)
{
    const auto& links = m_fabric->GetGraph().links;
    for (std::size_t link = 0; link < links.size(); ++link)
    {
        const auto ends = std::minmax(links[link].a, links[link].b);
        if (ends == std::minmax(event.a, event.b))
        {
            m_fabric->SetLinkUp(link, event.isUp);
        }
    }
}

Tick
SimulationRun::GetEndTime() const
{
    if (m_scenario.run.drain)
    {
        return TICK_NEVER;
    }
    // Only Poisson arrivals have a time of their own; others end with their last flow.
    return m_scenario.workload.type == "poisson" ? ToTick(m_scenario.workload.duration)
                                                 : TICK_NEVER;
}

bool
SimulationRun::IsIdealFctABound() const
{
    // The ideal knows one path per flow and an acknowledgment per packet.
    const std::string& balancer = m_scenario.fabric.loadBalancer;
    const auto nic =
        std::find_if(m_nics.begin(), m_nics.end(), [](const auto& one) { return one != nullptr; });
    return m_scenario.linkEvents.empty() && (*nic)->GetAckInterval() == 1 &&
           (balancer.empty() || balancer == EcmpBalancer::GetTypeId().GetName());
}

RunReport
SimulationRun::Run(FlowLog& log, const std::function<bool(const RunProgress&)>& onProgress)
{
    const auto source = MakeFlowSource(m_scenario, m_fabric->GetGraph());
    FlowDriver driver({PeekPointer(m_fabric),
                       &m_nics,
                       source.get(),
                       &log,
                       ToTick(m_scenario.run.stallLimit),
                       GetEndTime(),
                       IsIdealFctABound()});
    bool isStopped = false;
    auto lastAsked = std::chrono::steady_clock::now();
    GetSimulator()->SetHeartbeat([&] {
        const auto now = std::chrono::steady_clock::now();
        if (now - lastAsked >= PROGRESS_INTERVAL)
        {
            lastAsked = now;
            const FabricCore& core = m_fabric->GetCore();
            // Who starts the run knows how many flows there are: counting them again takes long.
            isStopped = !onProgress({driver.GetDone(), 0, core.engine->Now(), core.packetHops});
            if (isStopped)
            {
                Simulator::Stop();
            }
        }
    });
    driver.Start();
    Simulator::Run();
    GetSimulator()->SetHeartbeat(nullptr);
    const bool isComplete = driver.IsComplete();
    driver.Finish();
    RunReport report = Report(driver, isStopped);
    if (isComplete)
    {
        CheckAllIsGone(report);
    }
    return report;
}

Fabric&
SimulationRun::GetFabric()
{
    return *m_fabric;
}

RunReport
SimulationRun::Report(const FlowDriver& driver, bool isStopped) const
{
    const FabricCore& core = m_fabric->GetCore();
    RunReport report;
    report.flowsStarted = driver.GetStarted();
    report.isPartial = isStopped;
    for (std::size_t reason = 0; reason < DROP_REASONS; ++reason)
    {
        const auto dropReason = static_cast<DropReason>(reason);
        report.drops[GetDropReasonName(dropReason)] = core.drops.Get(dropReason);
    }
    for (const auto& nic : m_nics)
    {
        report.cnps += nic ? nic->GetStats().cnpsSent : 0;
    }
    report.ecnMarks = core.ecnMarks;
    report.pfcPauses = core.pfcPauses;
    report.retransmitted = driver.GetRetransmitted();
    report.timeouts = driver.GetTimeouts();
    report.packetHops = core.packetHops;
    report.events = Simulator::GetEventCount();
    report.simulatedPs = driver.GetEndTime();
    report.hosts = ReportHosts(report.simulatedPs);
    report.violations = driver.GetViolations();
    if (core.losslessDrops != 0)
    {
        report.violations.push_back(
            std::to_string(core.losslessDrops) +
            " frames of a lossless priority were dropped for want of buffer");
    }
    return report;
}

std::vector<HostRecord>
SimulationRun::ReportHosts(Tick duration) const
{
    std::vector<HostRecord> hosts;
    for (std::size_t server = 0; server < m_nics.size(); ++server)
    {
        const NicHardware* hardware = m_nics[server] ? m_nics[server]->GetHardware() : nullptr;
        if (!hardware)
        {
            continue;
        }
        const PcieStats& pcie = hardware->GetPcie().GetStats();
        const auto slowTask = static_cast<std::size_t>(CpuTask::RETRANSMISSION);
        const Tick slowTime = hardware->GetCpu().GetStats().busy[slowTask];
        const SlowPathStats& slow = m_nics[server]->GetSlowPathStats();
        HostRecord host;
        host.server = static_cast<uint32_t>(server);
        host.cpuCores = hardware->GetCpu().GetUtilisation(duration);
        host.softwareCores =
            duration > 0 ? static_cast<double>(slowTime) / static_cast<double>(duration) : 0;
        host.pcieUpBytes = std::accumulate(pcie.upBytes.begin(), pcie.upBytes.end(), uint64_t{0});
        host.pcieDownBytes =
            std::accumulate(pcie.downBytes.begin(), pcie.downBytes.end(), uint64_t{0});
        host.contextHits = hardware->GetContextCache().GetStats().hits;
        host.contextMisses = hardware->GetContextCache().GetStats().misses;
        host.wqesFetched = hardware->GetWqeFetcher().GetStats().fetched;
        host.wqesDropped = hardware->GetWqeFetcher().GetStats().dropped;
        host.softwarePackets = hardware->OnloadsBitmaps() ? slow.metadata + slow.answers : 0;
        hosts.push_back(host);
    }
    return hosts;
}

void
SimulationRun::CheckAllIsGone(RunReport& report) const
{
    const FabricCore& core = m_fabric->GetCore();
    if (core.pool.GetInUse() != 0)
    {
        report.violations.push_back(std::to_string(core.pool.GetInUse()) +
                                    " frames are neither delivered nor dropped");
    }
    for (uint32_t node = 0; node < m_nics.size(); ++node)
    {
        const auto fabricSwitch = m_fabric->GetSwitch(node);
        if (fabricSwitch && fabricSwitch->GetBuffer().GetTotalUsed() != 0)
        {
            report.violations.push_back("switch " + std::to_string(node) + " still holds " +
                                        std::to_string(fabricSwitch->GetBuffer().GetTotalUsed()) +
                                        " bytes");
        }
    }
}

} // namespace ns3::rdma
