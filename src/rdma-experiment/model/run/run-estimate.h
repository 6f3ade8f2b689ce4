// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_ESTIMATE_H
#define RDMA_RUN_ESTIMATE_H

#include "ns3/run-cost.h"
#include "ns3/run-probe.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// What a run will take, as far as its packet-hops and the cost of its beginning tell.
struct RunEstimate
{
    /// What the rest of the run is extrapolated by.
    enum class Basis
    {
        NONE,           ///< Nothing: there is no estimate.
        WHOLE_RUN,      ///< It was over within the probe.
        PACKET_HOPS,    ///< Those of the estimate.
        SIMULATED_TIME, ///< Traffic whose packet-hops are not known.
    };

    Basis basis{Basis::NONE};
    double packetHops{0};     ///< With the reports that the probe has seen.
    double startSeconds{0};   ///< Processor time before the first event, on each rank.
    double seconds{0};        ///< Processor time of all ranks together.
    uint64_t peakRssBytes{0}; ///< Of a rank.
    double probedShare{0};    ///< Of the run's work that the probe has done.
};

/**
 * @brief Extrapolates a run from its beginning.
 *
 * The work after the first probe has the cost per packet-hop of the second half of the later probe;
 * if there is none, or if this half is shorter than two round trips, of the first one.  Packet-hops
 * beyond those of RunCost (retransmissions, CNPs, reports of marked packets) are in proportion to
 * the acknowledged payload of flows as in that half; with traffic, to data frames.  A half that is
 * shorter than two round trips says nothing about them: then those of RunCost count alone.  On
 * several ranks each has the whole start and its part of the rest.
 *
 * @param probes without a failure
 * @param before processor time that a run takes before its own process, as to read the scenario
 * @param last of the workloads' times; unset: there is none
 */
RunEstimate EstimateRun(const RunCost& cost,
                        const ProbeOutcome& probes,
                        double before,
                        std::optional<int64_t> lastPs,
                        uint32_t ranks = 1);

/// @return "packet-hops", "simulated time", "the whole run" or "none".
std::string GetBasisName(RunEstimate::Basis basis);

} // namespace ns3::rdma

#endif // RDMA_RUN_ESTIMATE_H
