// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../tool-options.h"
#include "../whole-number.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/perftest-option-table.h"
#include "ns3/perftest-run.h"
#include "ns3/perftest-scenario.h"
#include "ns3/queue-pair-room.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/// Values of the options, as text where the option has a unit or bounds.
struct PerftestWords
{
    PerftestRequest request; ///< All but the members below.
    std::string test;
    std::string host; ///< Of the server; empty: none.
    std::string hardware{"off"};
    std::string out;                  ///< Folder for perftest.json; empty: none.
    bool hasPcap{false};              ///< A capture for each size, in the folder.
    bool hasJson{false};              ///< On standard output, instead of the table.
    std::vector<UnusedOption> unused; ///< Options without an effect.
};

/// @return what is wrong, or nothing
std::string
CheckNumber(const std::string& text)
{
    return CheckWholeNumber(text, "a whole number below 2^32", UINT32_MAX);
}

/// @throws std::runtime_error if the disk is full, for example
void
WriteFile(const fs::path& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
    {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

PerftestTaps
MakeTaps(const PerftestWords& command, uint64_t size)
{
    PerftestTaps taps;
    if (command.hasPcap)
    {
        taps.pcap = (fs::path(command.out) / ("client-" + std::to_string(size) + ".pcap")).string();
    }
    return taps;
}

void
MakeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
    {
        throw InputError(folder.string() +
                         ": expected a folder that can be written, got: " + error.message());
    }
}

/// Prints the table line by line, unless it shall be JSON.
std::vector<PerftestResult>
RunSizes(const PerftestWords& command,
         const PerftestOptions& options,
         const Scenario& scenario,
         const PerftestReport& report)
{
    std::vector<PerftestResult> results;
    if (!command.hasJson)
    {
        report.WriteHead(std::cout);
    }
    for (const uint64_t size : options.sizes)
    {
        results.push_back(RunPerftest(scenario, options, size, MakeTaps(command, size)));
        if (!command.hasJson)
        {
            report.WriteLine(std::cout, results.back());
        }
    }
    return results;
}

/// Options that perftest does not have.
void
AddOwnOptions(CLI::App& command, PerftestWords& options)
{
    PerftestRequest& request = options.request;
    command.add_option("--nic", request.nic, "NIC preset")->capture_default_str();
    command.add_option("--peer-nic", request.peerNic, "NIC preset of the server's end (--nic)");
    command.add_option("--hardware", options.hardware, "Time of NICs and hosts: off or on")
        ->check(CLI::IsMember({"off", "on"}))
        ->capture_default_str();
    command
        .add_option("--threads", request.threads, "Threads of each host, with --hardware on (1)")
        ->check(CheckNumber);
    command.add_option("--loss",
                       request.lossRate,
                       "Loss probability of each packet on each link (0)");
    command.add_option("--seed", request.seed, "Seed of losses and of hardware's random times")
        ->check(CheckNumber)
        ->capture_default_str();
    command.add_option("--rate", request.rate, "Rate of the servers' links")->capture_default_str();
    command.add_option("--delay", request.delay, "Delay of each link")->capture_default_str();
    command
        .add_option("--fabric", request.servers, "Number of servers in a fat-tree (back to back)")
        ->check(CheckNumber);
    command.add_option("--machine",
                       request.machine,
                       "Server of the NICs, with --hardware on: a shipped machine or a file");
    command.add_option("--set", request.settings, "Attribute, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command
        .add_option("--service",
                    request.services,
                    "JSON of a service at both ends, as in $.kernels, with slots (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    command.add_option("--out", options.out, "Folder for perftest.json");
    command.add_option("--burst", request.burst, "Messages between two gaps (no gaps)")
        ->check(CheckNumber);
    command.add_option("--gap",
                       request.gap,
                       "Time from the end of a burst to the next, as 4us (0s)");
    command.add_flag("--pcap",
                     options.hasPcap,
                     "Captures of the client's port, in the folder of --out");
}

/// Runs a test and prints its results.
class PerftestCommand : public Command
{
  public:
    PerftestCommand()
        : Command({"perftest",
                   "Measure a NIC as perftest does",
                   "  rocelab perftest write_bw -s 65536 -q 2 --nic connectx6\n"
                   "  rocelab perftest write_lat -s 64 --nic srnic --hardware on\n"
                   "  rocelab perftest ib_send_bw -d mlx5_0 -a -q 4 --report_gbits 10.0.0.1\n"
                   "  rocelab perftest read_bw -a --json",
                   40})
    {
    }

    void AddOptions(CLI::App& command) override;

    void EditWords(std::vector<std::string>& words) const override
    {
        CompleteOptionNames(*m_command, words);
    }

    int Run(const CommandContext& context) override;

  private:
    PerftestWords m_words;
    const CLI::App* m_command{nullptr}; ///< After AddOptions().
};

/// @return EXIT_ERROR if a result is below a limit, as perftest ends then.
int
CheckLimits(const PerftestReport& report, const std::vector<PerftestResult>& results)
{
    int status = EXIT_GOOD;
    for (const PerftestResult& result : results)
    {
        const std::string missed = report.FindMissedLimit(result);
        if (!missed.empty())
        {
            std::cerr << "rocelab: perftest: " << missed << '\n';
            status = EXIT_ERROR;
        }
    }
    return status;
}

void
PerftestCommand::AddOptions(CLI::App& command)
{
    m_command = &command;
    command
        .add_option("test",
                    m_words.test,
                    "Test: write_bw or ib_write_bw, send_lat, ... (docs/study/perftest.md)")
        ->required();
    command.add_option("host", m_words.host, "Host of the server, which has no effect");
    for (const PerftestOption& option : GetPerftestOptions())
    {
        AddToolOption(command, option, m_words.request, m_words.unused);
    }
    AddOwnOptions(command, m_words);
}

int
PerftestCommand::Run(const CommandContext&)
{
    PerftestRequest request = m_words.request;
    request.kind = ParsePerftestKind(m_words.test);
    request.isHardwareTimed = m_words.hardware == "on";
    const PerftestOptions options = ResolvePerftest(request);
    const Scenario scenario = MakePerftestScenario(request, options.mtu);
    CheckQueuePairRoom("perftest", "--qp", scenario, options.queuePairs);
    if (m_words.hasPcap && m_words.out.empty())
    {
        throw InputError("perftest: --pcap: expected --out DIR as well, got none");
    }
    if (!m_words.out.empty())
    {
        MakeFolder(m_words.out);
    }
    if (!m_words.host.empty())
    {
        m_words.unused.push_back({"the host name"});
    }
    PrintNotes("perftest", DescribeUnused(m_words.unused));
    PrintNotes("perftest", options.notes);
    const PerftestReport report(request, options);
    std::vector<PerftestResult> results;
    try
    {
        results = RunSizes(m_words, options, scenario, report);
    }
    catch (const PerftestFailure& failure)
    {
        std::cerr << "rocelab: perftest: " << failure.what() << '\n';
        return EXIT_STALLED;
    }
    const std::string json = report.WriteJson(results);
    if (m_words.hasJson)
    {
        std::cout << json;
    }
    else
    {
        report.WriteFoot(std::cout, results);
    }
    if (!m_words.out.empty())
    {
        WriteFile(fs::path(m_words.out) / "perftest.json", json);
    }
    if (request.hasOwnJson)
    {
        WriteFile(request.ownJsonFile, report.WriteOwnJson(results.back()));
    }
    return CheckLimits(report, results);
}

const RegisteredCommand<PerftestCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
