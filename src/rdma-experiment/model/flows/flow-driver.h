// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_DRIVER_H
#define RDMA_FLOW_DRIVER_H

#include "ns3/deadlock-finder.h"
#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"
#include "ns3/flow-ledger.h"
#include "ns3/flow-observer.h"
#include "ns3/flow-path.h"
#include "ns3/flow-services.h"
#include "ns3/flow-starter.h"
#include "ns3/flow-teardown.h"
#include "ns3/flow-workload.h"
#include "ns3/precision-watch.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-decider.h"
#include "ns3/run-traffic.h"
#include "ns3/series-sampler.h"
#include "ns3/window-loop.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// When a run of flows ends, and when its measurements begin.
struct FlowLimits
{
    Tick stallLimit{TICK_NEVER}; ///< The run stops after this time without progress.
    Tick endAt{TICK_NEVER};      ///< The run stops at this time, complete or not.
    /// Flows that start earlier are posted at this time; 0 for a graph.
    Tick beginAt{0};
    double precision{0}; ///< The run stops when its target is reached; 0: no target.
    Tick warmup{0};      ///< Of the PrecisionWatch, from beginAt on.
};

/// Parameters of a FlowDriver; all objects outlive the driver.
struct FlowDriverConfig
{
    Fabric* fabric{nullptr};
    const std::vector<Ptr<RdmaNic>>* nics{nullptr}; ///< By endpoint id; null for switches.
    RankGroup* ranks{nullptr};
    const FabricPartition* partition{nullptr}; ///< Among the ranks.
    FlowSource* source{nullptr};               ///< Flows with start times of all workloads.
    std::vector<FlowWorkloadSpec> workloads;   ///< At least one.
    FlowLog* log{nullptr};                     ///< Written to on the first rank only.
    FlowLimits limits;
    /// Whether to check that no flow simulated as packets from its start is faster than ideal
    /// (false if links fail or recover).
    bool checksIdealFct{false};
    SeriesSampler* series{nullptr};  ///< Null: none are written.
    RunTraffic* traffic{nullptr};    ///< In addition to the flows; null: none.
    FlowObserver* observer{nullptr}; ///< Null: there is none.
    FlowServices* services{nullptr}; ///< Services that flows pass; null: none. Not with a graph.
};

/**
 * @ingroup rdma-scenario
 * @brief Makes queue pairs and WRITEs from the flows of all workloads, and a record when a flow
 * ends.
 *
 * A flow is one WRITE on the queue pair that its FlowWorkload opens for it.  Its number and its
 * workload fix the path entropy, so that a flow takes the same path under every NIC design and
 * beside any other workload.  Memory holds active flows only.
 *
 * FlowStarter starts flows at their times, the workload those of a graph; RunDecider decides when
 * the run is over; FlowLedger stores the records.
 */
class FlowDriver : public WindowClient
{
  public:
    explicit FlowDriver(const FlowDriverConfig& config);

    /// Schedules the first flows. Run a WindowLoop afterwards.
    void Start();

    /// Writes a record for each flow that is still active. After the WindowLoop.
    void Finish();

    /// @return the shortest delay of messages to other ranks.
    Tick GetLookahead() const;

    /// @return started flows of all ranks, as far as known on this rank.
    uint64_t GetStarted() const;

    /// @return flows of this rank's servers that have ended in any way.
    uint64_t GetDone() const
    {
        return m_ledger.GetDone();
    }

    /// @return whether every flow of the source has completed or failed.
    bool IsComplete() const;

    uint64_t GetRetransmitted() const
    {
        return m_ledger.GetRetransmitted();
    }

    uint64_t GetTimeouts() const
    {
        return m_ledger.GetTimeouts();
    }

    uint64_t GetResendingTimeouts() const
    {
        return m_ledger.GetResendingTimeouts();
    }

    /// @return bytes acknowledged over all flows of this rank's senders: constant in a stall.
    uint64_t MeasureProgress() const;

    /// @return active flows of this rank's senders.
    uint64_t GetActive() const
    {
        return m_ownStarted - m_ledger.GetDone();
    }

    /// @return time of the last flow's end on any rank, or of the end of the run.
    Tick GetEndTime() const
    {
        return m_endTime;
    }

    /// @return events that every rank has alike, to be counted once.
    uint64_t GetSharedEvents() const
    {
        return m_starter.GetSharedEvents();
    }

    /// @return started flows of all ranks, by workload.
    std::vector<uint64_t> CountStartedByWorkload() const;

    /// @return the precision of the means; unset if there is no target. The same on all ranks.
    std::optional<PrecisionReport> GetPrecision() const;

    /// @return ports that wait for each other at the end of a run which no longer progresses;
    /// empty: none. The same on all ranks.
    const std::vector<PausedPort>& GetPauseCycle() const
    {
        return m_pauseCycle;
    }

    /// @return broken invariants that this rank has detected.
    std::vector<Violation> GetViolations() const;

    WindowState GetState(bool isDue) const override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    Tick GetSampleTime() const override;
    void Sample() override;
    void SkipIdle(const WindowState& all) override;
    Tick GetDecisionTime() const override;
    bool Decide(const WindowState& all) override;

  private:
    /// A flow of one of this rank's senders.
    struct ActiveFlow
    {
        uint64_t number; ///< In the run (flow_number).
        FlowArrival arrival;
        ConnectionEnds ends;
        Tick idealFct;
        uint32_t srcQp;
        uint32_t dstQp;
        bool isShared{false}; ///< The queue pair outlives the flow.
        bool isActive{false};
    };

    void MakeWorkloads();

    /// @return the workload of a flow.
    FlowWorkload& GetWorkload(uint64_t number) const
    {
        return *m_workloads[flow_number::GetWorkload(number)];
    }

    /// @return whether one workload is all the work of the run.
    bool IsAlone() const
    {
        return m_workloads.size() == 1 && !m_config.traffic;
    }

    bool IsReceived(uint64_t number) const;
    bool IsAllStarted() const;
    void EndSample();
    void StartFlow(uint64_t number, const FlowArrival& arrival);
    /// @return its place in m_flows.
    uint32_t AddActive(uint64_t number, const FlowArrival& arrival, const FlowQueuePair& queuePair);
    void OnCompletion(const WorkCompletion& completion);
    void End(uint32_t slot, FlowStatus status, const std::string& reason);
    FlowRecord MakeRecord(const ActiveFlow& flow, Tick end);
    void SendTeardown(const ActiveFlow& flow, bool isCompleted);
    Tick FindIdealFct(const ActiveFlow& flow) const;
    uint64_t GetAcknowledgedBytes(const ActiveFlow& flow) const;
    bool HasMore(const WindowState& all) const;
    std::string DescribeStall(const ActiveFlow& flow) const;
    RdmaNic& GetNic(uint32_t endpoint) const;
    bool IsHere(uint32_t id) const;

    FlowDriverConfig m_config;
    FabricEngine& m_engine;
    FlowPath m_paths;
    QueuePairNumbers m_numbers;
    FlowWorkloadContext m_context{};
    FlowStarter m_starter;
    FlowTeardown m_teardown; ///< Of flows to this rank's servers.
    std::vector<std::unique_ptr<FlowWorkload>> m_workloads;
    std::vector<ActiveFlow> m_flows; ///< A slab; the work request id is the index.
    std::vector<uint32_t> m_free;
    PrecisionWatch m_precision;
    DeadlockFinder m_deadlocks;
    RunDecider m_decider;
    FlowLedger m_ledger;
    uint64_t m_ownStarted{0}; ///< Flows of this rank's senders.
    Tick m_endTime{0};
    std::vector<PausedPort> m_pauseCycle;
    WindowState m_all;            ///< At the end of the last window.
    bool m_hasSampled{false};     ///< In the last window.
    bool m_isSamplingOver{false}; ///< All was done at the last sample.
    uint64_t m_hopsAtSample{0};   ///< Of all ranks.
    Tick m_teardownDelay;
    TeardownOutbox m_outbox;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_DRIVER_H
