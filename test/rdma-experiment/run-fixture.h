// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_FIXTURE_H
#define RDMA_RUN_FIXTURE_H

#include "scenario-fixture.h"

#include "ns3/simulation-run.h"

#include <sstream>
#include <string>

namespace ns3::rdma
{

/// What is left of one run.
struct RunOutcome
{
    RunReport report;
    std::string flows; ///< The text of flows.csv.
    uint64_t completed{0};
    uint64_t fingerprint{0}; ///< Of (time, port, PSN, opcode) of every frame as it left its port.
};

/// Runs one NIC of a scenario in this process. @param withFingerprint taps every port: slower
inline RunOutcome
RunScenario(const Scenario& scenario, const NicSpec& nic, bool withFingerprint = false)
{
    RunOutcome outcome;
    std::ostringstream flows;
    FlowLog log(flows);
    SimulationRun run(scenario, nic);
    if (withFingerprint)
    {
        // FNV-1a over the four numbers, in the order of the events.
        outcome.fingerprint = 0xcbf29ce484222325ULL;
        Fabric& fabric = run.GetFabric();
        for (std::size_t link = 0; link < fabric.GetGraph().links.size(); ++link)
        {
            for (uint32_t end = 0; end < 2; ++end)
            {
                const uint64_t port = 2 * link + end;
                const std::function<void(const Frame&)> tap =
                    [&outcome, &fabric, port](const Frame& frame) {
                        const auto now = static_cast<uint64_t>(fabric.GetCore().engine->Now());
                        for (const uint64_t value :
                             {now, port, uint64_t{frame.psn}, uint64_t{frame.opcode}})
                        {
                            outcome.fingerprint = (outcome.fingerprint ^ value) * 0x100000001b3ULL;
                        }
                    };
                fabric.GetLinkPort(link, end).GetTraces().transmit.ConnectWithoutContext(
                    Callback<void, const Frame&>(tap));
            }
        }
    }
    outcome.report = run.Run(log, [](const RunProgress&) { return true; });
    outcome.flows = flows.str();
    outcome.completed = log.GetCount(FlowStatus::COMPLETED);
    return outcome;
}

} // namespace ns3::rdma

#endif // RDMA_RUN_FIXTURE_H
