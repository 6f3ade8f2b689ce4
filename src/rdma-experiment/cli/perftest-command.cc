// SPDX-License-Identifier: GPL-2.0-only

#include "perftest-command.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/perftest-run.h"
#include "ns3/perftest-scenario.h"
#include "ns3/quantity.h"
#include "ns3/queue-pair-room.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

std::optional<uint64_t>
ParseWhole(const std::string& text)
{
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

/// CLI11 itself takes negative numbers for large unsigned ones. @return what is wrong, or nothing
std::string
CheckNumber(const std::string& text)
{
    const auto value = ParseWhole(text);
    return value && *value <= UINT32_MAX ? std::string()
                                         : "expected a whole number below 2^32, got " + text;
}

/// perftest's -s takes plain bytes; units are ours.
std::optional<uint64_t>
ParseSize(const std::string& text)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    const auto plain = ParseWhole(text);
    const auto size = plain ? plain : ParseBytes(text);
    if (!size)
    {
        throw InputError("perftest: --size: expected bytes such as 65536 or 64KiB, got " + text);
    }
    return size;
}

/// @throws std::runtime_error if the disk is full, for example
void
WriteFile(const fs::path& folder, const std::string& text)
{
    const fs::path path = folder / "perftest.json";
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
    {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

PerftestTaps
MakeTaps(const PerftestCommandOptions& command, uint64_t size)
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
RunSizes(const PerftestCommandOptions& command,
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

/// How requests are posted and completed; perftest writes the long names with underscores.
void
AddQueueOptions(CLI::App& command, PerftestRequest& request)
{
    command.add_option("-t,--tx-depth", request.txDepth, "Messages under way (128)")
        ->check(CheckNumber);
    command.add_option("-r,--rx-depth", request.rxDepth, "Receive requests (512)")
        ->check(CheckNumber);
    command.add_option("-o,--outs", request.outstandingReads, "READs and atomics under way (16)")
        ->check(CheckNumber);
    command
        .add_option("-I,--inline,--inline_size",
                    request.inlineBytes,
                    "Bytes that are posted inline (0; with --hardware on, latency: about 220)")
        ->check(CheckNumber);
    command
        .add_option("-Q,--cq-mod",
                    request.completionInterval,
                    "Requests per completion (1; with --hardware on: 100)")
        ->check(CheckNumber);
    command.add_option("-l,--post-list,--post_list", request.postList, "Requests per posting (1)")
        ->check(CheckNumber);
    command.add_option("--burst", request.burst, "Messages between two gaps (none)")
        ->check(CheckNumber);
    command.add_option("--gap", request.gap, "From the end of a burst to the next, as 4us (0s)");
}

/// Those that perftest does not have.
void
AddOwnOptions(CLI::App& command, PerftestCommandOptions& options)
{
    PerftestRequest& request = options.request;
    command.add_option("--nic", request.nic, "NIC preset")->capture_default_str();
    command.add_option("--peer-nic", request.peerNic, "NIC preset of the server's end (--nic)");
    command.add_option("--hardware", options.hardware, "off, or on: NICs and hosts take time")
        ->check(CLI::IsMember({"off", "on"}))
        ->capture_default_str();
    command.add_option("--threads", request.threads, "Of each host, with --hardware on (1)")
        ->check(CheckNumber);
    command.add_option("--loss", request.lossRate, "Probability of each packet on each link (0)");
    command.add_option("--rate", request.rate, "Of the servers' links")->capture_default_str();
    command.add_option("--delay", request.delay, "Of each link")->capture_default_str();
    command.add_option("--fabric", request.servers, "Servers of a fat-tree (back to back)")
        ->check(CheckNumber);
    command.add_option("--set", request.settings, "ATTRIBUTE=VALUE (repeatable)")
        ->allow_extra_args(false);
    command
        .add_option("--service",
                    request.services,
                    "JSON of a service at both ends, as in $.kernels, with slots (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--ipv6", request.hasIpv6, "IPv6 below UDP");
    command.add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    command.add_option("--out", options.out, "Folder that gets perftest.json");
    command.add_flag("--pcap", options.hasPcap, "Captures at the client, in that folder");
}

} // namespace

CLI::App*
AddPerftestCommand(CLI::App& app, PerftestCommandOptions& options)
{
    PerftestRequest& request = options.request;
    CLI::App* command = app.add_subcommand("perftest", "Measure a NIC as perftest does");
    command->add_option("test", options.test, "write_bw, send_lat, ...: see docs/perftest.md")
        ->required();
    command->add_option("-s,--size", options.size, "Bytes per message (65536; latency: 2)");
    command->add_flag("-a,--all", request.hasAllSizes, "All sizes from 2 to 2^23");
    command->add_option("-n,--iters", request.iterations, "Messages (1000; write_bw: 5000)")
        ->check(CheckNumber);
    command->add_option("-q,--qp", request.queuePairs, "Queue pairs (1)")->check(CheckNumber);
    command->add_option("-m,--mtu", request.mtu, "Path MTU, 256 to 4096 (4096)")
        ->check(CheckNumber);
    command->add_option("-c,--connection", request.connection, "RC, UC or UD")
        ->capture_default_str();
    command->add_flag("-b,--bidirectional", request.isBidirectional, "Both ends send");
    AddQueueOptions(*command, request);
    AddOwnOptions(*command, options);
    return command;
}

int
PerftestCommand(const PerftestCommandOptions& command)
{
    PerftestRequest request = command.request;
    request.kind = ParsePerftestKind(command.test);
    request.size = ParseSize(command.size);
    request.isHardwareTimed = command.hardware == "on";
    const PerftestOptions options = ResolvePerftest(request);
    const Scenario scenario = MakePerftestScenario(request, options.mtu);
    CheckQueuePairRoom("perftest", "--qp", scenario, options.queuePairs);
    if (command.hasPcap && command.out.empty())
    {
        throw InputError("perftest: --pcap: expected --out DIR as well, got none");
    }
    if (!command.out.empty())
    {
        MakeFolder(command.out);
    }
    const PerftestReport report(request, options);
    std::vector<PerftestResult> results;
    try
    {
        results = RunSizes(command, options, scenario, report);
    }
    catch (const PerftestFailure& failure)
    {
        std::cerr << "rocelab: perftest: " << failure.what() << '\n';
        return EXIT_STALLED;
    }
    const std::string json = report.WriteJson(results);
    if (command.hasJson)
    {
        std::cout << json;
    }
    else
    {
        report.WriteFoot(std::cout);
    }
    if (!command.out.empty())
    {
        WriteFile(command.out, json);
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
