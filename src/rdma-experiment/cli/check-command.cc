// SPDX-License-Identifier: GPL-2.0-only

#include "check-command.h"

#include "workload-warnings.h"

#include "ns3/input-error.h"
#include "ns3/run-cost.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

Json
WriteCost(const NicSpec& nic, uint64_t seed, const RunCost& cost)
{
    return {{"nic", nic.name},
            {"seed", seed},
            {"flows", cost.flows},
            {"packets", cost.packets},
            {"packet_hops", cost.packetHops},
            {"other_traffic", cost.isWithTraffic}};
}

/// @return the scenario and the cost of each NIC's run with each seed
Json
DescribeCost(const Scenario& scenario, const TopologyGraph& graph, std::vector<uint64_t> seeds)
{
    Json json{{"scenario", MakeScenarioJson(scenario, scenario.nics)},
              {"files", MakeDigest(scenario).files},
              {"costs", Json::array()}};
    if (seeds.empty())
    {
        seeds.push_back(scenario.run.seed);
    }
    for (const NicSpec& nic : scenario.nics)
    {
        for (const uint64_t seed : seeds)
        {
            Scenario seeded = scenario;
            seeded.run.seed = seed;
            json["costs"].push_back(WriteCost(nic, seed, EstimateCost(seeded, nic, graph)));
        }
    }
    return json;
}

/// @return the answer to one point
Json
CheckPoint(const std::string& file,
           ScenarioChanges changes,
           const Json& point,
           const std::vector<uint64_t>& seeds)
{
    try
    {
        changes.sets.insert(changes.sets.end(), point.at("sets").begin(), point.at("sets").end());
        const Scenario scenario = ReadScenario(file, changes);
        const TopologyGraph graph = MakeTopology(scenario);
        MakePartition(scenario, graph, point.at("ranks").get<uint32_t>());
        return DescribeCost(scenario, graph, seeds);
    }
    catch (const std::exception& error)
    {
        return {{"error", error.what()}};
    }
}

/// @return a line of the standard input as JSON. @throws InputError
Json
ParseLine(const std::string& line)
{
    try
    {
        return Json::parse(line);
    }
    catch (const Json::exception&)
    {
        throw InputError("check: --points: expected a line of JSON on the standard input");
    }
}

} // namespace

void
CheckPoints(const std::string& file, ScenarioChanges changes, const CheckCommandOptions& options)
{
    std::string line;
    std::getline(std::cin, line);
    changes.text = ParseLine(line).get<std::string>();
    while (std::getline(std::cin, line))
    {
        const Json answer = CheckPoint(file, changes, ParseLine(line), options.seeds);
        // Text that is no UTF-8 may stand in a message.
        std::cout << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
}

void
CheckCommand(const std::string& file,
             const ScenarioChanges& changes,
             const CheckCommandOptions& options)
{
    if (options.hasPoints)
    {
        CheckPoints(file, changes, options);
        return;
    }
    const Scenario scenario = ReadScenario(file, changes);
    const TopologyGraph graph = MakeTopology(scenario);
    MakePartition(scenario, graph, options.ranks);
    PrintWarnings(scenario);
    if (!options.hasCost)
    {
        std::cout << WriteScenario(scenario);
        return;
    }
    std::cout << DescribeCost(scenario, graph, options.seeds).dump(SCENARIO_INDENT) << '\n';
}

} // namespace ns3::rdma
