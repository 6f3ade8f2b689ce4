// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PROGRESS_LINE_H
#define RDMA_PROGRESS_LINE_H

#include "ns3/run-supervisor.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return ", 1:05 left" of runs together; empty while too little is done to tell.
/// @param elapsedSeconds since the first began
std::string FormatTimeLeft(const std::vector<JobState>& jobs, double elapsedSeconds);

/// @return "1 of 4 done, 1:05 left".
std::string FormatDoneJobs(const std::vector<JobState>& jobs, double elapsedSeconds);

/**
 * The line of progress of several runs: how many are done and the time left, then for
 * each that is under way its share of flows, simulated time and speed.
 *
 * @param jobs all of them
 * @param elapsedSeconds since the first began
 * @param width columns of the terminal; the line is cut to fit
 */
std::string FormatProgress(const std::vector<JobState>& jobs, double elapsedSeconds, size_t width);

} // namespace ns3::rdma

#endif // RDMA_PROGRESS_LINE_H
