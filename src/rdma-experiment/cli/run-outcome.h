// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_OUTCOME_H
#define RDMA_RUN_OUTCOME_H

#include "ns3/run-supervisor.h"

#include <vector>

namespace ns3::rdma
{

/// Prints the error of a job that was killed or failed, else its lines about flows and
/// invariants.
void ReportTroubles(const JobState& job, bool isInterrupted);

/// Prints what became of each job.
void ReportInterruption(const std::vector<JobState>& jobs);

/// @return the worst of all, where a crash is worse than bad input, and so on.
int CombineStatus(const std::vector<JobState>& jobs, bool isInterrupted);

} // namespace ns3::rdma

#endif // RDMA_RUN_OUTCOME_H
