// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_RECORD_H
#define RDMA_FLOW_RECORD_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// How a flow ended.
enum class FlowStatus
{
    COMPLETED,  ///< The sender has its completion.
    FAILED,     ///< The sender has a completion error.
    STALLED,    ///< The run ended at its stall limit while the flow was under way.
    UNFINISHED, ///< The run ended before the flow, by its time limit or on request.
};

/// @return the status in flows.csv: "completed", "failed", "stalled", "unfinished".
const char* GetFlowStatusName(FlowStatus status);

/// One flow, when it has ended. Times are picoseconds.
struct FlowRecord
{
    /// @return when it ended, or the run.
    int64_t GetTime() const
    {
        return startPs + fctPs;
    }

    /// @return whether its row comes before another one's: by end, then by number.
    bool IsBefore(const FlowRecord& other) const
    {
        return GetTime() != other.GetTime() ? GetTime() < other.GetTime() : flow < other.flow;
    }

    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.flow,
              self.src,
              self.dst,
              self.bytes,
              self.startPs,
              self.fctPs,
              self.idealPs,
              self.packets,
              self.retransmitted,
              self.timeouts,
              self.idleTimeouts,
              self.priority,
              self.status,
              self.reason);
    }

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
    uint64_t idleTimeouts{0};  ///< Of these, expiries after which nothing was sent again.
    uint8_t priority{0};       ///< Of its data, at the sender.
    FlowStatus status{FlowStatus::COMPLETED};
    std::string reason; ///< Why a flow did not complete, one line; empty if it did.
};

/// A broken invariant of one flow.
struct Violation
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.atPs, self.flow, self.text);
    }

    int64_t atPs; ///< When it was detected.
    uint64_t flow;
    std::string text; ///< Description of the violation.
};

/// Sums over the flows of a rank's senders.
struct FlowTotals
{
    uint64_t retransmitted{0};
    uint64_t timeouts{0};
    uint64_t idleTimeouts{0}; ///< Of these, expiries after which nothing was sent again.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_RECORD_H
