// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../tool-options.h"

#include "ns3/collective-report.h"
#include "ns3/collective-stages.h"
#include "ns3/exit-status.h"
#include "ns3/flow-log.h"
#include "ns3/input-error.h"
#include "ns3/json-document.h"
#include "ns3/json-value.h"
#include "ns3/nccl-keys.h"
#include "ns3/nccl-option-table.h"
#include "ns3/nccl-test-report.h"
#include "ns3/quantity.h"
#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* GROUP{"ranks"};
constexpr uint64_t MAX_RANKS{4096};
constexpr uint32_t MAX_ITERATIONS{100'000};

[[noreturn]] void
Fail(const std::string& option, const std::string& expected, const std::string& got)
{
    throw InputError("nccl: " + option + ": expected " + expected + ", got " + got);
}

/// Prints the table of nccl-tests for a collective on simulated NICs.
class NcclCommand : public Command
{
  public:
    NcclCommand()
        : Command(
              {"nccl",
               "Measure collectives as nccl-tests do",
               "  rocelab nccl all_reduce -b 8 -e 1G -f 2 -g 64 --nic srnic\n"
               "  rocelab nccl all_gather_perf -b 1M -e 1G -f 2 --np 64 -g 1 -x NCCL_ALGO=Ring\n"
               "  rocelab nccl alltoall -b 1M -e 16M -f 4 --scenario fabric.json --nic connectx6",
               41})
    {
    }

    void AddOptions(CLI::App& command) override;

    void EditWords(std::vector<std::string>& words) const override
    {
        CompleteOptionNames(*m_command, words);
    }

    int Run(const CommandContext& context) override;

  private:
    /// Checks what the options say together, and completes it.
    void Resolve();
    Json MakeScenario(uint64_t size) const;
    Json MakeWorkload(uint64_t size) const;
    Json MakeFabric() const;
    /// @return whether all iterations are complete.
    bool RunSize(uint64_t size, NcclTestReport& report);

    /// @return the name of the scenario for messages.
    std::string GetFile() const
    {
        return m_scenario.empty() ? "nccl" : m_scenario;
    }

    /// @return whether NCCL's model chooses; the table then has two more columns.
    bool HasChoice() const
    {
        return m_request.algorithm == NcclKeys::AUTO || m_request.protocol == NcclKeys::AUTO;
    }

    ScenarioChanges MakeChanges(uint64_t size) const;
    Scenario Read(uint64_t size) const;
    /// @return the lines before the table. @param sizes that are measured @throws InputError
    NcclSetting Describe(const std::vector<uint64_t>& sizes) const;
    Json Measure(uint64_t size) const;

    std::string m_test;
    const NcclTest* m_program{nullptr}; ///< Of m_test.
    NcclTestRequest m_request;
    std::vector<std::string> m_variables;
    std::vector<UnusedOption> m_unused; ///< Options without an effect.
    uint64_t m_ranks{0};
    std::optional<uint32_t> m_mtu;
    std::string m_nic{"connectx6"};
    std::string m_hardware{"off"};
    std::string m_rate{"100Gbps"};
    std::string m_delay{"1us"};
    std::string m_scenario;
    std::string m_machine;
    std::vector<std::string> m_settings;
    bool m_isPlain{false};
    bool m_hasJson{false};
    Json m_rows = Json::array();
    const CLI::App* m_command{nullptr}; ///< After AddOptions().
};

void
NcclCommand::AddOptions(CLI::App& command)
{
    m_command = &command;
    command.add_option("test", m_test, "Program of nccl-tests: all_reduce or all_reduce_perf, ...")
        ->required();
    for (const NcclOption& option : GetNcclOptions())
    {
        AddToolOption(command, option, m_request, m_unused);
    }
    command.add_option("--np", m_request.processes, "Processes of mpirun (1)");
    std::string names;
    for (const NcclOption& variable : GetNcclVariables())
    {
        names += variable.apply ? std::string(names.empty() ? "" : ", ") + variable.name : "";
    }
    command
        .add_option("-x,--env",
                    m_variables,
                    "Variable of the environment, NAME=VALUE as mpirun's -x (repeatable): " + names)
        ->allow_extra_args(false);
    command.add_option("--algo",
                       m_request.algorithm,
                       "Algorithm (docs/models/collectives.md), or auto");
    command.add_option("--proto", m_request.protocol, "Protocol: simple, ll, ll128 or auto");
    command.add_option("--channels", m_request.channels, "Parallel rings (1)");
    command.add_option("--mtu", m_mtu, "Largest payload of a packet, bytes (4096; a scenario's)");
    command.add_option("--nic", m_nic, "NIC preset")->capture_default_str();
    command.add_option("--hardware", m_hardware, "Time of NICs and hosts: off or on")
        ->check(CLI::IsMember({"off", "on"}))
        ->capture_default_str();
    CLI::Option* rate = command.add_option("--rate", m_rate, "Rate of the star's links");
    CLI::Option* delay = command.add_option("--delay", m_delay, "Delay of the star's links");
    rate->capture_default_str();
    delay->capture_default_str();
    command
        .add_option("--scenario",
                    m_scenario,
                    "Scenario whose fabric is used instead of a star; its first servers are ranks")
        ->excludes(rate, delay);
    command.add_option("--machine",
                       m_machine,
                       "Server of the NICs, with --hardware on: a shipped machine or a file");
    command.add_option("--set", m_settings, "Attribute, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--plain", m_isPlain, "Messages without NCCL's clear-to-send");
    command.add_flag("--adaptive-routing",
                     m_request.isAdaptive,
                     "Data and notification as separate WRITEs (NCCL_IB_ADAPTIVE_ROUTING)");
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

Json
NcclCommand::MakeFabric() const
{
    constexpr uint32_t DEFAULT_MTU{4096};
    if (m_scenario.empty())
    {
        return {{"topology", "star"},
                {"servers", m_ranks},
                {"hostRate", m_rate},
                {"linkDelay", m_delay},
                {"mtu", m_mtu.value_or(DEFAULT_MTU)}};
    }
    const nlohmann::json document = ReadJsonFile(m_scenario);
    Json fabric = JsonValue(document, m_scenario, "$").Get("fabric").GetJson();
    if (m_mtu && fabric.is_object())
    {
        fabric["mtu"] = *m_mtu;
    }
    return fabric;
}

Json
NcclCommand::MakeWorkload(uint64_t size) const
{
    Json workload{{"type", "collective"},
                  {"operation", m_program->operation},
                  {"size", size},
                  {"group", GROUP},
                  {"iterations", m_request.iterations + m_request.warmup},
                  {"warmup", m_request.warmup}};
    const bool isAllToAll = workload["operation"] == "all-to-all";
    if (!m_request.algorithm.empty() || isAllToAll)
    {
        workload["algorithm"] = m_request.algorithm.empty() ? "nccl" : m_request.algorithm;
    }
    if (!m_request.protocol.empty())
    {
        workload["protocol"] = m_request.protocol;
    }
    if (m_program->hasRoot)
    {
        workload["root"] = m_request.root;
    }
    const std::pair<const char*, std::optional<uint32_t>> counts[] = {
        {"channels", m_request.channels},
        {"channelsPerPeer", m_request.channelsPerPeer},
        {"maxPeers", m_request.maxPeers},
        {"chunk", m_request.chunk},
        {"timeout", m_request.timeout},
        {"retries", m_request.retries},
        {"dscp", m_request.dscp},
        {"priority", m_request.priority}};
    for (const auto& [key, count] : counts)
    {
        if (count)
        {
            workload[key] = *count;
        }
    }
    if (!m_isPlain)
    {
        workload["library"] = m_request.isAdaptive ? "nccl-adaptive-routing" : "nccl";
    }
    return workload;
}

Json
NcclCommand::MakeScenario(uint64_t size) const
{
    Json attributes = Json::object();
    for (const std::string& setting : m_settings)
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
        {
            Fail("--set", "NAME=VALUE", setting);
        }
        attributes[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    Json nic = {{"preset", m_nic}, {"hardware", m_hardware}};
    if (!m_machine.empty())
    {
        nic["machine"] = m_machine;
    }
    return {{"name", "nccl"},
            {"fabric", MakeFabric()},
            {"groups", {{GROUP, Json::array({Json::array({0, m_ranks - 1})})}}},
            {"nics", Json::array({nic})},
            {"attributes", attributes},
            {"workload", MakeWorkload(size)}};
}

ScenarioChanges
NcclCommand::MakeChanges(uint64_t size) const
{
    ScenarioChanges changes;
    changes.text = MakeScenario(size).dump();
    return changes;
}

Scenario
NcclCommand::Read(uint64_t size) const
{
    return ReadScenario(GetFile(), MakeChanges(size));
}

NcclSetting
NcclCommand::Describe(const std::vector<uint64_t>& sizes) const
{
    const auto prepared = PrepareScenario(GetFile(), MakeChanges(sizes.front()));
    const FabricSpec& fabric = prepared->scenario.fabric;
    const TopologyGraph& graph = prepared->input.GetTopology();
    const uint32_t server = graph.GetServers().front();
    const auto link = std::find_if(graph.links.begin(), graph.links.end(), [&](const auto& one) {
        return one.a == server || one.b == server;
    });
    std::string text = fabric.topology->GetInfo().name + " of " +
                       std::to_string(graph.GetServerCount()) + " servers, MTU " +
                       std::to_string(fabric.mtuBytes);
    if (link != graph.links.end())
    {
        text += ", link of server " + std::to_string(server) + " " + FormatRate(link->rate) + " " +
                FormatTime(link->delay);
    }
    return {sizes.front(), sizes.back(), m_ranks, m_nic, m_hardware, text};
}

Json
NcclCommand::Measure(uint64_t size) const
{
    const Scenario scenario = Read(size);
    std::ostringstream flows;
    FlowLog log(flows);
    SimulationRun run(scenario, scenario.nics.front());
    const RunReport report = run.Run(log, [](const RunProgress&) { return true; });
    for (const std::string& trouble : report.parts.front().troubles)
    {
        std::cerr << "rocelab: nccl: " << trouble << '\n';
    }
    return report.parts.front().summary;
}

bool
NcclCommand::RunSize(uint64_t size, NcclTestReport& report)
{
    const Json summary = Measure(size);
    if (summary["completed"] != summary["iterations"])
    {
        return false;
    }
    if (m_hasJson)
    {
        m_rows.push_back(summary);
        return true;
    }
    // As nccl-tests: the time of all iterations by their number.
    report.WriteLine(std::cout,
                     {size,
                      summary["period_us"].get<double>(),
                      GetBusFactor(m_program->operation, summary["ranks"].get<uint32_t>()),
                      HasChoice() ? summary["algorithm"].get<std::string>() : "",
                      HasChoice() ? summary["protocol"].get<std::string>() : ""});
    return true;
}

void
NcclCommand::Resolve()
{
    m_program = &FindNcclTest(m_test);
    for (const std::string& variable : m_variables)
    {
        ReadNcclVariable(variable, m_request, m_unused);
    }
    ApplyNcclVariables(*m_program, m_request);
    m_ranks = CountRanks(m_request);
    if (m_ranks < 2 || m_ranks > MAX_RANKS)
    {
        Fail("--ngpus", "from 2 to 4096 ranks in all", std::to_string(m_ranks));
    }
    if (m_request.iterations < 1 || m_request.iterations > MAX_ITERATIONS)
    {
        Fail("--iters", "from 1 to 100000", std::to_string(m_request.iterations));
    }
    if (m_request.warmup > MAX_ITERATIONS)
    {
        Fail("--warmup_iters", "from 0 to 100000", std::to_string(m_request.warmup));
    }
    if (m_isPlain && m_request.isAdaptive)
    {
        Fail("--adaptive-routing", "no --plain beside it", "both");
    }
}

int
NcclCommand::Run(const CommandContext&)
{
    Resolve();
    const NcclSizes sizes = ListNcclSizes(m_request);
    // What is wrong is reported before anything is printed.
    const NcclSetting setting = Describe(sizes.bytes);
    if (sizes.isCut)
    {
        m_request.notes.emplace_back("sizes above 2G are left out: a message has 2 GiB at most");
    }
    PrintNotes("nccl", DescribeUnused(m_unused));
    PrintNotes("nccl", m_request.notes);
    NcclTestReport report(*m_program, m_request, HasChoice());
    if (!m_hasJson)
    {
        report.WriteSetting(std::cout, setting);
        report.WriteHead(std::cout);
    }
    for (const uint64_t size : sizes.bytes)
    {
        if (!RunSize(size, report))
        {
            return EXIT_STALLED;
        }
    }
    if (m_hasJson)
    {
        std::cout << m_rows.dump(2) << '\n';
    }
    else
    {
        report.WriteFoot(std::cout);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<NcclCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
