// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_REPORT_H
#define RDMA_RUN_REPORT_H

#include "ns3/clustered-mean.h"
#include "ns3/host-report.h"
#include "ns3/rpc-report.h"
#include "ns3/stream-report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// How a flow ended.
enum class FlowStatus
{
    COMPLETED,  ///< The sender has its completion.
    FAILED,     ///< The sender has a completion error.
    STALLED,    ///< The run ended at its stall limit while the flow was under way.
    UNFINISHED, ///< The run ended before the flow did, by its time limit or on request.
};

/// The word of flows.csv: "completed", "failed", "stalled", "unfinished".
const char* GetFlowStatusName(FlowStatus status);

/// One flow, when it has ended. Times are picoseconds.
struct FlowRecord
{
    uint64_t flow{0}; ///< Number in start order, from 0.
    uint32_t src{0};  ///< Node id.
    uint32_t dst{0};  ///< Node id.
    uint64_t bytes{0};
    int64_t startPs{0};  ///< From the start of the run.
    int64_t fctPs{0};    ///< Posting of the request to the sender's completion; COMPLETED only.
    int64_t idealPs{0};  ///< The same message alone in the empty network, headers included.
    uint64_t packets{0}; ///< Data packets sent, without retransmissions.
    uint64_t retransmitted{0}; ///< Data packets sent again.
    uint64_t timeouts{0};      ///< Retransmission timer expiries.
    FlowStatus status{FlowStatus::COMPLETED};
    std::string reason; ///< Why a flow did not complete, one line; empty if it did.
};

/// A broken invariant of one flow.
struct Violation
{
    int64_t atPs; ///< When it was seen.
    uint64_t flow;
    std::string text; ///< What the flow did.
};

/// What one of the processes that ran a simulation together did.
struct RankReport
{
    uint64_t events{0};
    uint64_t windows{0};   ///< Stretches of simulated time between two exchanges.
    uint64_t sentBytes{0}; ///< To the other ranks.
    double waitSeconds{0}; ///< For the other ranks.
    uint64_t peakRssBytes{0};
};

/// How well the means of a run are known. Times are picoseconds.
struct PrecisionReport
{
    double target{0}; ///< Half width of the confidence interval, relative to the mean.
    bool isReached{false};
    int64_t fromPs{0};     ///< The end of the warm-up.
    int64_t measuredPs{0}; ///< From there to the end of the run.
    int64_t flows{0};      ///< Completed in that time; the means are theirs.
    uint32_t servers{0};
    MeanEstimate fctPs;
    MeanEstimate slowdown;
};

/// What a run reports beside its flow records.
struct RunReport
{
    uint64_t flowsStarted{0};
    bool isPartial{false}; ///< Stopped on request before its end.

    std::map<std::string, uint64_t> drops; ///< Frames dropped anywhere, by reason name.
    uint64_t fabricDrops{0};               ///< Of these, at switches and on links.
    uint64_t nicDiscards{0};               ///< Of these, at servers.
    uint64_t ecnMarks{0};
    uint64_t pfcPauses{0}; ///< Pause frames (not resumes).
    uint64_t cnps{0};
    uint64_t retransmitted{0}; ///< Over all flows.
    uint64_t timeouts{0};      ///< Over all flows.
    uint64_t packetHops{0};    ///< Link traversals of data and acknowledgment packets.
    uint64_t events{0};
    int64_t simulatedPs{0};

    std::vector<HostRecord> hosts; ///< By node id; empty if hardware took no time.
    std::vector<std::string>
        violations; ///< Broken invariants, one line each; empty in a sound run.

    std::vector<RankReport> ranks; ///< In order.

    std::optional<PrecisionReport> precision; ///< If the run was to end by it.
    std::optional<RpcReport> rpcs;            ///< If the workload has requests.
    std::optional<StreamReport> streams;      ///< If the workload has streams.
    bool beganAsFluid{false};                 ///< A part of the payload never was in packets.

    double wallSeconds{0};    ///< Filled in by the caller of SimulationRun::Run().
    uint64_t peakRssBytes{0}; ///< Likewise.
};

} // namespace ns3::rdma

#endif // RDMA_RUN_REPORT_H
