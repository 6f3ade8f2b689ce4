// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-scenario.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/fabric-keys.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/input-error.h"
#include "ns3/kernel-keys.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-keys.h"
#include "ns3/nic-presets.h"
#include "ns3/peer-check.h"
#include "ns3/quantity.h"
#include "ns3/scenario-builder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

constexpr const char* PEER{"server"};   ///< The group of the server's end.
constexpr const char* CLIENT{"client"}; ///< The group of the other end, if there are services.
constexpr uint64_t FABRIC_SPEEDUP{4};   ///< As 100 and 400 Gb/s in scenarios.
constexpr const char* GPU_MEMORY{"ns3::rdma::GpuPath::BarBytes"};
constexpr uint64_t GPU_BYTES{60'000'000'000}; ///< An A100's (thesis section 2.6).

void
CheckServers(const std::string& program, uint32_t servers)
{
    const auto counts = FatTreeTopology::GetServerCounts();
    if (std::find(counts.begin(), counts.end(), servers) == counts.end())
    {
        std::vector<std::string> names;
        for (const uint32_t count : counts)
        {
            names.push_back(std::to_string(count));
        }
        throw InputError(program + ": --fabric: expected the servers of a fat-tree, " +
                         JoinNames(names) + ", got " + std::to_string(servers));
    }
}

void
CheckLoss(const std::string& program, double rate)
{
    if (!(rate >= 0 && rate < 1))
    {
        std::ostringstream text;
        text << rate;
        throw InputError(program + ": --loss: expected a probability from 0 to below 1, got " +
                         text.str());
    }
}

Json
WriteFabric(const PerftestRequest& request, uint32_t mtuBytes)
{
    CheckLoss(request.program, request.lossRate);
    const Json rateText = request.rate;
    const Json delayText = request.delay;
    const DataRate rate = JsonValue(rateText, request.program, "--rate").GetRate();
    const Time delay = JsonValue(delayText, request.program, "--delay").GetTime();
    Json fabric{{"topology", request.servers ? "fat-tree" : "back-to-back"},
                {"hostRate", FormatRate(rate)},
                {"linkDelay", FormatTime(delay)},
                {"mtu", mtuBytes},
                {"lossRate", request.lossRate}};
    if (request.servers)
    {
        CheckServers(request.program, *request.servers);
        constexpr uint64_t MAX_RATE{uint64_t{1} << 60};
        if (rate.GetBitRate() > MAX_RATE / FABRIC_SPEEDUP)
        {
            JsonValue(rateText, request.program, "--rate").Fail("a rate that links can have");
        }
        fabric["servers"] = *request.servers;
        fabric["fabricRate"] = FormatRate(DataRate(rate.GetBitRate() * FABRIC_SPEEDUP));
    }
    return fabric;
}

AttributeMap
ReadSettings(const PerftestRequest& request)
{
    Json settings = Json::object();
    for (const std::string& setting : request.settings)
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw InputError(request.program + ": --set: expected NAME=VALUE, got " + setting);
        }
        settings[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    if (request.isHardwareTimed && request.isInGpu)
    {
        settings.emplace(GPU_MEMORY, std::to_string(GPU_BYTES));
    }
    if (request.isHardwareTimed)
    {
        settings["ns3::rdma::HostCpu::Cores"] = std::to_string(request.threads.value_or(1));
    }
    if (request.hasIpv6)
    {
        settings["ns3::rdma::RdmaNic::Ipv6"] = "true";
    }
    return ReadAttributes(JsonValue(settings, request.program, "--set"));
}

/// @param option that names the preset
NicSpec
ReadNic(const PerftestRequest& request,
        const char* option,
        const std::string& name,
        const AttributeMap& settings)
{
    if (!FindNicPreset(name))
    {
        std::vector<std::string> names;
        for (const NicPreset& preset : GetNicPresets())
        {
            names.push_back(preset.name);
        }
        throw InputError(request.program + ": " + option + ": expected a NIC preset (" +
                         DescribeNearest(name, names) + "), got " + name);
    }
    const char* hardware = request.isHardwareTimed ? "on" : "off";
    Json nics = Json::array({{{"preset", name}, {"hardware", hardware}}});
    if (!request.machine.empty())
    {
        nics[0]["machine"] = request.machine;
    }
    return ReadNics(JsonValue(nics, request.program, option), settings).front();
}

/// The NIC of the client and all others, and that of the server's end if it differs.
NicSpec
ReadNics(const PerftestRequest& request, const AttributeMap& settings)
{
    NicSpec nic = ReadNic(request, "--nic", request.nic, settings);
    if (!request.peerNic.empty() && request.peerNic != request.nic)
    {
        const NicSpec peer = ReadNic(request, "--peer-nic", request.peerNic, settings);
        const std::string difference = FindPeerDifference(nic, peer);
        if (!difference.empty())
        {
            throw InputError(request.program + ": --peer-nic: expected a NIC that " + nic.preset +
                             " understands, got " + peer.preset + ": " + difference);
        }
        nic.groups[PEER] = peer;
    }
    const Json given = settings;
    CheckSharedAttributes(JsonValue(given, request.program, "--set"), settings, {nic});
    return nic;
}

Json
ReadService(const PerftestRequest& request, const std::string& text)
{
    const Json service = Json::parse(text, nullptr, false);
    if (!service.is_object() || !service.contains("slots"))
    {
        throw InputError(request.program +
                         ": --service: expected a kernel as in scenarios, {\"type\": ..., "
                         "\"slots\": [...]}, got " +
                         text);
    }
    return service;
}

/// Both ends have the same. @param client node id
void
AddServices(Scenario& scenario, const PerftestRequest& request, uint32_t client)
{
    if (request.services.empty())
    {
        return;
    }
    scenario.groups[CLIENT] = {client};
    Json kernels = Json::object();
    for (const std::string& text : request.services)
    {
        for (const char* group : {CLIENT, PEER})
        {
            kernels[group].push_back(ReadService(request, text));
        }
    }
    const JsonValue value(kernels, request.program, "--service");
    scenario.kernels = ReadKernels(value, scenario.groups);
    CheckKernels(scenario, value);
}

} // namespace

Scenario
MakePerftestScenario(const PerftestRequest& request, uint32_t mtuBytes)
{
    const Json fabric = WriteFabric(request, mtuBytes);
    const JsonValue fabricValue(fabric, request.program, "$.fabric");
    Scenario scenario;
    scenario.file = request.program;
    scenario.name = request.program;
    scenario.run.seed = request.seed;
    scenario.fabric = ReadFabric(fabricValue);
    AttributeMap settings = ReadSettings(request);
    scenario.fabric.attributes = TakeFabricAttributes(settings, {});
    scenario.nics = {ReadNics(request, settings)};
    const TopologyGraph graph = MakeTopology(scenario);
    scenario.groups[PEER] = {graph.GetServers().back()};
    AddServices(scenario, request, graph.GetServers().front());
    CompleteEcn(scenario.fabric, graph, fabricValue);
    CompleteBuffer(scenario, graph);
    return scenario;
}

} // namespace ns3::rdma
