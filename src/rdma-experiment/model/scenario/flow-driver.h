// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_DRIVER_H
#define RDMA_FLOW_DRIVER_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"
#include "ns3/flow-farewell.h"
#include "ns3/flow-path.h"
#include "ns3/flow-record-queue.h"
#include "ns3/flow-source.h"
#include "ns3/precision-watch.h"
#include "ns3/rdma-nic.h"
#include "ns3/stall-watch.h"
#include "ns3/window-loop.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a FlowDriver works with; all of it outlives the driver.
struct FlowDriverConfig
{
    Fabric* fabric;
    const std::vector<Ptr<RdmaNic>>* nics; ///< By node id; null for switches.
    FlowSource* source;
    FlowLog* log; ///< Written to on the first rank only.
    RankGroup* ranks;
    const FabricPartition* partition; ///< Among the ranks.
    Tick stallLimit;                  ///< The run stops when nothing progresses for so long.
    Tick endAt;       ///< The run stops then, done or not; TICK_NEVER: when all flows are done.
    Tick beginAt;     ///< Flows that start before are posted then.
    double precision; ///< The run stops when PrecisionWatch is content; 0: there is none.
    Tick warmup;      ///< Of the PrecisionWatch, from beginAt on.
    /// Whether no flow that was packets from its start may be faster than ideal (not while links
    /// come and go).
    bool checksIdealFct;
};

/**
 * @ingroup rdma-scenario
 * @brief Turns a FlowSource into queue pairs and WRITEs, and each end of a flow into a record.
 *
 * A flow is one WRITE on a queue pair of its own, made at both ends when the flow starts and
 * destroyed when it ends: memory holds active flows only.  Flows are numbered in start order; the
 * number also fixes the path entropy, so that a flow takes the same path under every NIC design.
 *
 * Each rank reads all flows, so that all agree on their numbers and those of their queue pairs; it
 * makes the queue pairs of its own servers.
 */
class FlowDriver : public WindowClient, private EventTarget
{
  public:
    explicit FlowDriver(const FlowDriverConfig& config);
    ~FlowDriver() override;

    /// Schedules the first flow. Run a WindowLoop next.
    void Start();

    /// Writes a record for each flow that is still active. After the WindowLoop.
    void Finish();

    /// @return how long what is packed for other ranks is under way at least.
    Tick GetLookahead() const
    {
        return m_farewellDelay;
    }

    /// @return on all ranks.
    uint64_t GetStarted() const
    {
        return m_started;
    }

    /// @return flows of this rank's servers that have ended in any way.
    uint64_t GetDone() const
    {
        return m_done;
    }

    /// @return whether every flow of the source has ended by itself.
    bool IsComplete() const;

    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

    uint64_t GetTimeouts() const
    {
        return m_timeouts;
    }

    /// @return time of the last flow's end on any rank, or of the end of the run.
    Tick GetEndTime() const
    {
        return m_endTime;
    }

    /// @return events that each rank has in the same way, to be counted once.
    uint64_t GetSharedEvents() const
    {
        return m_arrivalEvents;
    }

    /// @return what is known of the means; nothing unless there is a target. The same on all ranks.
    std::optional<PrecisionReport> GetPrecision() const;

    /// @return broken invariants that this rank has seen.
    std::vector<Violation> GetViolations() const;

    WindowState GetState(bool isDue) const override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all) override;
    Tick GetDecisionTime() const override;
    bool Decide(const WindowState& all) override;

  private:
    /// A flow of one of this rank's senders.
    struct ActiveFlow
    {
        uint64_t number;
        FlowArrival arrival;
        Tick idealFct;
        uint32_t srcQp;
        uint32_t dstQp;
        bool isActive{false};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void StartFlow(const FlowArrival& arrival);
    void ScheduleNextArrival();
    Tick GetPostTime(const FlowArrival& arrival) const;
    void OnCompletion(const WorkCompletion& completion);
    void End(uint32_t slot, FlowStatus status, const std::string& reason);
    FlowRecord MakeRecord(const ActiveFlow& flow, Tick end) const;
    void SayFarewell(const ActiveFlow& flow, bool isCompleted);
    Tick FindIdealFct(const ActiveFlow& flow) const;
    /// @return bytes acknowledged over all flows: stands still in a stall.
    uint64_t MeasureProgress() const;
    std::string DescribeStall(const ActiveFlow& flow) const;
    RdmaNic& GetNic(uint32_t node) const;
    bool IsHere(uint32_t node) const;

    FlowDriverConfig m_config;
    FabricEngine& m_engine;
    FlowPath m_paths;
    uint32_t m_target;
    std::optional<FlowArrival> m_next;
    std::vector<ActiveFlow> m_flows; ///< Slab; the work request id is the place.
    std::vector<uint32_t> m_free;
    uint64_t m_started{0};
    uint64_t m_done{0};
    uint64_t m_endedBytes{0};
    uint64_t m_retransmitted{0};
    uint64_t m_timeouts{0};
    uint64_t m_arrivalEvents{0};
    Tick m_lastEnd{0}; ///< Of this rank's flows.
    Tick m_endTime{0};
    StallWatch m_watch;
    PrecisionWatch m_precision;
    bool m_isStalled{false};
    bool m_isDecided{false};            ///< A decision has ended the run.
    WindowState m_all;                  ///< When the last window ended.
    std::vector<uint32_t> m_queuePairs; ///< By node: made so far for flows.
    Tick m_farewellDelay;
    FlowFarewell m_farewells;                    ///< Of flows to this rank's servers.
    std::vector<std::vector<Farewell>> m_outbox; ///< By rank: farewells for it.
    Tick m_earliestSent{TICK_NEVER};             ///< Arrival of the first in m_outbox.
    FlowRecordQueue m_records;
    std::vector<Violation> m_violations;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_DRIVER_H
