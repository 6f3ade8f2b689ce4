// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-scenario.h"

#include "ns3/fabric-reader.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-presets.h"
#include "ns3/nic-reader.h"
#include "ns3/quantity.h"
#include "ns3/scenario-builder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

constexpr const char* PROGRAM{"perftest"}; ///< What messages begin with.
constexpr uint64_t FABRIC_SPEEDUP{4};      ///< As 100 and 400 Gb/s in scenarios.

void
CheckServers(uint32_t servers)
{
    const auto counts = FatTreeTopology::GetServerCounts();
    if (std::find(counts.begin(), counts.end(), servers) == counts.end())
    {
        std::vector<std::string> names;
        for (const uint32_t count : counts)
        {
            names.push_back(std::to_string(count));
        }
        throw InputError(std::string(PROGRAM) + ": --fabric: expected the servers of a fat-tree, " +
                         JoinNames(names) + ", got " + std::to_string(servers));
    }
}

Json
WriteFabric(const PerftestRequest& request, uint32_t mtuBytes)
{
    const Json rateText = request.rate;
    const Json delayText = request.delay;
    const DataRate rate = JsonValue(rateText, PROGRAM, "--rate").GetRate();
    const Time delay = JsonValue(delayText, PROGRAM, "--delay").GetTime();
    Json fabric{{"topology", request.servers ? "fat-tree" : "back-to-back"},
                {"hostRate", FormatRate(rate)},
                {"linkDelay", FormatTime(delay)},
                {"mtu", mtuBytes}};
    if (request.servers)
    {
        CheckServers(*request.servers);
        constexpr uint64_t MAX_RATE{uint64_t{1} << 60};
        if (rate.GetBitRate() > MAX_RATE / FABRIC_SPEEDUP)
        {
            JsonValue(rateText, PROGRAM, "--rate").Fail("a rate that links can have");
        }
        fabric["servers"] = *request.servers;
        fabric["fabricRate"] = FormatRate(DataRate(rate.GetBitRate() * FABRIC_SPEEDUP));
    }
    return fabric;
}

std::map<std::string, std::string>
ReadSettings(const PerftestRequest& request)
{
    Json settings = Json::object();
    for (const std::string& setting : request.settings)
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw InputError(std::string(PROGRAM) + ": --set: expected NAME=VALUE, got " + setting);
        }
        settings[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    if (request.hasIpv6)
    {
        settings["ns3::rdma::RdmaNic::Ipv6"] = "true";
    }
    return ReadAttributes(JsonValue(settings, PROGRAM, "--set"));
}

std::vector<NicSpec>
ReadNic(const PerftestRequest& request)
{
    if (!FindNicPreset(request.nic))
    {
        std::vector<std::string> names;
        for (const NicPreset& preset : GetNicPresets())
        {
            names.push_back(preset.name);
        }
        throw InputError(std::string(PROGRAM) + ": --nic: expected a NIC preset (" +
                         DescribeNearest(request.nic, names) + "), got " + request.nic);
    }
    const Json nics = Json::array({request.nic});
    return ReadNics(JsonValue(nics, PROGRAM, "--nic"), ReadSettings(request));
}

} // namespace

Scenario
MakePerftestScenario(const PerftestRequest& request, uint32_t mtuBytes)
{
    const Json fabric = WriteFabric(request, mtuBytes);
    const JsonValue fabricValue(fabric, PROGRAM, "$.fabric");
    Scenario scenario;
    scenario.file = PROGRAM;
    scenario.name = PROGRAM;
    scenario.fabric = ReadFabric(fabricValue);
    scenario.nics = ReadNic(request);
    const TopologyGraph graph = MakeTopology(scenario);
    CompleteEcn(scenario.fabric, graph, fabricValue);
    CheckBuffer(scenario, graph);
    return scenario;
}

} // namespace ns3::rdma
