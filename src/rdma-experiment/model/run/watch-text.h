// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_WATCH_TEXT_H
#define RDMA_WATCH_TEXT_H

#include "ns3/run-supervisor.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Payload per simulated time between two moments of a run.
/// @return Gb/s; 0 if no time has passed
double GetGoodputGbps(const RunProgress& before, const RunProgress& now);

/**
 * The live view of several runs: how many are done and the time left, a line for each that is under
 * way or waits, and its fullest queues.
 *
 * @param jobs all of them
 * @param goodputs in Gb/s, of each
 * @param elapsedSeconds since the first began
 * @param width columns of the terminal; lines are cut to fit
 * @param height lines of the terminal; those of the last jobs are left out to fit
 */
std::vector<std::string> FormatWatch(const std::vector<JobState>& jobs,
                                     const std::vector<double>& goodputs,
                                     double elapsedSeconds,
                                     size_t width,
                                     size_t height);

/// The same of one run on a line of its own, for logs and pipes.
std::string FormatWatchLine(const JobState& job, double goodputGbps);

} // namespace ns3::rdma

#endif // RDMA_WATCH_TEXT_H
