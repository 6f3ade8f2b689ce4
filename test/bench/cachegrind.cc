// SPDX-License-Identifier: GPL-2.0-only
#include "cachegrind.h"

#include "../test-files.h"

#include <array>
#include <cstdio>
#include <fstream>
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
ParseCachegrind(const std::string& text)
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
    for (const char* name : {"Ir", "D1mr", "D1mw", "DLmr", "DLmw", "Bcm", "Bim"})
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
RunUnderCachegrind(const std::vector<std::string>& arguments)
{
    const TemporaryFile counts("");
    // Cachegrind's last level is what a core has for itself: misses in it cost the most.
    std::string command =
        "valgrind --log-file=/dev/null --tool=cachegrind --cache-sim=yes --branch-sim=yes "
        "--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 "
        "--cachegrind-out-file=" +
        Quote(counts.GetPath());
    for (const std::string& argument : arguments)
    {
        command += " " + Quote(argument);
    }
    SimulatedRun run;
    run.output = RunCommand(command);
    std::ifstream file(counts.GetPath());
    run.counts = ParseCachegrind({std::istreambuf_iterator<char>(file), {}});
    return run;
}

} // namespace ns3::rdma
