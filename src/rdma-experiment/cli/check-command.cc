// SPDX-License-Identifier: GPL-2.0-only

#include "check-command.h"

#include "workload-warnings.h"

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

} // namespace

void
CheckCommand(const std::string& file,
             const ScenarioChanges& changes,
             const CheckCommandOptions& options)
{
    const Scenario scenario = ReadScenario(file, changes);
    const TopologyGraph graph = MakeTopology(scenario);
    MakePartition(scenario, graph, options.ranks);
    PrintWarnings(scenario);
    if (!options.hasCost)
    {
        std::cout << WriteScenario(scenario);
        return;
    }
    Json json{{"scenario", MakeScenarioJson(scenario, scenario.nics)},
              {"files", MakeDigest(scenario).files},
              {"costs", Json::array()}};
    std::vector<uint64_t> seeds = options.seeds;
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
    std::cout << json.dump(SCENARIO_INDENT) << '\n';
}

} // namespace ns3::rdma
