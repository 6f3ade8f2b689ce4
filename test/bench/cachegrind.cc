// SPDX-License-Identifier: GPL-2.0-only
#include "cachegrind.h"

#include "../test-files.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

/// @return the fields of the line that starts so.
std::vector<std::string>
FindFields(const std::string& text, const std::string& start)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind(start, 0) == 0)
        {
            std::istringstream fields(line.substr(start.size()));
            return {std::istream_iterator<std::string>(fields), {}};
        }
    }
    return {};
}

std::string
Quote(const std::string& argument)
{
    std::string quoted{"'"};
    for (const char c : argument)
    {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

/// @return standard output.
std::string
RunCommand(const std::string& command)
{
    FILE* const pipe = popen(command.c_str(), "r");
    if (!pipe)
    {
        throw std::runtime_error("cannot start a process");
    }
    std::string output;
    std::array<char, 256> buffer;
    while (std::fgets(buffer.data(), buffer.size(), pipe))
    {
        output += buffer.data();
    }
    if (pclose(pipe) != 0)
    {
        throw std::runtime_error("a run under valgrind failed (Debian package valgrind): " +
                                 command);
    }
    return output;
}

} // namespace

SimulatedCounts
ParseCachegrind(const std::string& text, CountedEvents events)
{
    const std::vector<std::string> names = FindFields(text, "events: ");
    const std::vector<std::string> values = FindFields(text, "summary: ");
    if (names.size() != values.size())
    {
        throw std::runtime_error("Cachegrind's output has no line of sums for its events");
    }
    std::map<std::string, uint64_t> sums;
    for (size_t i = 0; i < names.size(); ++i)
    {
        sums[names[i]] = std::stoull(values[i]);
    }
    const std::vector<const char*> needed =
        events == CountedEvents::ALL
            ? std::vector{"Ir", "D1mr", "D1mw", "DLmr", "DLmw", "Bcm", "Bim"}
            : std::vector{"Ir"};
    for (const char* name : needed)
    {
        if (sums.count(name) == 0)
        {
            throw std::runtime_error(std::string("Cachegrind's output has no ") + name);
        }
    }
    return {sums["Ir"],
            sums["D1mr"] + sums["D1mw"],
            sums["DLmr"] + sums["DLmw"],
            sums["Bcm"] + sums["Bim"]};
}

SimulatedRun
RunUnderCachegrind(const CountedProgram& program)
{
    const TemporaryFile counts("");
    // Cachegrind's last level is what a core has for itself: misses in it cost the most.
    const std::string simulated = program.events == CountedEvents::ALL ? "yes" : "no";
    std::string command =
        "valgrind --log-file=/dev/null --tool=cachegrind --cache-sim=" + simulated +
        " --branch-sim=" + simulated +
        " --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 "
        "--cachegrind-out-file=" +
        Quote(counts.GetPath());
    for (const std::string& argument : program.arguments)
    {
        command += " " + Quote(argument);
    }
    SimulatedRun run;
    run.output = RunCommand(command);
    std::ifstream file(counts.GetPath());
    run.counts = ParseCachegrind({std::istreambuf_iterator<char>(file), {}}, program.events);
    return run;
}

std::vector<SimulatedRun>
RunAllUnderCachegrind(const std::vector<CountedProgram>& programs)
{
    std::vector<SimulatedRun> runs(programs.size());
    std::atomic<size_t> next{0};
    const auto runRest = [&] {
        for (size_t i = next++; i < programs.size(); i = next++)
        {
            runs[i] = RunUnderCachegrind(programs[i]);
        }
    };
    auto other = std::async(std::launch::async, runRest);
    runRest(); // If it throws, the destructor of other waits for the other thread.
    other.get();
    return runs;
}

} // namespace ns3::rdma
