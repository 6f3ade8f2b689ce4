// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/fabric.h"
#include "ns3/link-loss-keys.h"
#include "ns3/link-rate-keys.h"
#include "ns3/nic-keys.h"
#include "ns3/quantity.h"
#include "ns3/run-design.h"
#include "ns3/server-ports-keys.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json; ///< Keys keep the order in which they are written.

/// That of SRNIC's simulator.
constexpr uint64_t DEFAULT_BUFFER{32 * 1024 * 1024};

/// That of FabricSwitch::BufferSize.
constexpr uint64_t LEAST_BUFFER{64 * 1024};

/// Bytes of a frame on the wire that are not in it: preamble 8, FCS 4, inter-packet gap 12.
constexpr uint32_t ETHERNET_OVERHEAD{24};

/// Below 64 headers outweigh payload; above lie no jumbo frames of real switches.
constexpr uint64_t MIN_MTU{64};
constexpr uint64_t MAX_MTU{9216};

/// Beside those of the topology.
const std::vector<std::string> FABRIC_KEYS{"nicsPerServer",
                                           "portsPerNic",
                                           "buffer",
                                           "framing",
                                           "mtu",
                                           "ecn",
                                           "pfc",
                                           "bufferAlpha",
                                           "headroom",
                                           "lossRate",
                                           "losses",
                                           "linkRates",
                                           "loadBalancer",
                                           "admissionPolicy",
                                           "markingPolicy",
                                           "attributes"};

/// Calls read(rate in bit/s, value) for each member of an object whose keys are rates.
void
ForEachRate(const JsonValue& value, const std::function<void(uint64_t, const JsonValue&)>& read)
{
    std::set<uint64_t> seen;
    for (const auto& [key, member] : value.GetMembers())
    {
        const auto rate = ParseRate(key);
        if (!rate || rate->GetBitRate() == 0)
        {
            member.Fail("a link rate above zero such as \"100Gbps\" as the key", '"' + key + '"');
        }
        if (!seen.insert(rate->GetBitRate()).second)
        {
            member.Fail("each link rate once", '"' + key + "\" again in another form");
        }
        read(rate->GetBitRate(), member);
    }
}

EcnProfile
ReadEcnProfile(const JsonValue& value)
{
    value.ExpectKeys({"kmin", "kmax", "pmax"});
    EcnProfile ecn{};
    ecn.kminBytes = value.Get("kmin").GetBytes();
    ecn.kmaxBytes = value.Get("kmax").GetBytes();
    if (ecn.kmaxBytes < ecn.kminBytes)
    {
        value.Get("kmax").Fail("at least kmin, " + FormatBytes(ecn.kminBytes));
    }
    const JsonValue pmax = value.Get("pmax");
    ecn.pmax = pmax.GetNumber();
    if (ecn.pmax < 0 || ecn.pmax > 1)
    {
        pmax.Fail("a probability from 0 to 1");
    }
    return ecn;
}

bool
IsOff(const JsonValue& value)
{
    return value.IsString() && value.GetString() == "off";
}

void
ReadEcn(const JsonValue& value, FabricSpec& fabric)
{
    if (!value.IsObject())
    {
        value.Fail("\"off\" or thresholds by link rate");
    }
    ForEachRate(value, [&fabric](uint64_t rate, const JsonValue& member) {
        if (!member.IsObject() && !IsOff(member))
        {
            member.Fail("\"off\" or an object with kmin, kmax and pmax");
        }
        fabric.ecn[rate] = IsOff(member) ? ECN_OFF : ReadEcnProfile(member);
    });
}

void
ReadSwitches(const JsonValue& value, FabricSpec& fabric)
{
    const auto buffer = value.Find("buffer");
    fabric.bufferBytes = buffer ? buffer->GetBytes() : DEFAULT_BUFFER;
    if (fabric.bufferBytes < LEAST_BUFFER)
    {
        buffer->Fail("at least 64KiB");
    }
    if (const auto ecn = value.Find("ecn"); ecn && !IsOff(*ecn))
    {
        ReadEcn(*ecn, fabric);
    }
    if (const auto pfc = value.Find("pfc"))
    {
        fabric.pfc = pfc->GetBool();
    }
    if (const auto alpha = value.Find("bufferAlpha"))
    {
        ForEachRate(*alpha, [&fabric](uint64_t rate, const JsonValue& member) {
            fabric.bufferAlpha[rate] = member.GetNumber();
            if (fabric.bufferAlpha[rate] <= 0)
            {
                member.Fail("a factor above zero");
            }
        });
    }
    if (const auto headroom = value.Find("headroom"))
    {
        ForEachRate(*headroom, [&fabric](uint64_t rate, const JsonValue& member) {
            fabric.headroomBytes[rate] = member.GetBytes();
        });
    }
    for (const SwitchPolicy& policy : SWITCH_POLICIES)
    {
        if (const auto type = value.Find(policy.key))
        {
            fabric.*policy.type = ReadTypeName(*type, std::string("ns3::rdma::") + policy.name);
        }
    }
    if (const auto attributes = value.Find("attributes"))
    {
        fabric.attributes = ReadAttributes(*attributes);
    }
}

void
ReadLinks(const JsonValue& value, FabricSpec& fabric)
{
    if (const auto framing = value.Find("framing"))
    {
        fabric.isEthernetFramed = framing->GetChoice({"ethernet", "none"}) == "ethernet";
    }
    if (const auto mtu = value.Find("mtu"))
    {
        const uint64_t bytes = mtu->GetBytesOrNumber();
        if (bytes < MIN_MTU || bytes > MAX_MTU)
        {
            mtu->Fail("a payload size from 64 to 9216 bytes");
        }
        fabric.mtuBytes = static_cast<uint32_t>(bytes);
    }
    if (const auto loss = value.Find("lossRate"))
    {
        fabric.lossRate = loss->GetNumber();
        if (fabric.lossRate < 0 || fabric.lossRate >= 1)
        {
            loss->Fail("a probability from 0 to below 1");
        }
    }
    if (const auto losses = value.Find("losses"))
    {
        fabric.losses = ReadLinkLosses(*losses);
    }
    if (const auto rates = value.Find("linkRates"))
    {
        fabric.linkRates = ReadLinkRates(*rates);
    }
}

template <typename T>
Json
WriteRateMap(const std::map<uint64_t, T>& map, const std::function<Json(const T&)>& write)
{
    Json json = Json::object();
    for (const auto& [rate, value] : map)
    {
        json[FormatRate(DataRate(rate))] = write(value);
    }
    return json;
}

Json
WriteEcn(const EcnProfile& ecn)
{
    if (ecn.kminBytes == ECN_OFF.kminBytes)
    {
        return "off";
    }
    return {{"kmin", FormatBytes(ecn.kminBytes)},
            {"kmax", FormatBytes(ecn.kmaxBytes)},
            {"pmax", ecn.pmax}};
}

} // namespace

FabricSpec
ReadFabric(const JsonValue& value)
{
    FabricSpec fabric;
    const auto topology = DynamicCast<TopologyKind>(
        ReadKind(value, "topology", FABRIC_KEYS, TopologyKind::GetTypeId()));
    topology->Read(value);
    fabric.topology = topology;
    fabric.ports = ReadServerPorts(value, topology->GetPlanes());
    ReadLinks(value, fabric);
    ReadSwitches(value, fabric);
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

void
CompleteEcn(FabricSpec& fabric, const TopologyGraph& graph, const JsonValue& value)
{
    std::set<uint64_t> rates;
    for (const GraphLink& link : graph.links)
    {
        rates.insert(link.rate.GetBitRate());
    }
    std::set<uint64_t> known = rates;
    for (const DataRate& rate : fabric.topology->GetOtherRates())
    {
        known.insert(rate.GetBitRate());
    }
    for (const LinkRateSpec& spec : fabric.linkRates)
    {
        known.insert(spec.rate.GetBitRate());
    }
    for (const char* key : {"ecn", "bufferAlpha", "headroom"})
    {
        const auto map = value.Find(key);
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
    const auto ecn = value.Find("ecn");
    const bool isOff = ecn && IsOff(*ecn);
    for (const uint64_t rate : rates)
    {
        fabric.ecn.try_emplace(rate, isOff ? ECN_OFF : Fabric::GetDefaultEcn(rate));
    }
}

nlohmann::ordered_json
WriteFabric(const FabricSpec& fabric)
{
    Json json{{"topology", fabric.topology->GetInfo().name}};
    fabric.topology->Write(json);
    WriteServerPorts(fabric.ports, json);
    json["buffer"] = FormatBytes(fabric.bufferBytes);
    json["framing"] = fabric.isEthernetFramed ? "ethernet" : "none";
    json["mtu"] = fabric.mtuBytes;
    if (!fabric.ecn.empty())
    {
        json["ecn"] = WriteRateMap<EcnProfile>(fabric.ecn, WriteEcn);
    }
    if (fabric.pfc)
    {
        json["pfc"] = *fabric.pfc;
    }
    if (!fabric.bufferAlpha.empty())
    {
        json["bufferAlpha"] =
            WriteRateMap<double>(fabric.bufferAlpha, [](double alpha) { return Json(alpha); });
    }
    if (!fabric.headroomBytes.empty())
    {
        json["headroom"] = WriteRateMap<uint64_t>(fabric.headroomBytes, [](uint64_t bytes) {
            return Json(FormatBytes(bytes));
        });
    }
    json["lossRate"] = fabric.lossRate;
    if (!fabric.losses.empty())
    {
        json["losses"] = WriteLinkLosses(fabric.losses);
    }
    if (!fabric.linkRates.empty())
    {
        json["linkRates"] = WriteLinkRates(fabric.linkRates);
    }
    for (const SwitchPolicy& policy : SWITCH_POLICIES)
    {
        if (!(fabric.*policy.type).empty())
        {
            json[policy.key] = fabric.*policy.type;
        }
    }
    if (!fabric.attributes.empty())
    {
        json["attributes"] = fabric.attributes;
    }
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
MakeFabricConfig(const Scenario& scenario, uint32_t maxFrameBytes)
{
    FabricConfig config;
    config.seed = scenario.run.seed;
    config.hasEthernetOverhead = scenario.fabric.isEthernetFramed;
    config.maxFrameBytes = maxFrameBytes;
    config.ecn = scenario.fabric.ecn;
    config.alpha = scenario.fabric.bufferAlpha;
    config.headroom = scenario.fabric.headroomBytes;
    return config;
}

} // namespace ns3::rdma
