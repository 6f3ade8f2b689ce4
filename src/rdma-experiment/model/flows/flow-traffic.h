// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_TRAFFIC_H
#define RDMA_FLOW_TRAFFIC_H

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
#include "ns3/run-traffic.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Parameters of FlowTraffic; all objects outlive it.
struct FlowTrafficConfig : FlowWorkloadContext
{
    FlowSource* source{nullptr};             ///< Flows with start times of all workloads.
    std::vector<FlowWorkloadSpec> workloads; ///< At least one.
    std::vector<uint32_t> madeQueuePairs;    ///< By node: those of other traffic.
    bool isAlone{false};                     ///< Whether one workload is all the work of the run.
    /// Flows that start earlier are posted at this time; 0 for a graph.
    Tick beginAt{0};
    Tick noticeDelay{1}; ///< Of messages to other ranks.
    /// Whether to check that no flow simulated as packets from its start is faster than ideal
    /// (false if links fail or recover).
    bool checksIdealFct{false};
    PrecisionWatch* precision{nullptr};
    FlowLog* log{nullptr};           ///< Written to on the first rank only.
    FlowObserver* observer{nullptr}; ///< Null: there is none.
};

/**
 * @ingroup rdma-scenario
 * @brief Makes queue pairs and work requests from the flows of all workloads, and a record when a
 * flow ends.
 *
 * A flow is one WRITE, READ or SEND on the queue pair that its FlowWorkload opens for it.  Its
 * number and its workload fix the path entropy, so that a flow takes the same path under every NIC
 * design and beside any other workload.  Memory holds active flows only.
 *
 * FlowStarter starts flows at their times, the workload those of a graph; FlowLedger stores the
 * records.
 */
class FlowTraffic : public RunTraffic
{
  public:
    explicit FlowTraffic(const FlowTrafficConfig& config);

    /// @return the shortest delay of messages to other ranks.
    Tick GetLookahead() const;

    /// @return started flows of all ranks, as far as known on this rank.
    uint64_t GetStarted() const;

    /// @return flows of this rank's servers that have ended in any way.
    uint64_t GetDone() const
    {
        return m_ledger.GetDone();
    }

    /// @return sums over the flows of this rank's senders.
    const FlowTotals& GetTotals() const
    {
        return m_ledger.GetTotals();
    }

    /// @return bytes acknowledged, or packets of READ responses, over all flows of this rank's
    /// senders: constant in a stall.
    uint64_t MeasureProgress() const;

    /// @return active flows of this rank's senders.
    uint64_t GetActive() const
    {
        return m_ownStarted - m_ledger.GetDone();
    }

    /// @return events that every rank has alike, to be counted once.
    uint64_t GetSharedEvents() const
    {
        return m_starter.GetSharedEvents();
    }

    /// @return started flows of all ranks, by workload.
    std::vector<uint64_t> CountStartedByWorkload() const;

    /// @return broken invariants that this rank has detected.
    std::vector<Violation> GetViolations() const;

    /// @return none: the numbers of their queue pairs come after those of all other traffic.
    std::vector<uint32_t> CountQueuePairs() const override;
    void Start() override;
    Tick GetEnd() const override;
    bool MayStartMore(const WindowState& all) const override;
    bool IsAllStarted() const override;
    void AddTo(WindowState& state, bool isDue) const override;
    void ListFlows(std::vector<FlowUnderWay>& flows) const override;
    void AddDelivered(std::vector<uint64_t>& bytes) const override;
    /// Writes a record for each flow that is still active.
    void Finish(bool isStalled, Tick end) override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    /// @return no part: FlowLog has the results.
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

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

    /// @return the workload of a flow.
    FlowWorkload& GetWorkload(uint64_t number) const
    {
        return *m_workloads[flow_number::GetWorkload(number)];
    }

    bool IsReceived(uint64_t number) const;
    void StartFlow(uint64_t number, const FlowArrival& arrival);
    /// @return its place in m_flows.
    uint32_t AddActive(uint64_t number, const FlowArrival& arrival, const FlowQueuePair& queuePair);
    void OnCompletion(const WorkCompletion& completion);
    void End(uint32_t slot, FlowStatus status, const std::string& reason);
    FlowRecord MakeRecord(const ActiveFlow& flow, Tick end);
    void SendTeardown(const ActiveFlow& flow, bool isCompleted);
    Tick FindIdealFct(const ActiveFlow& flow) const;
    bool IsRead(const ActiveFlow& flow) const;
    /// @return what MeasureProgress() counts of a flow.
    uint64_t GetAcknowledgedBytes(const ActiveFlow& flow) const;
    /// @return payload that is acknowledged, or has been read.
    uint64_t GetDeliveredBytes(const ActiveFlow& flow) const;
    std::string DescribeStall(const ActiveFlow& flow) const;
    RdmaNic& GetNic(uint32_t endpoint) const;
    bool IsHere(uint32_t id) const;

    FlowTrafficConfig m_config;
    FabricEngine& m_engine;
    FlowPath m_paths;
    QueuePairNumbers m_numbers;
    FlowStarter m_starter;
    FlowTeardown m_teardown; ///< Of flows to this rank's servers.
    std::vector<std::unique_ptr<FlowWorkload>> m_workloads;
    std::vector<ActiveFlow> m_flows; ///< A slab; the work request id is the index.
    std::vector<uint32_t> m_free;
    std::vector<uint64_t> m_delivered; ///< Of ended flows on queue pairs of their own; by workload.
    FlowLedger m_ledger;
    uint64_t m_ownStarted{0}; ///< Flows of this rank's senders.
    WindowState m_all;        ///< At the end of the last window.
    TeardownOutbox m_outbox;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_TRAFFIC_H
