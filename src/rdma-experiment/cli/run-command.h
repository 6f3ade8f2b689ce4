// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_COMMAND_H
#define RDMA_RUN_COMMAND_H

#include "ns3/capture-request.h"
#include "ns3/rank-group.h"
#include "ns3/scenario-reader.h"

#include <string>

namespace ns3::rdma
{

/// What the user gave to "rocelab run".
struct RunCommandOptions
{
    std::string scenario;
    ScenarioChanges changes;
    std::string out{"results"};
    unsigned jobs{1};
    bool isQuiet{false};
    bool hasTimeline{false};
    bool isWatched{false};
    CaptureWords capture;
};

/// Runs all NICs of a scenario and reports on them. @param ranks that do so together
/// @return an ExitStatus @throws InputError, or RankError of several ranks
int RunCommand(const RunCommandOptions& options, RankGroup& ranks);

} // namespace ns3::rdma

#endif // RDMA_RUN_COMMAND_H
