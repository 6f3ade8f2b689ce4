// SPDX-License-Identifier: GPL-2.0-only

#include "check-command.h"
#include "command-tree.h"
#include "early-stop.h"
#include "kv-dispatch-command.h"
#include "kv-dma-command.h"
#include "kv-processor-command.h"
#include "kv-store-command.h"
#include "list-command.h"
#include "mpi-rank-group.h"
#include "offload-command.h"
#include "one-line.h"
#include "option-checks.h"
#include "perftest-command.h"
#include "python-command.h"
#include "run-command.h"
#include "tcp-command.h"
#include "udp-command.h"
#include "unknown-word.h"
#include "whole-number.h"
#include "why-command.h"

#include "ns3/environment-check.h"
#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/plugin-loader.h"
#include "ns3/verbs-error.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

namespace
{

using namespace ns3::rdma;

/// Of "list": the commands themselves, which only this file knows.
constexpr const char* COMMANDS_TOPIC{"commands"};

/// The cores that this process may use, which a container or taskset can limit.
unsigned
CountCores()
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

/// @return what is wrong, or nothing
std::string
CheckSeed(const std::string& text)
{
    return CheckWholeNumber(text, "a whole number from 0 to 2^64 - 1");
}

void
AddPluginOption(CLI::App& command, RunCommandOptions& options)
{
    command.add_option("--plugin", options.changes.plugins, "Shared library to load (repeatable)")
        ->allow_extra_args(false);
}

/// Options that change a scenario on its way in.
void
AddScenarioOptions(CLI::App& command, RunCommandOptions& options)
{
    command.add_option("scenario", options.scenario, "Scenario file (JSON)")->required();
    command.add_option("--nic", options.changes.nics, "Only this NIC, or a preset (repeatable)")
        ->allow_extra_args(false);
    command
        .add_option("--set", options.changes.sets, "PATH=VALUE, as workload.load=0.5 (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--base",
                       options.changes.baseDirectory,
                       "Folder where the scenario's paths start (default: that of the file)");
    AddPluginOption(command, options);
    command.add_flag("--series",
                     options.changes.hasSeries,
                     "Write time series: queues, ports, buffers, rates (as the scenario says)");
    command.add_option("--seed", options.changes.seed, "Replaces run.seed")->check(CheckSeed);
}

void
AddCaptureOptions(CLI::App& command, CaptureWords& words)
{
    CLI::Option* const wanted =
        command.add_flag("--pcap", words.isWanted, "Capture each server: host-ID.pcap");
    command.add_option("--pcap-hosts", words.hosts, "Only these servers: 0,3")->needs(wanted);
    command.add_option("--pcap-qps", words.queuePairs, "Only these queue pairs: 2,17")
        ->needs(wanted);
    command.add_option("--pcap-opcodes", words.opcodes, "Only these opcodes: 0x81,rc-acknowledge")
        ->needs(wanted);
    command.add_flag("!--pcap-headers", words.hasPayload, "Without payload")->needs(wanted);
}

void
AddListOptions(CLI::App& command, ListRequest& request)
{
    std::vector<std::string> topics = GetListTopics();
    topics.emplace_back(COMMANDS_TOPIC);
    command.add_option("topic", request.topic, "All if missing; commands: as JSON")
        ->check(CLI::IsMember(topics));
    command.add_option("--nic", request.nic, "Preset, for topics about one");
    command.add_option("--bytes", request.bytes, "Payload of the packet (pipeline; 64)")
        ->check(CLI::Range(1, 4096));
    command
        .add_option("--qps", request.queuePairs, "Queue pairs (memory, resources; as published)")
        ->check(CLI::Range(1, 1 << 24));
    command.add_option("--tlb-entries", request.tlbEntries, "Of the TLB (resources; as published)")
        ->check(CLI::Range(1, 1 << 30));
    command.add_option("--bus-bytes", request.busBytes, "Of the data path (resources; the NIC's)")
        ->check(CLI::Range(1, 1 << 30));
    command.add_option("--services",
                       request.services,
                       "In slots: aes, dpi, as aes,dpi (resources of balboa; none)");
    command.add_flag("--json",
                     request.hasJson,
                     "As JSON (attributes, memory, pipeline, resources)");
}

void
AddCheckOptions(CLI::App& command, CheckCommandOptions& options)
{
    constexpr int MAX_RANKS{65536};
    CLI::Option* const cost =
        command.add_flag("--cost",
                         options.hasCost,
                         "As JSON with the estimated packet-hops of each NIC's run");
    command.add_option("--seeds", options.seeds, "Seeds to estimate: 1,2,3")
        ->delimiter(',')
        ->check(CheckSeed)
        ->needs(cost);
    CLI::Option* const points = command.add_flag(
        "--points",
        options.hasPoints,
        "With --cost: many at once, as docs/sweep.md has it, in place of the file's text");
    points->needs(cost)->excludes("--nic");
    command.add_option("--ranks", options.ranks, "Processes that are to share a run")
        ->check(CLI::Range(1, MAX_RANKS))
        ->capture_default_str();
}

/// The command line, once parsed.
struct CommandLine
{
    CLI::App app{"RoceLab: what does a NIC design do to a large, lossy RDMA fabric?", "rocelab"};
    CLI::App* run{nullptr};
    CLI::App* check{nullptr};
    CLI::App* list{nullptr};
    CLI::App* perftest{nullptr};
    CLI::App* tcp{nullptr};
    CLI::App* udp{nullptr};
    CLI::App* offload{nullptr};
    CLI::App* kvDispatch{nullptr};
    CLI::App* kvDma{nullptr};
    CLI::App* kvProcessor{nullptr};
    CLI::App* kvStore{nullptr};
    CLI::App* kvSlabs{nullptr};
    CLI::App* why{nullptr};
    RunCommandOptions options;
    CheckCommandOptions checkOptions;
    ListRequest listRequest;
    PerftestCommandOptions perftestOptions;
    TcpCommandOptions tcpOptions;
    UdpCommandOptions udpOptions;
    OffloadCommandOptions offloadOptions;
    KvDispatchRequest kvDispatchRequest;
    KvDmaRequest kvDmaRequest;
    KvProcessorCommandOptions kvProcessorOptions;
    KvStoreCommandOptions kvStoreOptions;
    KvSlabsCommandOptions kvSlabsOptions;
    WhyCommandOptions whyOptions;
};

void
DefineCommands(CommandLine& line)
{
    constexpr int MAX_JOBS{1024};
    line.app.set_version_flag("--version", "rocelab " ROCELAB_VERSION);
    line.app.require_subcommand(1);
    line.options.jobs = CountCores();

    line.run = line.app.add_subcommand("run", "Run each NIC of a scenario and write results");
    AddScenarioOptions(*line.run, line.options);
    line.run->add_option("--out", line.options.out, "Folder for results")->capture_default_str();
    line.run->add_option("--jobs", line.options.jobs, "NICs at a time")
        ->check(CLI::Range(1, MAX_JOBS))
        ->capture_default_str();
    CLI::Option* const quiet =
        line.run->add_flag("--quiet", line.options.isQuiet, "Print nothing but errors");
    line.run
        ->add_flag("--watch",
                   line.options.isWatched,
                   "Show flows, goodput, the fullest queues, drops and pauses while it runs")
        ->excludes(quiet);
    line.run->add_flag("--timeline",
                       line.options.hasTimeline,
                       "Write timeline.json, Chrome trace events for Perfetto");
    AddCaptureOptions(*line.run, line.options.capture);

    line.check = line.app.add_subcommand("check", "Validate a scenario and print it resolved");
    AddScenarioOptions(*line.check, line.options);
    AddCheckOptions(*line.check, line.checkOptions);

    line.list = line.app.add_subcommand("list", "List what scenarios can name");
    AddListOptions(*line.list, line.listRequest);
    AddPluginOption(*line.list, line.options);

    line.perftest = AddPerftestCommand(line.app, line.perftestOptions);
    line.tcp = AddTcpCommand(line.app, line.tcpOptions);
    line.udp = AddUdpCommand(line.app, line.udpOptions);
    line.offload = AddOffloadCommand(line.app, line.offloadOptions);
    line.kvDispatch = AddKvDispatchCommand(line.app, line.kvDispatchRequest);
    line.kvDma = AddKvDmaCommand(line.app, line.kvDmaRequest);
    line.kvProcessor = AddKvProcessorCommand(line.app, line.kvProcessorOptions);
    line.kvStore = AddKvStoreCommand(line.app, line.kvStoreOptions);
    line.kvSlabs = AddKvSlabsCommand(line.app, line.kvSlabsOptions);
    line.why = AddWhyCommand(line.app, line.whyOptions);
    AddPythonCommands(line.app);
    AddExamples(line.app);
    CheckAllValues(line.app);
}

/// Parses, and loads the plug-ins. @return an ExitStatus if there is nothing more to do
std::optional<int>
Parse(CommandLine& line, int argc, char** argv, bool isFirst)
{
    try
    {
        line.app.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0)
        {
            return isFirst ? line.app.exit(error) : EXIT_GOOD; // Help or version.
        }
        const std::string unknown = DescribeUnknownWord(line.app, argc, argv);
        const std::string message = unknown.empty() ? error.what() : unknown;
        throw InputError(message.substr(0, message.find('\n')) + " (see rocelab --help)");
    }
    LoadPlugins(line.options.changes.plugins);
    LoadPlugins(line.whyOptions.run.plugins);
    return std::nullopt;
}

/// Commands that one process does alone. @return an ExitStatus
int
DispatchAlone(const CommandLine& line)
{
    if (line.perftest->parsed())
    {
        return PerftestCommand(line.perftestOptions);
    }
    if (line.tcp->parsed())
    {
        return TcpCommand(line.tcpOptions);
    }
    if (line.udp->parsed())
    {
        return UdpCommand(line.udpOptions);
    }
    if (line.offload->parsed())
    {
        return OffloadCommand(line.offloadOptions);
    }
    if (line.kvDispatch->parsed())
    {
        return KvDispatchCommand(line.kvDispatchRequest);
    }
    if (line.kvDma->parsed())
    {
        return KvDmaCommand(line.kvDmaRequest);
    }
    if (line.kvProcessor->parsed())
    {
        return KvProcessorCommand(line.kvProcessorOptions);
    }
    if (line.kvStore->parsed())
    {
        return KvStoreCommand(line.kvStoreOptions);
    }
    if (line.kvSlabs->parsed())
    {
        return KvSlabsCommand(line.kvSlabsOptions);
    }
    if (line.why->parsed())
    {
        return WhyCommand(line.whyOptions);
    }
    if (line.check->parsed())
    {
        CheckCommand(line.options.scenario, line.options.changes, line.checkOptions);
    }
    else if (line.listRequest.topic == COMMANDS_TOPIC)
    {
        std::cout << DescribeCommands(line.app).dump(2) << '\n';
    }
    else
    {
        ListCommand(line.listRequest);
    }
    return EXIT_GOOD;
}

/// Bad input and failures are one line, whatever the names of files hold.
void
PrintError(const std::string& message)
{
    std::cerr << "rocelab: " + MakeOneLine(message) + '\n';
}

/// What was printed has to arrive. @return an ExitStatus
int
CheckOutput(int status)
{
    errno = 0;
    std::cout.flush();
    const bool hasFailed = !std::cout || std::fflush(stdout) != 0;
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    const bool hasReaderLeft = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
    if (!hasFailed || hasReaderLeft)
    {
        return status; // A reader that closes its pipe, as head does, has read enough.
    }
    PrintError("standard output: cannot be written" +
               (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
    return status == EXIT_GOOD ? EXIT_ERROR : status;
}

/// Runs the command of the command line, together with other ranks if there are any. @return an
/// ExitStatus
int
Dispatch(int argc, char** argv, RankGroup& ranks)
{
    CommandLine line;
    DefineCommands(line);
    std::optional<int> status;
    ranks.Try([&] {
        CheckEnvironment();
        status = Parse(line, argc, argv, ranks.GetRank() == 0);
        if (!status && !line.run->parsed() && ranks.GetCount() > 1)
        {
            throw InputError("expected only \"run\" on more than one rank (mpirun -n)");
        }
    });
    if (status)
    {
        return *status;
    }
    return line.run->parsed() ? RunCommand(line.options, ranks) : DispatchAlone(line);
}

/// A launcher of another MPI starts processes that are not connected.
void
CheckLauncher(const MpiRankGroup& ranks)
{
    const uint32_t started = MpiRankGroup::CountStarted();
    if (ranks.GetCount() != started)
    {
        throw RankError(0,
                        "expected " + std::to_string(started) +
                            " ranks, as many as were started, got " +
                            std::to_string(ranks.GetCount()) +
                            ": is this the mpirun of the MPI that rocelab was built with?",
                        true);
    }
}

/// No rank ends before all ignore the signal that mpirun sends to the others then.
void
EndTogether(RankGroup& ranks)
{
    IgnoreTermination();
    ranks.Share("");
}

/// As one of several ranks. The first one prints for all, unless one fails alone. @return an
/// ExitStatus
int
DispatchOnRanks(int argc, char** argv)
{
    // Outlives the exceptions: MPI that ends while one is thrown kills the process.
    std::optional<MpiRankGroup> ranks;
    try
    {
        ranks.emplace();
        CheckLauncher(*ranks);
        StopAtOnceOnSignals(ranks->GetRank() != 0);
        const int status = Dispatch(argc, argv, *ranks);
        EndTogether(*ranks);
        return status;
    }
    catch (const RankError& error)
    {
        if (ranks->GetRank() == 0)
        {
            PrintError(error.what());
        }
        EndTogether(*ranks);
        return error.IsInput() ? EXIT_BAD_INPUT : EXIT_ERROR;
    }
    catch (const std::exception& error)
    {
        if (!ranks)
        {
            PrintError(error.what());
            return EXIT_ERROR;
        }
        std::cerr << "rocelab: rank " << ranks->GetRank() << ": " << error.what()
                  << "; all ranks are stopped, no results" << std::endl;
        ranks->Abort(EXIT_ERROR);
    }
}

} // namespace

int
main(int argc, char** argv)
{
    // Links of 400 Gb/s send a byte in 20 ps.
    ns3::Time::SetResolution(ns3::Time::PS);
    if (MpiRankGroup::CountStarted() > 1)
    {
        return DispatchOnRanks(argc, argv);
    }
    StopAtOnceOnSignals(false);
    try
    {
        if (argc > 1 && IsPythonCommand(argv[1]))
        {
            ExecPythonCommand(argc, argv);
        }
        return CheckOutput(Dispatch(argc, argv, RankGroup::GetSolo()));
    }
    catch (const InputError& error)
    {
        PrintError(error.what());
        return EXIT_BAD_INPUT;
    }
    catch (const VerbsError& error)
    {
        PrintError(error.what()); // More queue pairs than the NIC has room for.
        return EXIT_BAD_INPUT;
    }
    catch (const std::bad_alloc&)
    {
        PrintError("out of memory");
        return EXIT_ERROR;
    }
    catch (const std::exception& error)
    {
        PrintError(error.what());
        return EXIT_ERROR;
    }
    catch (...)
    {
        PrintError("something was thrown that is no std::exception, perhaps by a plug-in");
        return EXIT_ERROR;
    }
}
