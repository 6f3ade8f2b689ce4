// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../rank-options.h"
#include "../scenario-options.h"
#include "../usable-cores.h"
#include "../workload-warnings.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/run-cost.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// What is asked about runs.
struct CostRequest
{
    std::vector<uint64_t> seeds; ///< Empty: the scenario's.
    uint32_t ranks{1};
};

/// @return what an estimate leaves out, for this scenario.
Json
ListNotCounted(const Scenario& scenario, const RunCost& cost)
{
    Json list = Json::array();
    if (cost.isWithTraffic)
    {
        list.push_back("packet-hops of traffic that is no flow and no collective");
    }
    if (scenario.run.precision > 0)
    {
        list.push_back("an earlier end by run.precision");
    }
    if (!scenario.linkEvents.empty())
    {
        list.push_back("link events");
    }
    return list;
}

Json
DescribeRun(PreparedScenario& prepared, const NicSpec& nic, uint64_t seed)
{
    constexpr double MILLI{1e3};
    Scenario seeded = prepared.scenario;
    seeded.run.seed = seed;
    const TopologyGraph& graph = prepared.input.GetTopology();
    const RunCost cost = EstimateCost(seeded, nic, graph);
    const double seconds = std::round(EstimateSeconds(cost, graph) * MILLI) / MILLI;
    return {{"nic", nic.name},
            {"seed", seed},
            {"flows", cost.flows},
            {"packets", cost.packets},
            {"packet_hops", cost.packetHops},
            {"other_traffic", cost.isWithTraffic},
            {"processor_seconds", cost.isWithTraffic ? Json() : Json(seconds)},
            {"not_counted", ListNotCounted(seeded, cost)}};
}

/// @return the scenario and the cost of each NIC's run with each seed
Json
DescribeCost(PreparedScenario& prepared, const CostRequest& request)
{
    const Scenario& scenario = prepared.scenario;
    ScenarioDigest digest = MakeDigest(scenario);
    digest.files.merge(digest.shipped); // No name is a path too.
    Json json{{"scenario", MakeScenarioJson(scenario, scenario.nics)},
              {"files", digest.files},
              {"ranks", request.ranks},
              {"costs", Json::array()}};
    const std::vector<uint64_t> seeds =
        request.seeds.empty() ? std::vector{scenario.run.seed} : request.seeds;
    for (const NicSpec& nic : scenario.nics)
    {
        for (const uint64_t seed : seeds)
        {
            json["costs"].push_back(DescribeRun(prepared, nic, seed));
        }
    }
    return json;
}

/// @return the answer to one point
Json
CheckPoint(const std::string& file, ScenarioChanges changes, const Json& point, CostRequest request)
{
    try
    {
        changes.sets.insert(changes.sets.end(), point.at("sets").begin(), point.at("sets").end());
        const auto prepared = PrepareScenario(file, changes);
        request.ranks = point.at("ranks").get<uint32_t>();
        MakePartition(prepared->scenario, prepared->input.GetTopology(), request.ranks);
        return DescribeCost(*prepared, request);
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
               "  rocelab check my.json --cost --seeds 1,2,3       what each run will take",
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

    /// @return the ranks of --ranks; auto: those of run with its default --jobs.
    uint32_t CountRanks(PreparedScenario& prepared) const;

    ScenarioOptions m_options;
    bool m_hasCost{false};    ///< Prints JSON with the cost of each run.
    bool m_hasPoints{false};  ///< Answers points from the standard input, line by line.
    std::string m_ranks{"1"}; ///< CheckRanks() accepts it.
    CostRequest m_request;
};

void
CheckCommand::AddOptions(CLI::App& command)
{
    constexpr uint32_t MAX_RANKS{65536};
    AddScenarioOptions(command, m_options);
    CLI::Option* const cost =
        command.add_flag("--cost",
                         m_hasCost,
                         "Estimated packet-hops and processor time of each run, as JSON");
    command.add_option("--seeds", m_request.seeds, "Seeds to estimate: 1,2,3")
        ->delimiter(',')
        ->check(CheckSeed)
        ->needs(cost);
    CLI::Option* const points = command.add_flag(
        "--points",
        m_hasPoints,
        "Scenario and points of a sweep from the standard input (docs/study/sweep.md)");
    points->needs(cost)->excludes("--nic");
    command
        .add_option("--ranks",
                    m_ranks,
                    "Number of ranks that share a run; auto: as many as run --ranks auto starts")
        ->check([](const std::string& text) { return CheckRanks(text, MAX_RANKS); })
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
        const Json answer = CheckPoint(m_options.scenario, changes, ParseLine(line), m_request);
        // Text that is no UTF-8 may stand in a message.
        std::cout << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
}

uint32_t
CheckCommand::CountRanks(PreparedScenario& prepared) const
{
    if (m_ranks != AUTOMATIC_RANKS)
    {
        return static_cast<uint32_t>(std::stoul(m_ranks));
    }
    const uint32_t cores = CountUsableCores();
    const auto nics = static_cast<uint32_t>(prepared.scenario.nics.size());
    return ChooseRanks(prepared.input, {cores, std::min(nics, cores)});
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
    m_request.ranks = CountRanks(*prepared);
    const Scenario& scenario = prepared->scenario;
    const TopologyGraph& graph = prepared->input.GetTopology();
    MakePartition(scenario, graph, m_request.ranks);
    PrintWarnings(prepared->input);
    if (!m_hasCost)
    {
        std::cout << WriteScenario(scenario);
        return EXIT_GOOD;
    }
    std::cout << DescribeCost(*prepared, m_request).dump(SCENARIO_INDENT) << '\n';
    return EXIT_GOOD;
}

const RegisteredCommand<CheckCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
