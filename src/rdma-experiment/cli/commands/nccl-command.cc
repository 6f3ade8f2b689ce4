// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../whole-number.h"

#include "ns3/collective-report.h"
#include "ns3/collective-stages.h"
#include "ns3/exit-status.h"
#include "ns3/flow-log.h"
#include "ns3/input-error.h"
#include "ns3/json-document.h"
#include "ns3/json-value.h"
#include "ns3/quantity.h"
#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// A program of nccl-tests.
struct NcclTest
{
    const char* name;
    const char* operation;
    const char* reduction; ///< Column "redop".
};

constexpr NcclTest TESTS[]{{"all_reduce", "all-reduce", "sum"},
                           {"all_gather", "all-gather", "none"},
                           {"reduce_scatter", "reduce-scatter", "sum"},
                           {"alltoall", "all-to-all", "none"},
                           {"broadcast", "broadcast", "none"},
                           {"reduce", "reduce", "sum"},
                           {"sendrecv", "send-receive", "sum"}};

constexpr uint64_t MAX_SIZE{uint64_t{1} << 31};
constexpr uint64_t FLOAT_BYTES{4};
constexpr const char* GROUP{"ranks"};

[[noreturn]] void
Fail(const std::string& option, const std::string& expected, const std::string& got)
{
    throw InputError("nccl: " + option + ": expected " + expected + ", got " + got);
}

/// @return bytes of a size as nccl-tests writes it, "8", "64K", "1G", or with our units.
uint64_t
ReadSize(const std::string& option, const std::string& text)
{
    std::optional<uint64_t> size = ParseWholeNumber(text);
    if (!size && !text.empty())
    {
        const bool isShort = std::string("KMG").find(text.back()) != std::string::npos;
        size = ParseBytes(isShort ? text + "iB" : text);
    }
    if (!size || *size < 1 || *size > MAX_SIZE)
    {
        Fail(option, "a size from 1 to 2G, such as 8, 64K or 1MiB", text.empty() ? "none" : text);
    }
    return *size;
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
               "  rocelab nccl alltoall -b 1M -e 16M -f 4 --scenario fabric.json --nic connectx6",
               41})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    std::vector<uint64_t> ListSizes() const;
    Json MakeScenario(const NcclTest& test, uint64_t size) const;
    Json MakeFabric() const;
    bool RunSize(const NcclTest& test, uint64_t size);

    /// @return whether NCCL's model chooses; the table then has two more columns.
    bool HasChoice() const
    {
        return m_algorithm == "auto" || m_protocol == "auto";
    }

    Scenario Read(const NcclTest& test, uint64_t size) const;
    Json Measure(const NcclTest& test, uint64_t size) const;

    std::string m_test;
    std::string m_begin{"32M"};
    std::string m_end{"32M"};
    uint32_t m_factor{2};
    uint32_t m_ranks{8};
    uint32_t m_iterations{1};
    uint32_t m_warmup{0};
    std::string m_algorithm;
    std::string m_protocol; ///< Empty: that of a scenario without the key.
    std::string m_nic{"connectx6"};
    std::string m_hardware{"off"};
    std::string m_rate{"100Gbps"};
    std::string m_delay{"1us"};
    std::string m_scenario;
    std::vector<std::string> m_settings;
    bool m_isPlain{false};
    bool m_isAdaptive{false};
    bool m_hasJson{false};
    Json m_rows = Json::array();
};

void
NcclCommand::AddOptions(CLI::App& command)
{
    std::vector<std::string> names;
    for (const NcclTest& test : TESTS)
    {
        names.emplace_back(test.name);
    }
    command.add_option("test", m_test, "Program of nccl-tests: all_reduce, alltoall, ...")
        ->required()
        ->check(CLI::IsMember(names));
    command.add_option("-b,--minbytes", m_begin, "Smallest size")->capture_default_str();
    command.add_option("-e,--maxbytes", m_end, "Largest size")->capture_default_str();
    command.add_option("-f,--stepfactor", m_factor, "Factor between two sizes")
        ->check(CLI::Range(2U, 1U << 20))
        ->capture_default_str();
    command.add_option("-g,--ngpus", m_ranks, "Ranks, each on a server of its own")
        ->check(CLI::Range(2U, 4096U))
        ->capture_default_str();
    command.add_option("-n,--iters", m_iterations, "Measured iterations")
        ->check(CLI::Range(1U, 100'000U))
        ->capture_default_str();
    command.add_option("-w,--warmup_iters", m_warmup, "Iterations before the measured ones")
        ->check(CLI::Range(0U, 100'000U))
        ->capture_default_str();
    command.add_option("--algo", m_algorithm, "Algorithm (docs/models/collectives.md), or auto");
    command.add_option("--proto", m_protocol, "Protocol: simple, ll, ll128 or auto");
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
    command.add_option("--set", m_settings, "Attribute, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--plain", m_isPlain, "Messages without NCCL's clear-to-send");
    command.add_flag("--adaptive-routing",
                     m_isAdaptive,
                     "Data and notification as separate WRITEs (NCCL_IB_ADAPTIVE_ROUTING)");
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

std::vector<uint64_t>
NcclCommand::ListSizes() const
{
    const uint64_t end = ReadSize("--maxbytes", m_end);
    std::vector<uint64_t> sizes;
    for (uint64_t size = ReadSize("--minbytes", m_begin); size <= end; size *= m_factor)
    {
        sizes.push_back(size);
    }
    if (sizes.empty())
    {
        Fail("--maxbytes", "a size of at least --minbytes " + m_begin, m_end);
    }
    return sizes;
}

Json
NcclCommand::MakeFabric() const
{
    if (m_scenario.empty())
    {
        return {{"topology", "star"},
                {"servers", m_ranks},
                {"hostRate", m_rate},
                {"linkDelay", m_delay},
                {"mtu", 4096}};
    }
    const nlohmann::json document = ReadJsonFile(m_scenario);
    return JsonValue(document, m_scenario, "$").Get("fabric").GetJson();
}

Json
NcclCommand::MakeScenario(const NcclTest& test, uint64_t size) const
{
    Json workload{{"type", "collective"},
                  {"operation", test.operation},
                  {"size", size},
                  {"group", GROUP},
                  {"iterations", m_iterations + m_warmup},
                  {"warmup", m_warmup}};
    const bool isAllToAll = workload["operation"] == "all-to-all";
    if (!m_algorithm.empty() || isAllToAll)
    {
        workload["algorithm"] = m_algorithm.empty() ? "nccl" : m_algorithm;
    }
    if (!m_protocol.empty())
    {
        workload["protocol"] = m_protocol;
    }
    if (!m_isPlain)
    {
        workload["library"] = m_isAdaptive ? "nccl-adaptive-routing" : "nccl";
    }
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
    return {{"name", "nccl"},
            {"fabric", MakeFabric()},
            {"groups", {{GROUP, Json::array({Json::array({0, m_ranks - 1})})}}},
            {"nics", Json::array({{{"preset", m_nic}, {"hardware", m_hardware}}})},
            {"attributes", attributes},
            {"workload", workload}};
}

Scenario
NcclCommand::Read(const NcclTest& test, uint64_t size) const
{
    ScenarioChanges changes;
    changes.text = MakeScenario(test, size).dump();
    return ReadScenario(m_scenario.empty() ? "nccl" : m_scenario, changes);
}

Json
NcclCommand::Measure(const NcclTest& test, uint64_t size) const
{
    const Scenario scenario = Read(test, size);
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
NcclCommand::RunSize(const NcclTest& test, uint64_t size)
{
    const Json summary = Measure(test, size);
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
    constexpr double NS_PER_US{1000};
    const double time = summary["period_us"].get<double>();
    const double algorithm = static_cast<double>(size) / (time * NS_PER_US);
    const double factor = GetBusFactor(test.operation, summary["ranks"].get<uint32_t>());
    const bool hasRoot = summary["operation"] == "broadcast" || summary["operation"] == "reduce";
    std::cout << std::setw(12) << size << std::setw(14) << size / FLOAT_BYTES << std::setw(10)
              << "float" << std::setw(8) << test.reduction << std::setw(8) << (hasRoot ? 0 : -1)
              << std::fixed << std::setprecision(2) << std::setw(13) << time << std::setw(9)
              << algorithm << std::setw(9) << algorithm * factor;
    if (HasChoice())
    {
        std::cout << std::setw(13) << summary["algorithm"].get<std::string>() << std::setw(8)
                  << summary["protocol"].get<std::string>();
    }
    std::cout << std::endl;
    return true;
}

int
NcclCommand::Run(const CommandContext&)
{
    const NcclTest& test = *std::find_if(std::begin(TESTS),
                                         std::end(TESTS),
                                         [this](const auto& one) { return one.name == m_test; });
    if (m_isPlain && m_isAdaptive)
    {
        Fail("--adaptive-routing", "no --plain beside it", "both");
    }
    const std::vector<uint64_t> sizes = ListSizes();
    Read(test, sizes.front()); // What is wrong is reported before anything is printed.
    if (!m_hasJson)
    {
        std::cout << "#       size         count      type   redop    root         time   algbw    "
                     "busbw"
                  << (HasChoice() ? "    algorithm   proto" : "")
                  << "\n#        (B)    (elements)                               (us)  (GB/s)   "
                     "(GB/s)\n";
    }
    for (const uint64_t size : sizes)
    {
        if (!RunSize(test, size))
        {
            return EXIT_STALLED;
        }
    }
    if (m_hasJson)
    {
        std::cout << m_rows.dump(2) << '\n';
    }
    return EXIT_GOOD;
}

const RegisteredCommand<NcclCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
