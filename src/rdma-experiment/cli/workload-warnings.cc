// SPDX-License-Identifier: GPL-2.0-only
#include "workload-warnings.h"

#include "one-line.h"

#include "ns3/workload-kind.h"

#include <iostream>

namespace ns3::rdma
{

void
PrintWarnings(RunInput& input)
{
    const Scenario& scenario = input.GetScenario();
    for (const auto& workload : scenario.workloads)
    {
        for (const std::string& line : workload->FindWarnings(scenario, input.GetTopology()))
        {
            std::cerr << "rocelab: " +
                             MakeOneLine(scenario.file + ": " + workload->GetPath() +
                                         ": warning: " + line) +
                             '\n';
        }
    }
}

} // namespace ns3::rdma
