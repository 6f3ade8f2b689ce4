// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simulation-run.h"

#include "ns3/calendar-size.h"
#include "ns3/entropy-selector.h"
#include "ns3/fabric-border.h"
#include "ns3/fabric-keys.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/flow-traffic.h"
#include "ns3/input-error.h"
#include "ns3/kernel-keys.h"
#include "ns3/link-loss-keys.h"
#include "ns3/link-policy-keys.h"
#include "ns3/link-rate-keys.h"
#include "ns3/network-view.h"
#include "ns3/pause-storm-keys.h"
#include "ns3/policy-error.h"
#include "ns3/receiver-control.h"
#include "ns3/run-design.h"
#include "ns3/run-driver.h"
#include "ns3/run-keys.h"
#include "ns3/run-stopped.h"
#include "ns3/scenario-builder.h"
#include "ns3/series-keys.h"
#include "ns3/server-loads.h"
#include "ns3/server-nics.h"
#include "ns3/simple-balancers.h"
#include "ns3/traffic-list.h"
#include "ns3/verbs-error.h"
#include "ns3/watched-client.h"
#include "ns3/window-loop.h"
#include "ns3/workload-keys.h"
#include "ns3/zero-time-watch.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr std::chrono::milliseconds PROGRESS_INTERVAL{50};

/// Events go on, simulated time does not.
[[noreturn]] void
FailAtZeroTime(FabricEngine& engine)
{
    constexpr uint32_t SAMPLE{10'000};
    const Tick now = engine.Now();
    throw std::runtime_error("simulated time stands still at " + DescribeTick(now) + ": " +
                             std::to_string(ZeroTimeWatch::MAX_EVENTS) +
                             " events without progress, most of them of " +
                             engine.FindBusiest(SAMPLE));
}

Ptr<FabricSimulatorImpl>
GetSimulator()
{
    return DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
}
} // namespace

SimulationRun::SimulationRun(const Scenario& scenario, const NicSpec& nic, RankGroup& ranks)
    : m_ownInput(std::make_unique<RunInput>(scenario)),
      m_input(*m_ownInput),
      m_scenario(scenario),
      m_nic(nic),
      m_ranks(ranks),
      m_trafficBefore(ranks.GetTraffic())
{
    Build();
}

SimulationRun::SimulationRun(PreparedScenario& prepared, const NicSpec& nic, RankGroup& ranks)
    : m_input(prepared.input),
      m_scenario(prepared.scenario),
      m_nic(nic),
      m_ranks(ranks),
      m_trafficBefore(ranks.GetTraffic())
{
    Build();
}

void
SimulationRun::Build()
{
    UseFabricSimulator();
    try
    {
        BuildFabric();
        BuildNics();
        Divide();
        PrepareSeries();
        m_linkChanges.emplace(m_scenario.linkEvents, m_scenario.run.seed, *m_fabric);
        StartClassCounters();
        m_pauseStorms = MakePauseStorms(m_scenario.pauseStorms, *m_fabric, [this](uint32_t id) {
            return IsHere(id);
        });
    }
    catch (...)
    {
        TakeDown(); // On ranks the next NIC runs in the same process.
        throw;
    }
}

SimulationRun::~SimulationRun()
{
    TakeDown();
}

void
SimulationRun::TakeDown()
{
    m_pauseStorms.clear();
    m_linkChanges.reset();
    m_kernels.Dispose();
    for (auto& nic : m_nics)
    {
        if (nic)
        {
            nic->Dispose();
        }
    }
    if (m_fabric)
    {
        m_fabric->Dispose();
    }
    Simulator::Destroy();
}

void
SimulationRun::BuildFabric()
{
    FabricConfig config = MakeFabricConfig(ChangeFabric(m_scenario, m_nic),
                                           m_scenario.run.seed,
                                           GetMaxFrame(m_scenario, m_nic));
    config.attributes = MakeFabricAttributes(m_scenario, m_nic);
    config.reducedRates = FindReducedRates(m_scenario.fabric.linkRates, m_input.GetTopology());
    config.linkPolicies = MakeLinkPolicies(m_scenario.fabric.links, m_input.GetTopology());
    m_fabric = CreateObject<Fabric>();
    m_fabric->Build(m_input.GetTopology(), config);
    if (m_ownInput)
    {
        m_ownInput->ShareTopology(m_fabric->GetGraph());
    }
    ApplyLinkLosses(m_scenario.fabric.losses, m_scenario.run.seed, *m_fabric);
}

void
SimulationRun::MakeDesigns()
{
    for (const DesignSpec* spec : GetDesigns(m_nic))
    {
        auto design = std::make_shared<const NicDesign>(MakeNicDesign(m_scenario, *spec));
        const auto nic = design->Create<RdmaNic>();
        const HeaderSizes headers = nic->GetHeaderSizes();
        const Tick baseRtt =
            m_fabric->GetMaxBaseRtt(headers.GetWriteFrame(false, nic->GetPathMtu()),
                                    headers.GetAckFrame());
        m_designs.push_back({spec, std::move(design), baseRtt, nullptr});
    }
}

SimulationRun::RunDesign&
SimulationRun::GetDesign(uint32_t server)
{
    const DesignSpec* const spec = FindDesign(m_scenario, m_nic, server);
    return *std::find_if(m_designs.begin(), m_designs.end(), [spec](const RunDesign& one) {
        return one.spec == spec;
    });
}

void
SimulationRun::BuildNics()
{
    MakeDesigns();
    const TopologyGraph& graph = m_fabric->GetGraph();
    m_nics.resize(graph.GetIdCount());
    for (const uint32_t server : graph.GetServers())
    {
        for (const std::vector<NicPort>& ports : FindNicPorts(*m_fabric, server))
        {
            BuildNic(server, ports);
        }
    }
}

void
SimulationRun::BuildNic(uint32_t server, const std::vector<NicPort>& ports)
{
    RunDesign& made = GetDesign(server);
    const Ptr<RdmaNic> nic = made.alike ? made.alike->Copy() : RdmaNic::Make(made.design);
    nic->Start(m_fabric->GetCore(), ports, made.baseRtt, m_scenario.run.seed);
    AddNic(m_fabric->GetNode(server), nic);
    for (const NicPort& port : ports)
    {
        m_nics[port.endpoint] = nic;
    }
    made.alike = nic;
    m_kernels.Deploy(server, nic, MakeKernels(m_scenario, server));
}

void
SimulationRun::Divide()
{
    const TopologyGraph& graph = m_fabric->GetGraph();
    const uint32_t ranks = m_ranks.GetCount();
    m_partition =
        MakePartition(m_scenario,
                      graph,
                      ranks,
                      ranks == 1 ? std::vector<double>() : EstimateServerLoads(m_input).bytes);
    if (ranks == 1)
    {
        return;
    }
    m_lookahead = GetLookahead(*m_fabric, *m_partition);
    if (m_lookahead <= 0)
    {
        throw InputError(m_scenario.file + ": $.fabric: expected links with a delay for " +
                         std::to_string(ranks) + " ranks, got some without");
    }
    m_outbox.emplace(ranks, WindowLoop::GetHeadBytes());
    OpenBorders(*m_fabric, *m_partition, *m_outbox);
    SizeCalendar(*m_fabric->GetCore().engine,
                 graph,
                 GetMaxFrame(m_scenario, m_nic),
                 [this](uint32_t id) { return IsHere(id); });
}

bool
SimulationRun::IsHere(uint32_t id) const
{
    return m_partition->GetRank(id) == m_ranks.GetRank();
}

void
SimulationRun::PrepareSeries()
{
    if (m_scenario.series)
    {
        m_seriesRequest = MakeSeriesRequest(m_scenario, m_fabric->GetGraph());
        m_seriesRequest.hasSpray &= HasFlights(m_scenario, m_nic);
        m_series.emplace(
            m_seriesRequest,
            *m_fabric,
            [this](uint32_t node) { return IsHere(node); },
            ToTick(m_scenario.run.fluidStart));
    }
}

void
SimulationRun::WriteSeries(const std::filesystem::path& folder)
{
    if (!m_series)
    {
        return;
    }
    m_ranks.CollectAtFirst([this](ByteBuffer& buffer) { m_series->Pack(buffer); },
                           [this](ByteReader& reader) { m_series->Unpack(reader); });
    m_ranks.Try([this, &folder] {
        if (m_ranks.GetRank() == 0)
        {
            m_series->Write(folder);
        }
    });
}

bool
SimulationRun::HasClasses() const
{
    return !ChangeFabric(m_scenario, m_nic).classes.empty();
}

void
SimulationRun::StartClassCounters()
{
    const std::size_t links = HasClasses() ? m_fabric->GetGraph().links.size() : 0;
    for (std::size_t link = 0; link < links; ++link)
    {
        m_fabric->GetLinkPort(link, 0).StartCounters();
        m_fabric->GetLinkPort(link, 1).StartCounters();
    }
}

Tick
SimulationRun::GetEndTime() const
{
    const auto last = GetLastTime(m_scenario);
    return last && !m_scenario.run.drain ? ToTick(*last) : TICK_NEVER;
}

namespace
{
/// @return whether packets of a queue pair may take several routes, or reports cover several.
bool
HasSeveralRoutes(const RdmaNic& nic)
{
    TypeIdValue selector;
    TypeIdValue receiver;
    nic.GetAttribute("EntropySelector", selector);
    nic.GetAttribute("ReceiverControl", receiver);
    return selector.Get() != EntropySelector::GetTypeId() ||
           receiver.Get() != ReceiverControl::GetTypeId();
}
} // namespace

bool
SimulationRun::IsIdealFctABound() const
{
    // The ideal is of one path per flow and an acknowledgment per packet: a short last packet may
    // overtake on another route.
    const std::string& balancer = GetLoadBalancer(m_scenario, m_nic);
    const bool acknowledgesEach = std::all_of(m_nics.begin(), m_nics.end(), [](const auto& nic) {
        return !nic || (nic->GetAckInterval() == 1 && !HasSeveralRoutes(*nic));
    });
    return m_scenario.linkEvents.empty() && acknowledgesEach &&
           (balancer.empty() || balancer == EcmpBalancer::GetTypeId().GetName());
}

TrafficContext
SimulationRun::MakeTrafficContext(FlowServices& services, const std::function<void()>& poll)
{
    TrafficContext context;
    context.fabric = PeekPointer(m_fabric);
    context.nics = &m_nics;
    context.kernels = &m_kernels;
    context.isHere = [this](uint32_t id) { return IsHere(id); };
    context.services = services.IsUsed() ? &services : nullptr;
    context.poll = poll;
    return context;
}

std::vector<FlowWorkloadSpec>
SimulationRun::MakeFlowWorkloads() const
{
    std::vector<FlowWorkloadSpec> specs;
    for (const auto& workload : m_scenario.workloads)
    {
        const WorkloadPlace& place = workload->GetPlace();
        FlowWorkloadSpec spec;
        spec.pathBase = workload->GetStreamKey();
        spec.start = ToTick(place.start);
        spec.end = place.end ? ToTick(*place.end) : TICK_NEVER;
        spec.memory = workload->GetFlowMemory();
        spec.operation = workload->GetFlowOperation();
        spec.trafficClass = workload->GetTrafficClass();
        spec.isMeasured = IsMeasured(*workload);
        specs.push_back(spec);
    }
    for (const auto& [workload, graph] : m_input.GetGraphs())
    {
        specs[workload].graph = graph;
    }
    return specs;
}

void
SimulationRun::CheckSlots(const FlowServices& services) const
{
    if (services.IsUsed() && !m_input.GetGraphs().empty())
    {
        throw InputError(m_scenario.file + ": $.kernels: expected no \"slots\" with flows that " +
                         "depend on others, whose queue pairs have none");
    }
}

FlowTrafficConfig
SimulationRun::MakeFlowConfig(FlowSource& source, std::vector<uint32_t> madeQueuePairs) const
{
    FlowTrafficConfig config;
    config.fabric = PeekPointer(m_fabric);
    config.nics = &m_nics;
    config.ranks = &m_ranks;
    config.partition = &*m_partition;
    config.source = &source;
    config.workloads = MakeFlowWorkloads();
    config.madeQueuePairs = std::move(madeQueuePairs);
    config.isAlone = m_scenario.workloads.size() == 1 && !HasTraffic(m_scenario);
    config.beginAt = ToTick(m_scenario.run.fluidStart);
    config.checksIdealFct = IsIdealFctABound();
    config.observer = m_observer;
    return config;
}

RunReport
SimulationRun::Run(FlowLog& log, const std::function<bool(const RunProgress&)>& onProgress)
{
    FlowSource* source = nullptr; // Null: there are no flows.
    m_ranks.Try([&] { source = m_input.StartRunFlows(); });
    FlowServices services(ListFlowServices(m_scenario), m_kernels);
    m_ranks.Try([&] { CheckSlots(services); });
    std::vector<WorkloadTraffic> traffic;
    auto lastReport = std::chrono::steady_clock::now();
    const auto poll = [&] {
        const auto now = std::chrono::steady_clock::now();
        if (now - lastReport >= PROGRESS_INTERVAL)
        {
            lastReport = now;
            if (!onProgress({}))
            {
                throw RunStopped();
            }
        }
    };
    TrafficContext context = MakeTrafficContext(services, poll);
    m_ranks.Try([&] { traffic = MakeTraffic(m_scenario, context); });
    if (!m_folder.empty())
    {
        rdma::StreamTo(m_folder, m_ranks.GetRank() == 0, traffic);
    }
    FabricCore& core = m_fabric->GetCore();
    const Tick begin = ToTick(m_scenario.run.fluidStart);
    log.MeasureFrom(begin);
    PrecisionWatch precision(m_scenario.run.precision,
                             begin + ToTick(m_scenario.run.warmup),
                             static_cast<uint32_t>(m_nics.size()),
                             m_fabric->GetGraph().GetServerCount());
    RunDriverConfig config;
    config.fabric = PeekPointer(m_fabric);
    config.ranks = &m_ranks;
    config.precision = &precision;
    config.series = m_series ? &*m_series : nullptr;
    config.stallLimit = ToTick(m_scenario.run.stallLimit);
    config.endAt = GetEndTime();
    // Windows of all runs are at most half a round trip long.
    Tick lookahead = std::max<Tick>(m_fabric->GetMaxBaseRtt(0, 0) / 2, 1);
    std::optional<FlowTraffic> flows;
    if (source)
    {
        FlowTrafficConfig flowConfig = MakeFlowConfig(*source, context.madeQueuePairs);
        flowConfig.noticeDelay = lookahead;
        flowConfig.precision = &precision;
        flowConfig.log = &log;
        flowConfig.services = services.IsUsed() ? &services : nullptr;
        config.traffic.push_back(&flows.emplace(flowConfig));
        lookahead = flows->GetLookahead();
    }
    for (const WorkloadTraffic& one : traffic)
    {
        config.traffic.push_back(one.traffic.get());
    }
    RunDriver driver(config);
    std::optional<WatchedClient> watched;
    if (m_watchPeriod)
    {
        const auto look = [this, &flows] {
            RunView view =
                MakeNetworkView(*m_fabric, [this](uint32_t node) { return IsHere(node); });
            view.flowsActive = flows ? flows->GetActive() : 0;
            view.ackedBytes = flows ? flows->MeasureProgress() : 0;
            return view;
        };
        watched.emplace(driver, m_ranks, look, *m_watchPeriod);
    }
    WindowClient& client = watched ? static_cast<WindowClient&>(*watched) : driver;
    WindowLoop loop(m_ranks, core, client, std::min(m_lookahead, lookahead));
    ZeroTimeWatch watch;
    // Ports, and queue pairs of the traffic: what may have events of its own at one time.
    const uint64_t units = std::accumulate(context.madeQueuePairs.begin(),
                                           context.madeQueuePairs.end(),
                                           uint64_t{2} * m_fabric->GetGraph().links.size());
    GetSimulator()->SetHeartbeat([&] {
        const uint64_t started = flows ? flows->GetStarted() : 0;
        const uint64_t done = flows ? flows->GetDone() : 0;
        if (watch.Look(core.engine->Now(),
                       Simulator::GetEventCount(),
                       core.packetHops + started + done,
                       units + started - done))
        {
            FailAtZeroTime(*core.engine);
        }
        const auto now = std::chrono::steady_clock::now();
        if (now - lastReport >= PROGRESS_INTERVAL)
        {
            lastReport = now;
            for (const WorkloadTraffic& one : traffic)
            {
                if (m_ranks.GetCount() == 1)
                {
                    one.traffic->WriteEnded();
                }
            }
            // The caller of the run has the number of flows: counting them again takes long.
            const WindowState& all = loop.GetState(); // Of other ranks, the latest there is.
            if (!onProgress({std::max(all.done, done),
                             0,
                             core.engine->Now(),
                             std::max(all.packetHops, core.packetHops),
                             watched ? watched->GetView() : RunView{}}))
            {
                Simulator::Stop();
            }
        }
    });
    RunLoop(driver, loop);
    GetSimulator()->SetHeartbeat(nullptr);
    driver.Finish();
    RunReport report = Collect(driver, flows ? &*flows : nullptr, loop);
    if (precision.IsOn() && m_ranks.GetRank() == 0)
    {
        report.precision = precision.GetReport(driver.GetEndTime());
    }
    AddTrafficParts(m_ranks, traffic, report);
    return report;
}

void
SimulationRun::RunLoop(RunDriver& driver, WindowLoop& loop) const
{
    try
    {
        driver.Start();
        loop.Run();
    }
    catch (const VerbsError& error)
    {
        throw InputError(m_scenario.file + ": " + GetWorkloadsPath(m_scenario) +
                         ": expected flows for which the NICs have room, got: " + error.what());
    }
}

} // namespace ns3::rdma
