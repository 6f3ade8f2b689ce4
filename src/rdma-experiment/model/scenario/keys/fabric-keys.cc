// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/class-keys.h"
#include "ns3/fabric-classes.h"
#include "ns3/fabric.h"
#include "ns3/key-reader.h"
#include "ns3/key-writer.h"
#include "ns3/link-loss-keys.h"
#include "ns3/link-policy-keys.h"
#include "ns3/link-rate-keys.h"
#include "ns3/quantity.h"
#include "ns3/rate-map-keys.h"
#include "ns3/run-design.h"
#include "ns3/server-ports-keys.h"

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json; ///< Keys keep the order in which they are written.

/// That of FabricSwitch::BufferSize.
constexpr uint64_t LEAST_BUFFER{64 * 1024};

/// 1 TiB, as of a pool: above the memory of any switch.
constexpr uint64_t MAX_BUFFER{uint64_t{1} << 40};

/// Bytes of a frame on the wire that are not in it: preamble 8, FCS 4, inter-packet gap 12.
constexpr uint32_t ETHERNET_OVERHEAD{24};

/// Below 64 headers outweigh payload; above lie no jumbo frames of real switches.
constexpr uint64_t MIN_MTU{64};
constexpr uint64_t MAX_MTU{9216};

constexpr const char* FABRICS_OWN{"that of the fabric"};

/// @param otherwise the default; null: that of a fabric
void
VisitSwitches(Keys& keys, SwitchSpec& fabric, const char* otherwise)
{
    VisitEcn(keys,
             fabric.isEcnOff,
             fabric.ecn,
             otherwise ? otherwise
                       : "of a rate that is not given: kmin 4 kB and kmax 16 kB per Gb/s, "
                         "pmax 0.2 (HPCC)");
    keys.Flag("pfc", fabric.pfc, "priority flow control")
        .Otherwise(otherwise ? otherwise : "true if the NIC's preset requires it");
    VisitBufferShares(keys, fabric.bufferAlpha, fabric.headroomBytes);
}

/// @param otherwise as of VisitSwitches()
void
VisitPolicies(Keys& keys, SwitchSpec& fabric, const char* otherwise)
{
    keys.Type("admissionPolicy",
              fabric.admissionPolicy,
              "ns3::rdma::AdmissionPolicy",
              "what queues accept, trim or drop")
        .Otherwise(otherwise ? otherwise : "ns3::rdma::TailDrop");
    keys.Type("markingPolicy",
              fabric.markingPolicy,
              "ns3::rdma::MarkingPolicy",
              "which packets get CE")
        .Otherwise(otherwise ? otherwise : "ns3::rdma::RedMarking");
    keys.Type("scheduler",
              fabric.scheduler,
              "ns3::rdma::EgressScheduler",
              "which class a port of a switch or a NIC serves next")
        .Otherwise(otherwise ? otherwise
                             : "strict priority; ns3::rdma::DwrrScheduler if a class has a weight "
                               "or a level");
    VisitAttributes(keys,
                    fabric.attributes,
                    ReadAttributes,
                    "of the switches (ns3::rdma::FabricSwitch) and their policies, by full name");
}

/// @return that of "classes"
Key
VisitClasses(Keys& keys, SwitchSpec& fabric)
{
    keys.Map("pools", fabric.pools, VisitPool, "pools of the shared buffer, by name")
        .OmitIf(fabric.pools.empty());
    keys.Object("watchdog", fabric.watchdog, VisitWatchdog, "PFC watchdog of each switch");
    Key classes =
        keys.Map("classes", fabric.classes, VisitClass, "traffic classes that differ, by number");
    classes.OmitIf(fabric.classes.empty());
    return classes;
}

} // namespace

void
VisitSwitchChanges(Keys& keys, SwitchChanges& changes)
{
    keys.Size("buffer", changes.bufferBytes, "shared buffer of each switch")
        .AtLeast(LEAST_BUFFER)
        .AtMost(MAX_BUFFER)
        .Otherwise(FABRICS_OWN);
    VisitSwitches(keys, changes, FABRICS_OWN);
    VisitPolicies(keys, changes, FABRICS_OWN);
    VisitClasses(keys, changes).AtLeast(1).Otherwise("those of the fabric, with its pools");
    keys.Check(changes.pools.empty() || !changes.classes.empty(),
               "pools",
               "no such key without \"classes\" beside it");
}

void
VisitFabric(Keys& keys, FabricSpec& fabric)
{
    static constexpr std::array<std::pair<const char*, bool>, 2> FRAMINGS{
        {{"ethernet", true}, {"none", false}}};
    VisitServerPorts(keys, fabric.ports, fabric.topology ? fabric.topology->GetPlanes() : 1);
    keys.Size("buffer", fabric.bufferBytes, "shared buffer of each switch")
        .AtLeast(LEAST_BUFFER)
        .AtMost(MAX_BUFFER)
        .Otherwise("32MiB; more if the ports of a switch exceed 6.7 Tb/s or need more headroom "
                   "(GetDefaultBuffer)");
    keys.Choice("framing",
                fabric.isEthernetFramed,
                FRAMINGS,
                "whether preamble, FCS and gap take time");
    keys.Bytes("mtu", fabric.mtuBytes, "largest payload of a packet").Between(MIN_MTU, MAX_MTU);
    VisitSwitches(keys, fabric, nullptr);
    keys.Number("lossRate",
                fabric.lossRate,
                "loss probability of a packet on each link, beside those of a topology file")
        .AtLeast(0)
        .Below(1);
    keys.List("losses", fabric.losses, VisitLinkLoss, "loss models of links")
        .OmitIf(fabric.losses.empty());
    keys.List("linkRates", fabric.linkRates, VisitLinkRate, "links with a reduced rate")
        .OmitIf(fabric.linkRates.empty());
    keys.List("links", fabric.links, VisitLinkPolicy, "credits and retransmission of links")
        .OmitIf(fabric.links.empty());
    keys.Type("loadBalancer",
              fabric.loadBalancer,
              "ns3::rdma::LoadBalancer",
              "how switches choose among equal routes")
        .Otherwise("the switch's own");
    VisitPolicies(keys, fabric, nullptr);
    VisitClasses(keys, fabric);
}

FabricSpec
ReadFabric(const JsonValue& value)
{
    FabricSpec fabric;
    const auto topology = DynamicCast<TopologyKind>(
        MakeKind(value,
                 "topology",
                 ListKeyNames([&fabric](Keys& keys) { VisitFabric(keys, fabric); }),
                 TopologyKind::GetTypeId()));
    topology->Read(value);
    fabric.topology = topology;
    const KeyContext context;
    KeyReader reader(value, context);
    VisitFabric(reader, fabric);
    CheckPools(value, fabric);
    return fabric;
}

void
CheckFabricAttributes(const JsonValue& value,
                      const Scenario& scenario,
                      const std::vector<NicSpec>& nics)
{
    const auto attributes = value.Find("attributes");
    if (!attributes)
    {
        return;
    }
    AttributeMap unused = ReadAttributes(*attributes);
    TakeFabricAttributes(unused, GetSwitchPolicies(scenario.fabric));
    for (const NicSpec& nic : nics)
    {
        TakeFabricAttributes(unused, GetSwitchPolicies(ResolveFabric(scenario, nic)));
    }
    if (!unused.empty())
    {
        const std::string& name = unused.begin()->first;
        attributes->Get(name).Fail("an attribute of the switches or their policies", name);
    }
}

namespace
{

std::set<uint64_t>
FindRates(const TopologyGraph& graph)
{
    std::set<uint64_t> rates;
    for (const GraphLink& link : graph.links)
    {
        rates.insert(link.rate.GetBitRate());
    }
    return rates;
}

/// Link rates that are keys are rates of the fabric.
void
CheckRates(const JsonValue& value, const FabricSpec& fabric, const TopologyGraph& graph)
{
    const std::set<uint64_t> rates = FindRates(graph);
    std::set<uint64_t> known = rates;
    for (const DataRate& rate : fabric.topology->GetOtherRates())
    {
        known.insert(rate.GetBitRate());
    }
    for (const LinkRateSpec& spec : fabric.linkRates)
    {
        known.insert(spec.rate.GetBitRate());
    }
    std::vector<JsonValue> objects{value};
    if (const auto classes = value.Find("classes"))
    {
        for (const auto& [number, settings] : classes->GetMembers())
        {
            objects.push_back(settings);
        }
    }
    for (const JsonValue& object : objects)
    {
        for (const char* key : {"ecn", "bufferAlpha", "headroom"})
        {
            const auto map = object.Find(key);
            if (!map || !map->IsObject())
            {
                continue;
            }
            ForEachRate(*map, [&known, &rates](uint64_t rate, const JsonValue& member) {
                if (known.count(rate) == 0)
                {
                    member.Fail("the rate of a link, such as \"" +
                                    FormatRate(DataRate(*rates.begin())) + '"',
                                '"' + FormatRate(DataRate(rate)) + "\", which no link has");
                }
            });
        }
    }
}

} // namespace

void
CompleteEcn(FabricSpec& fabric, const TopologyGraph& graph, const JsonValue& value)
{
    CheckRates(value, fabric, graph);
    for (const uint64_t rate : FindRates(graph))
    {
        fabric.ecn.try_emplace(rate, fabric.isEcnOff ? ECN_OFF : Fabric::GetDefaultEcn(rate));
    }
}

void
CheckSwitches(const JsonValue& value,
              const SwitchChanges& changes,
              const FabricSpec& fabric,
              const TopologyGraph& graph)
{
    CheckRates(value, fabric, graph);
    AttributeMap unused = changes.attributes;
    TakeFabricAttributes(unused, GetSwitchPolicies(fabric));
    if (!unused.empty())
    {
        const std::string& name = unused.begin()->first;
        value.Get("attributes")
            .Get(name)
            .Fail("an attribute of the switches or their policies", name);
    }
}

nlohmann::ordered_json
WriteFabric(const FabricSpec& fabric)
{
    Json json{{"topology", fabric.topology->GetInfo().name}};
    fabric.topology->Write(json);
    FabricSpec copy = fabric;
    KeyWriter writer(json);
    VisitFabric(writer, copy);
    return json;
}

uint32_t
GetFramingBytes(const FabricSpec& fabric)
{
    return fabric.isEthernetFramed ? ETHERNET_OVERHEAD : 0;
}

void
ApplyLossRate(const FabricSpec& fabric, TopologyGraph& graph)
{
    for (GraphLink& link : graph.links)
    {
        // A packet is dropped by the file's loss or by the scenario's.
        link.lossRate += fabric.lossRate - link.lossRate * fabric.lossRate;
    }
}

FabricConfig
MakeFabricConfig(const FabricSpec& fabric, uint64_t seed, uint32_t maxFrameBytes)
{
    FabricConfig config;
    config.seed = seed;
    config.hasEthernetOverhead = fabric.isEthernetFramed;
    config.maxFrameBytes = maxFrameBytes;
    config.ecn = fabric.ecn;
    config.alpha = fabric.bufferAlpha;
    config.headroom = fabric.headroomBytes;
    config.classes = MakeClassTable(fabric);
    for (const auto& [name, bytes] : fabric.pools)
    {
        config.pools.push_back(bytes);
    }
    config.schedule = MakeSchedule(fabric);
    if (fabric.watchdog)
    {
        config.watchdog = MakeWatchdogConfig(*fabric.watchdog);
    }
    return config;
}

} // namespace ns3::rdma
