// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_NIC_JOB_H
#define RDMA_NIC_JOB_H

#include "ns3/flow-log.h"
#include "ns3/job-channel.h"
#include "ns3/rank-group.h"
#include "ns3/run-progress.h"
#include "ns3/run-report.h"
#include "ns3/scenario.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Runs a simulation to its end, or until the callback it is given answers false. The path is the
/// folder for files of its own, which stand beside the results in the end.
using SimulateFunction = std::function<RunReport(const std::filesystem::path&,
                                                 FlowLog&,
                                                 const std::function<bool(const RunProgress&)>&)>;

/// One NIC of a scenario, from simulation to result files.
struct NicJob
{
    std::filesystem::path folder;       ///< Where the results shall stand.
    std::string scenarioText;           ///< Of scenario.json.
    std::vector<std::string> workloads; ///< Names of a list; none: there is no list.
    uint64_t flowsTotal{0};             ///< Fills in a progress without it.
    SimulateFunction simulate;
    RankGroup* ranks{&RankGroup::GetSolo()}; ///< That run it together; the first writes the files.
};

/**
 * Runs in the process of its own that the supervisor made, or together on all ranks. What goes
 * wrong is sent as a line, and no result file is left.
 *
 * @return an ExitStatus, the same on all ranks
 * @throws what one of several ranks has thrown alone, which the others have not seen
 */
int RunNicJob(const NicJob& job, JobChannel& channel);

/// As RunNicJob(), but what goes wrong is thrown.
int SimulateAndWrite(const NicJob& job, JobChannel& channel);

} // namespace ns3::rdma

#endif // RDMA_NIC_JOB_H
