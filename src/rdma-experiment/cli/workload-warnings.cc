// SPDX-License-Identifier: GPL-2.0-only
#include "workload-warnings.h"

#include "one-line.h"

#include "ns3/workload-kind.h"

#include <iostream>
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

} // namespace

void
PrintWarnings(RunInput& input)
{
    const Scenario& scenario = input.GetScenario();
    PrintLines(scenario, "$.fabric", scenario.fabric.topology->FindWarnings(scenario));
    for (const auto& workload : scenario.workloads)
    {
        PrintLines(scenario,
                   workload->GetPath(),
                   workload->FindWarnings(scenario, input.GetTopology()));
    }
}

} // namespace ns3::rdma
