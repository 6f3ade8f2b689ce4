// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../scenario-options.h"
#include "../workload-warnings.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/run-cost.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
        const auto prepared = PrepareScenario(file, changes);
        const Scenario& scenario = prepared->scenario;
        const TopologyGraph& graph = prepared->input.GetTopology();
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

/// Validates a scenario; prints it, or the costs of its runs.
class CheckCommand : public Command
{
  public:
    CheckCommand()
        : Command(
              {"check",
               "Validate a scenario and print it resolved",
               "  rocelab check my.json                            all values that would be used\n"
               "  rocelab check my.json --cost --seeds 1,2,3       packet-hops of each run",
               20})
    {
    }

    void AddOptions(CLI::App& command) override;

    std::vector<std::string> GetPlugins() const override
    {
        return m_options.changes.plugins;
    }

    int Run(const CommandContext& context) override;

  private:
    /**
     * Reads points of a sweep from the standard input, one by one, and answers each with a line.
     *
     * The first line is the text of the scenario as a JSON string. Each line after it is a point,
     * {"sets": ["PATH=VALUE", ...], "ranks": 1}. An answer is the output of --cost on one line, or
     * {"error": "message"}.
     *
     * @throws InputError if a line has another form
     */
    void CheckPoints() const;

    ScenarioOptions m_options;
    bool m_hasCost{false};         ///< Prints JSON with the cost of each run.
    std::vector<uint64_t> m_seeds; ///< Seeds to estimate; empty: the scenario's.
    bool m_hasPoints{false};       ///< Answers points from the standard input, line by line.
    uint32_t m_ranks{1};           ///< Processes that share a run.
};

void
CheckCommand::AddOptions(CLI::App& command)
{
    constexpr int MAX_RANKS{65536};
    AddScenarioOptions(command, m_options);
    CLI::Option* const cost =
        command.add_flag("--cost", m_hasCost, "Estimated packet-hops of each run, as JSON");
    command.add_option("--seeds", m_seeds, "Seeds to estimate: 1,2,3")
        ->delimiter(',')
        ->check(CheckSeed)
        ->needs(cost);
    CLI::Option* const points = command.add_flag(
        "--points",
        m_hasPoints,
        "Scenario and points of a sweep from the standard input (docs/study/sweep.md)");
    points->needs(cost)->excludes("--nic");
    command.add_option("--ranks", m_ranks, "Number of ranks that share a run")
        ->check(CLI::Range(1, MAX_RANKS))
        ->capture_default_str();
}

void
CheckCommand::CheckPoints() const
{
    std::string line;
    std::getline(std::cin, line);
    ScenarioChanges changes = m_options.changes;
    changes.text = ParseLine(line).get<std::string>();
    while (std::getline(std::cin, line))
    {
        const Json answer = CheckPoint(m_options.scenario, changes, ParseLine(line), m_seeds);
        // Text that is no UTF-8 may stand in a message.
        std::cout << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
}

int
CheckCommand::Run(const CommandContext&)
{
    if (m_hasPoints)
    {
        CheckPoints();
        return EXIT_GOOD;
    }
    const auto prepared = PrepareScenario(m_options.scenario, m_options.changes);
    const Scenario& scenario = prepared->scenario;
    const TopologyGraph& graph = prepared->input.GetTopology();
    MakePartition(scenario, graph, m_ranks);
    PrintWarnings(prepared->input);
    if (m_hasCost)
    {
        std::cout << DescribeCost(scenario, graph, m_seeds).dump(SCENARIO_INDENT) << '\n';
    }
    else
    {
        std::cout << WriteScenario(scenario);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<CheckCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
