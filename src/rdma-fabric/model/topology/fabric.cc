// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric.h"

#include "ns3/bdp-share.h"
#include "ns3/boolean.h"
#include "ns3/calendar-size.h"
#include "ns3/double.h"
#include "ns3/loss-models.h"
#include "ns3/node.h"
#include "ns3/register-type.h"
#include "ns3/route-computation.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(Fabric, Object, "RdmaFabric");

namespace
{
/// First numbers of random streams, such that consumers of different kinds share no stream.
constexpr uint64_t LOSS_STREAMS{uint64_t{1} << 40};
constexpr uint64_t SWITCH_STREAMS{uint64_t{2} << 40};
constexpr uint64_t STREAMS_PER_SWITCH{uint64_t{1} << 17};
/// Answer in FabricScale::baseRtt: the header of Ultra Ethernet's public simulator (uet-htsim). A
/// RoCE v2 acknowledgment has 62 bytes.
constexpr uint32_t SHORT_ANSWER_BYTES{64};

template <typename Value>
Value
FindOr(const std::map<uint64_t, Value>& table, uint64_t bitRate, Value fallback)
{
    const auto entry = table.find(bitRate);
    return entry == table.end() ? fallback : entry->second;
}

/// @return thresholds in proportion to the rate of the port. UINT64_MAX (no marking) remains.
EcnProfile
ReduceEcn(EcnProfile profile, const FabricPort& port)
{
    for (uint64_t* bytes : {&profile.kminBytes, &profile.kmaxBytes})
    {
        *bytes = *bytes == UINT64_MAX ? UINT64_MAX : ReduceToRate(*bytes, port);
    }
    return profile;
}

/// @return the headroom of a port for each lossless priority. Without PFC nothing is sent after a
/// pause: only a headroom that the configuration has is set aside.
uint64_t
FindHeadroom(const FabricConfig& config, const FabricSwitch& settings, DataRate rate, Tick delay)
{
    BooleanValue hasPfc;
    settings.GetAttribute("PfcEnabled", hasPfc);
    const uint64_t bitRate = rate.GetBitRate();
    return FindOr(config.headroom,
                  bitRate,
                  hasPfc.Get() ? Fabric::GetDefaultHeadroom(bitRate, delay, config.maxFrameBytes)
                               : 0);
}
} // namespace

Fabric::Fabric()
    : m_core(std::make_shared<FabricCore>())
{
    m_core->engine = FabricEngine::Get();
    m_core->engine->SetArgumentMemory(m_core->pool.GetBase(), sizeof(Frame), FramePool::MAX_FRAMES);
}

Fabric::~Fabric() = default;

void
Fabric::DoDispose()
{
    for (auto& fabricSwitch : m_switches)
    {
        if (fabricSwitch)
        {
            fabricSwitch->Dispose();
        }
    }
    m_switches.clear();
    for (auto& channel : m_links)
    {
        channel->Dispose();
    }
    m_core->paths = nullptr;
    m_links.clear();
    m_linkPorts.clear();
    for (uint32_t node = 0; node < m_nodes.GetN(); ++node)
    {
        m_nodes.Get(node)->Dispose();
    }
    m_nodes = NodeContainer();
    m_devices.clear();
    Object::DoDispose();
}

void
Fabric::Build(const TopologyGraph& graph, const FabricConfig& config)
{
    m_graph = graph;
    m_core->paths = this;
    m_core->overheadBytes = config.hasEthernetOverhead ? 24 : 0;
    m_core->minimumBytes = config.hasEthernetOverhead ? 60 : 0;

    SizeCalendar(*m_core->engine, graph, config.maxFrameBytes, [](uint32_t) { return true; });
    m_core->endpoints = graph.MakeEndpointMap();
    m_core->oversubscription = graph.FindOversubscription();
    m_core->destinations.Start(*m_core->engine, graph.GetIdCount());
    m_nodes.Create(static_cast<uint32_t>(graph.isSwitch.size()));
    m_devices.resize(graph.GetIdCount());
    m_neighbors.resize(graph.GetIdCount());
    m_isLinkUp.assign(graph.links.size(), true);
    BuildLinks(config);
    AddSchedulers(config);
    AddLinkPolicies(config);
    SetHeads(config);
    ListPorts();
    BuildSwitches(config);
}

void
Fabric::BuildLinks(const FabricConfig& config)
{
    Ptr<FabricDevice> first;
    const auto addDevice = [this, &config, &first](uint32_t id) {
        const auto number = static_cast<uint16_t>(m_devices[id].size());
        const Ptr<FabricDevice> device =
            first ? first->MakeAlike(id, number) : CreateObject<FabricDevice>(m_core, id, number);
        if (!first)
        {
            config.attributes.ApplyTo(*device);
            first = device;
        }
        GetNode(id)->AddDevice(device);
        m_devices[id].push_back(device);
        return device;
    };
    for (std::size_t index = 0; index < m_graph.links.size(); ++index)
    {
        const GraphLink& link = m_graph.links[index];
        auto a = addDevice(link.a);
        auto b = addDevice(link.b);
        m_neighbors[link.a].push_back(link.b);
        m_neighbors[link.b].push_back(link.a);
        m_links.push_back(FabricChannel::Connect(a, b, link.rate, link.delay));
        m_linkPorts.push_back({&a->GetPort(), &b->GetPort()});
        for (uint32_t end = 0; end < 2 && link.lossRate > 0; ++end)
        {
            auto loss =
                CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(link.lossRate));
            loss->SetStream(RandomStream(config.seed, LOSS_STREAMS + 2 * index + end));
            m_linkPorts.back()[end]->SetLossModel(loss);
        }
    }
    for (const ReducedRate& reduced : config.reducedRates)
    {
        m_linkPorts.at(reduced.link).at(reduced.end)->SetReducedRate(reduced.rate);
    }
}

void
Fabric::AddSchedulers(const FabricConfig& config)
{
    TypeIdValue type;
    config.attributes.Create<FabricSwitch>()->GetAttribute("EgressScheduler", type);
    if (type.Get() == EgressScheduler::GetTypeId())
    {
        return;
    }
    for (const auto& ports : m_linkPorts)
    {
        for (FabricPort* port : ports)
        {
            const auto scheduler = config.attributes.Create<EgressScheduler>(type.Get());
            scheduler->Start(config.schedule.value_or(PortSchedule()));
            port->SetScheduler(scheduler);
        }
    }
}

void
Fabric::AddLinkPolicies(const FabricConfig& config)
{
    for (const LinkPolicies& entry : config.linkPolicies)
    {
        for (FabricPort* port : m_linkPorts.at(entry.link))
        {
            std::vector<Ptr<LinkPolicy>> forks;
            for (const auto& policy : entry.policies)
            {
                forks.push_back(policy->Fork());
            }
            port->SetLinkPolicies(forks, config.maxFrameBytes);
        }
    }
}

void
Fabric::SetHeads(const FabricConfig& config)
{
    BooleanValue cutsThrough;
    config.attributes.Create<FabricSwitch>()->GetAttribute("CutThrough", cutsThrough);
    for (uint32_t node = 0; cutsThrough.Get() && node < m_graph.isSwitch.size(); ++node)
    {
        if (!m_graph.isSwitch[node])
        {
            continue;
        }
        DataRate fastest(0);
        for (const auto& device : m_devices[node])
        {
            fastest = std::max(fastest, device->GetPort().GetRate());
        }
        for (const auto& device : m_devices[node])
        {
            FabricPort& sender = *device->GetPort().GetPeer();
            if (sender.GetRate() >= fastest)
            {
                sender.SetHead(FabricSwitch::HEAD_BYTES);
            }
        }
    }
}

void
Fabric::ListPorts()
{
    for (std::size_t id = 0; id < m_devices.size(); ++id)
    {
        m_firstEnds.push_back(static_cast<uint32_t>(m_ends.size()));
        for (std::size_t number = 0; number < m_devices[id].size(); ++number)
        {
            m_ends.push_back({&m_devices[id][number]->GetPort(), m_neighbors[id][number]});
        }
    }
}

void
Fabric::BuildSwitches(const FabricConfig& config)
{
    uint64_t serverBitRate = UINT64_MAX;
    for (const GraphLink& link : m_graph.links)
    {
        if (!m_graph.IsSwitch(link.a) || !m_graph.IsSwitch(link.b))
        {
            serverBitRate = std::min(serverBitRate, link.rate.GetBitRate());
        }
    }
    m_routes = ComputeRoutes(m_graph);
    m_switches.resize(m_graph.isSwitch.size());
    m_switchNumbers.resize(m_graph.isSwitch.size());
    uint32_t number = 0;
    for (uint32_t node = 0; node < m_graph.isSwitch.size(); ++node)
    {
        m_switchNumbers[node] = number;
        number += m_graph.isSwitch[node];
    }
    FabricScale scale{0, config.maxFrameBytes};
    for (uint32_t node = 0; node < m_graph.isSwitch.size(); ++node)
    {
        if (!m_graph.isSwitch[node])
        {
            continue;
        }
        auto fabricSwitch = config.attributes.Create<FabricSwitch>();
        std::vector<SwitchPortConfig> ports;
        for (std::size_t port = 0; port < m_devices[node].size(); ++port)
        {
            ports.push_back(MakePortConfig(m_devices[node][port]->GetPort(),
                                           !m_graph.IsSwitch(m_neighbors[node][port]),
                                           config,
                                           *fabricSwitch,
                                           serverBitRate));
        }
        m_nodes.Get(node)->AggregateObject(fabricSwitch);
        if (config.classes)
        {
            fabricSwitch->SetClasses(*config.classes, config.pools);
        }
        if (config.watchdog)
        {
            fabricSwitch->SetWatchdog(*config.watchdog);
        }
        if (fabricSwitch->HasPolicies() && scale.baseRtt == 0)
        {
            scale.baseRtt = GetMaxBaseRtt(config.maxFrameBytes, SHORT_ANSWER_BYTES);
        }
        const uint32_t switchNumber = m_switchNumbers[node];
        fabricSwitch->Start(m_core,
                            ports,
                            m_routes,
                            scale,
                            switchNumber,
                            config.attributes,
                            config.seed,
                            SWITCH_STREAMS + switchNumber * STREAMS_PER_SWITCH);
        m_switches[node] = fabricSwitch;
    }
}

SwitchPortConfig
Fabric::MakePortConfig(FabricPort& port,
                       bool leadsToServer,
                       const FabricConfig& config,
                       const FabricSwitch& settings,
                       uint64_t serverBitRate) const
{
    const uint64_t bitRate = port.GetNominalRate().GetBitRate();
    const EcnProfile ecn = FindOr(config.ecn, bitRate, GetDefaultEcn(bitRate));
    const SwitchPortClass common{
        FindOr(config.ecn, port.GetRate().GetBitRate(), ReduceEcn(ecn, port)),
        FindOr(config.alpha, bitRate, GetDefaultAlpha(bitRate, serverBitRate)),
        FindHeadroom(config, settings, port.GetNominalRate(), port.GetDelay())};
    SwitchPortConfig made{&port, common.ecn, leadsToServer, {}};
    made.classes.fill(common);
    for (uint32_t number = 0; config.classes && number < PRIORITIES; ++number)
    {
        const ClassSettings& own = (*config.classes)[number];
        const SwitchPortClass fallback{own.isUnmarked ? ECN_OFF : common.ecn,
                                       common.alpha,
                                       common.headroomBytes};
        const EcnProfile ownEcn = FindOr(own.ecn, bitRate, fallback.ecn);
        const bool isListed = own.ecn.count(bitRate) > 0;
        made.classes[number] = {FindOr(own.ecn,
                                       port.GetRate().GetBitRate(),
                                       isListed ? ReduceEcn(ownEcn, port) : fallback.ecn),
                                FindOr(own.alpha, bitRate, fallback.alpha),
                                FindOr(own.headroom, bitRate, fallback.headroomBytes)};
    }
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        made.classes[number].linkBytes = port.GetLinkBuffer(number);
    }
    return made;
}

uint64_t
Fabric::GetSetAside(const TopologyGraph& graph, const FabricConfig& config)
{
    const auto fabricSwitch = config.attributes.Create<FabricSwitch>();
    UintegerValue reserveBytes;
    UintegerValue lossless;
    fabricSwitch->GetAttribute("QueueReserve", reserveBytes);
    fabricSwitch->GetAttribute("LosslessPriorities", lossless);
    std::vector<uint64_t> setAside(graph.GetIdCount(), 0);
    for (const GraphLink& link : graph.links)
    {
        const uint64_t headroom =
            FindHeadroom(config, *fabricSwitch, link.rate, ToTick(link.delay));
        uint64_t portBytes = 0;
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            const ClassSettings own = config.classes ? (*config.classes)[number] : ClassSettings();
            const bool isLossless = own.isLossless.value_or(((lossless.Get() >> number) & 1) != 0);
            portBytes += own.reserveBytes.value_or(isLossless ? reserveBytes.Get() : 0);
            portBytes += isLossless ? FindOr(own.headroom, link.rate.GetBitRate(), headroom) : 0;
        }
        for (const uint32_t node : {link.a, link.b})
        {
            setAside[node] += graph.IsSwitch(node) ? portBytes : 0;
        }
    }
    for (const LinkPolicies& entry : config.linkPolicies)
    {
        const GraphLink& link = graph.links.at(entry.link);
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            for (const auto& policy : entry.policies)
            {
                setAside[link.a] += graph.IsSwitch(link.a) ? policy->GetBuffer(number) : 0;
                setAside[link.b] += graph.IsSwitch(link.b) ? policy->GetBuffer(number) : 0;
            }
        }
    }
    return std::accumulate(config.pools.begin(),
                           config.pools.end(),
                           *std::max_element(setAside.begin(), setAside.end()));
}

EcnProfile
Fabric::GetDefaultEcn(uint64_t bitRate)
{
    return {bitRate / 1'000'000 * 4, bitRate / 1'000'000 * 16, 0.2};
}

double
Fabric::GetDefaultAlpha(uint64_t bitRate, uint64_t serverBitRate)
{
    const double ratio = static_cast<double>(bitRate) / static_cast<double>(serverBitRate);
    return std::clamp(ratio / 8, 1.0 / 8, 1.0);
}

uint64_t
Fabric::GetDefaultHeadroom(uint64_t bitRate, Tick delay, uint32_t maxFrameBytes)
{
    const double inDelay = static_cast<double>(bitRate) / 8 * static_cast<double>(delay) * 1e-12;
    return static_cast<uint64_t>(std::max(3 * inDelay, 2 * inDelay + 4.0 * maxFrameBytes));
}

FabricCore&
Fabric::GetCore()
{
    return *m_core;
}

const TopologyGraph&
Fabric::GetGraph() const
{
    return m_graph;
}

const NodeContainer&
Fabric::GetNodes() const
{
    return m_nodes;
}

Ptr<Node>
Fabric::GetNode(uint32_t id) const
{
    return m_nodes.Get(m_graph.GetEndpoint(id).server);
}

FabricDevice&
Fabric::GetServerDevice(uint32_t endpoint) const
{
    if (m_graph.IsSwitch(endpoint))
    {
        throw std::invalid_argument("node " + std::to_string(endpoint) + " is a switch");
    }
    return *m_devices.at(endpoint).at(0);
}

Ptr<FabricSwitch>
Fabric::GetSwitch(uint32_t node) const
{
    return m_switches.at(node);
}

FabricPort&
Fabric::GetLinkPort(std::size_t link, uint32_t end) const
{
    return *m_linkPorts.at(link).at(end);
}

void
Fabric::SetLinkUp(std::size_t link, bool isUp)
{
    m_links.at(link)->SetUp(isUp);
    m_isLinkUp.at(link) = isUp;
    UpdateRoutes();
    NotifyDevices(link);
}

void
Fabric::SetLinkUpOnly(std::size_t link, bool isUp)
{
    m_links.at(link)->SetUp(isUp);
    m_isLinkUp.at(link) = isUp;
    NotifyDevices(link);
}

void
Fabric::UpdateRoutes()
{
    m_routes = ComputeRoutes(m_graph, m_isLinkUp);
    for (uint32_t node = 0; node < m_switches.size(); ++node)
    {
        if (m_switches[node])
        {
            m_switches[node]->UpdateRoutes();
        }
    }
}

void
Fabric::NotifyDevices(std::size_t link)
{
    UpdateDeadEndpoints(link);
    for (std::size_t end = 0; end < 2; ++end)
    {
        DynamicCast<FabricDevice>(m_links[link]->GetDevice(end))->OnLinkChange();
    }
}

void
Fabric::UpdateDeadEndpoints(std::size_t link)
{
    std::vector<uint32_t>& dead = m_core->deadEndpoints;
    for (const uint32_t end : {m_graph.links[link].a, m_graph.links[link].b})
    {
        dead.erase(std::remove(dead.begin(), dead.end(), end), dead.end());
        if (!m_graph.IsSwitch(end) && !m_isLinkUp[link])
        {
            dead.push_back(end);
        }
    }
}

const FabricPort&
Fabric::GetPort(uint32_t node, uint32_t number) const
{
    return m_devices[node][number]->GetPort();
}

} // namespace ns3::rdma
