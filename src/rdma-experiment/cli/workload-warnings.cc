// SPDX-License-Identifier: GPL-2.0-only
#include "workload-warnings.h"

#include "one-line.h"

#include "ns3/fabric.h"
#include "ns3/run-design.h"
#include "ns3/workload-kind.h"

#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

namespace
{

/// @param path of a key
void
PrintLines(const Scenario& scenario, const std::string& path, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines)
    {
        std::cerr << "rocelab: " + MakeOneLine(scenario.file + ": " + path + ": warning: " + line) +
                         '\n';
    }
}

/// @return whether a scenario has thresholds other than the defaults.
bool
HasGivenThresholds(const std::map<uint64_t, EcnProfile>& ecn)
{
    std::map<uint64_t, EcnProfile> given;
    for (const auto& [rate, profile] : ecn)
    {
        const EcnProfile usual = Fabric::GetDefaultEcn(rate);
        if (profile.kminBytes != usual.kminBytes || profile.kmaxBytes != usual.kmaxBytes ||
            profile.pmax != usual.pmax)
        {
            given[rate] = profile;
        }
    }
    return HasThresholds(given);
}

/// @return a line for each NIC that runs with a marking policy that does not use "ecn".
std::vector<std::string>
FindUnusedEcn(const Scenario& scenario)
{
    std::vector<std::string> lines;
    for (const NicSpec& nic : scenario.nics)
    {
        const FabricSpec fabric = ResolveFabric(scenario, nic);
        if (HasGivenThresholds(scenario.fabric.ecn) && !UsesEcn(fabric))
        {
            lines.push_back("no effect on " + nic.name + ", whose marking policy " +
                            fabric.markingPolicy + " has thresholds of its own");
        }
    }
    return lines;
}

} // namespace

void
PrintWarnings(RunInput& input)
{
    const Scenario& scenario = input.GetScenario();
    PrintLines(scenario, "$.fabric", scenario.fabric.topology->FindWarnings(scenario));
    PrintLines(scenario, "$.fabric.ecn", FindUnusedEcn(scenario));
    for (const auto& workload : scenario.workloads)
    {
        PrintLines(scenario,
                   workload->GetPath(),
                   workload->FindWarnings(scenario, input.GetTopology()));
    }
}

} // namespace ns3::rdma
