// SPDX-License-Identifier: GPL-2.0-only
#include "guard-counts.h"

#include "cachegrind.h"

#include <filesystem>
#include <sstream>
#include <vector>

namespace ns3::rdma
{

namespace
{

/// Two runs that differ in their duration only.
struct RunPair
{
    uint32_t servers;
    const char* startDuration; ///< Of the run that is subtracted.
    const char* countDuration;
    GuardTraffic traffic;
    CountedEvents events;
};

/// What the longer run of a pair did more than the other one.
struct CountedWork
{
    SimulatedCounts counts;
    double packetHops{0};
    double flows{0};

    double GetPerHop(uint64_t SimulatedCounts::*count) const
    {
        return static_cast<double>(counts.*count) / packetHops;
    }
};

/// Order of the pairs: the longest runs are first.
enum Pair
{
    HOP,
    FLOW,
    SRNIC_ON,
    SRNIC_OFF,
    CONNECTX6_ON,
    CONNECTX6_OFF,
};

/// At this load a link carries a packet of 1,000 bytes in every tenth slot.
constexpr double FLOW_LOAD{0.1};
constexpr double HARDWARE_LOAD{0.5};

std::vector<RunPair>
MakePairs(bool isQuick)
{
    const GuardTraffic full;
    GuardTraffic flows;
    flows.load = FLOW_LOAD;
    flows.hasOnePacketFlows = true;
    std::vector<RunPair> pairs;
    if (isQuick)
    {
        pairs = {{64, "5us", "40us", full, CountedEvents::ALL},
                 {64, "4us", "24us", flows, CountedEvents::INSTRUCTIONS}};
    }
    else
    {
        pairs = {{1024, "2us", "60us", full, CountedEvents::ALL},
                 {1024, "4us", "12us", flows, CountedEvents::INSTRUCTIONS}};
    }
    for (const char* nic : {"srnic", "connectx6"})
    {
        for (const bool isHardwareTimed : {true, false})
        {
            const GuardTraffic traffic{nic, isHardwareTimed, HARDWARE_LOAD, false};
            pairs.push_back({64,
                             isQuick ? "5us" : "40us",
                             isQuick ? "40us" : "80us",
                             traffic,
                             CountedEvents::INSTRUCTIONS});
        }
    }
    return pairs;
}

CountedProgram
MakeProgram(const RunPair& pair, const char* duration, const ExtraWork& extraWork)
{
    CountedProgram program{{std::filesystem::read_symlink("/proc/self/exe"),
                            "--run-once=model",
                            "--servers=" + std::to_string(pair.servers),
                            std::string("--duration=") + duration,
                            "--nic=" + pair.traffic.nic,
                            "--load=" + std::to_string(pair.traffic.load),
                            "--extra-rounds=" + std::to_string(extraWork.rounds),
                            "--extra-lines=" + std::to_string(extraWork.lines),
                            "--extra-flow-rounds=" + std::to_string(extraWork.flowRounds)},
                           pair.events};
    if (pair.traffic.isHardwareTimed)
    {
        program.arguments.emplace_back("--hardware");
    }
    if (pair.traffic.hasOnePacketFlows)
    {
        program.arguments.emplace_back("--one-packet-flows");
    }
    return program;
}

CountedWork
Subtract(const SimulatedRun& whole, const SimulatedRun& start)
{
    CountedWork work;
    for (const auto count : {&SimulatedCounts::instructions,
                             &SimulatedCounts::l1Misses,
                             &SimulatedCounts::l2Misses,
                             &SimulatedCounts::mispredictions})
    {
        work.counts.*count = whole.counts.*count - start.counts.*count;
    }
    // The output begins with packet-hops and flows.
    const auto read = [](const SimulatedRun& run, double sign, CountedWork& sum) {
        double packetHops = 0;
        double flows = 0;
        std::istringstream(run.output) >> packetHops >> flows;
        sum.packetHops += sign * packetHops;
        sum.flows += sign * flows;
    };
    read(whole, 1, work);
    read(start, -1, work);
    return work;
}

std::vector<CountedWork>
CountPairs(const std::vector<RunPair>& pairs, const ExtraWork& extraWork)
{
    std::vector<CountedProgram> programs;
    for (const RunPair& pair : pairs)
    {
        programs.push_back(MakeProgram(pair, pair.countDuration, extraWork));
        programs.push_back(MakeProgram(pair, pair.startDuration, extraWork));
    }
    const std::vector<SimulatedRun> runs = RunAllUnderCachegrind(programs);
    std::vector<CountedWork> works;
    for (size_t i = 0; i < runs.size(); i += 2)
    {
        works.push_back(Subtract(runs[i], runs[i + 1]));
    }
    return works;
}

} // namespace

GuardCosts
CountCosts(bool isQuick, const ExtraWork& extraWork)
{
    const std::vector<CountedWork> works = CountPairs(MakePairs(isQuick), extraWork);
    const auto getInstructionsPerHop = [&works](Pair pair) {
        return works[pair].GetPerHop(&SimulatedCounts::instructions);
    };
    GuardCosts costs;
    costs.hop = {getInstructionsPerHop(HOP),
                 works[HOP].GetPerHop(&SimulatedCounts::l1Misses),
                 works[HOP].GetPerHop(&SimulatedCounts::l2Misses),
                 works[HOP].GetPerHop(&SimulatedCounts::mispredictions)};
    const CountedWork& flows = works[FLOW];
    costs.flowInstructions = (static_cast<double>(flows.counts.instructions) -
                              flows.packetHops * costs.hop.instructions) /
                             flows.flows;
    costs.srnic = {getInstructionsPerHop(SRNIC_ON), getInstructionsPerHop(SRNIC_OFF)};
    costs.connectx6 = {getInstructionsPerHop(CONNECTX6_ON), getInstructionsPerHop(CONNECTX6_OFF)};
    return costs;
}

} // namespace ns3::rdma
