// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_PROBE_H
#define RDMA_RUN_PROBE_H

#include "ns3/run-input.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// How far a run was at a time.
struct ProbeSample
{
    double seconds{0}; ///< Processor time since the start of the process.
    uint64_t packetHops{0};
    uint64_t dataFrames{0}; ///< Sent, retransmissions included.
    int64_t simulatedPs{0};
    uint64_t ackedBytes{0}; ///< Payload of flows.
};

/// What the beginning of a run has cost.
struct ProbeResult
{
    bool hasEnded{false}; ///< The run was over before its time was.
    ProbeSample begin;    ///< The run is built; no flow was made.
    ProbeSample middle;   ///< After about half of the time.
    ProbeSample end;
    double wholeSeconds{0};    ///< Processor time until all was reported.
    double resent{0};          ///< Retransmissions by all data frames.
    int64_t roundTripPs{0};    ///< The longest of the empty network, without frames.
    double pathHops{0};        ///< Links of a packet of a flow, on average; 0: there is no flow.
    uint64_t beginRssBytes{0}; ///< Peak memory before the first event.
    uint64_t peakRssBytes{0};
};

/// A probe, or the reason why there is none.
struct ProbeOutcome
{
    ProbeResult result;
    /// Of the packets after half of the arrivals, which a fluid stands for. Unset: the run was over
    /// within the first probe, has other arrivals than random ones, or its fluid takes long.
    std::optional<ProbeResult> later{};
    std::string failure{}; ///< One line; empty: there is a result.
    bool isInterrupted{false};
};

/// Processor time of a probe after the start of its run.
constexpr double PROBE_SECONDS{0.4};

/**
 * @brief Simulates the beginning of a run and measures what it costs on this machine now.
 *
 * The run is built as a whole, in a process of its own, and stopped after PROBE_SECONDS. It writes
 * nothing.  With random arrivals there is a second probe, which begins in the middle of the run
 * with the flows that are active there by FluidStart: more flows make each packet-hop more
 * expensive.
 */
ProbeOutcome ProbeRun(PreparedScenario& prepared, const NicSpec& nic);

} // namespace ns3::rdma

#endif // RDMA_RUN_PROBE_H
