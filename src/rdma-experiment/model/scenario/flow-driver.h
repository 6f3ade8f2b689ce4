// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_DRIVER_H
#define RDMA_FLOW_DRIVER_H

#include "ns3/fabric.h"
#include "ns3/flow-log.h"
#include "ns3/flow-source.h"
#include "ns3/rdma-nic.h"

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
    FlowLog* log;
    Tick stallLimit; ///< The run stops when nothing progresses for so long.
    Tick endAt;      ///< The run stops then, done or not; TICK_NEVER: when all flows are done.
    bool
        checksIdealFct; ///< Whether no flow may be faster than ideal (not while links come and go).
};

/**
 * @ingroup rdma-scenario
 * @brief Turns a FlowSource into queue pairs and WRITEs, and each end of a flow into a record.
 *
 * A flow is one WRITE on a queue pair of its own, made at both ends when the flow starts and
 * destroyed when it ends: memory holds active flows only.  Flows are numbered in start order; the
 * number also fixes the path entropy, so that a flow takes the same path under every NIC design.
 */
class FlowDriver : private EventTarget
{
  public:
    explicit FlowDriver(const FlowDriverConfig& config);
    ~FlowDriver() override;

    /// Schedules the first flow. Call Simulator::Run() next.
    void Start();

    /// Writes a record for each flow that is still active. After Simulator::Run().
    void Finish();

    uint64_t GetStarted() const;
    /// @return flows that have ended in any way.
    uint64_t GetDone() const;
    /// @return whether every flow of the source has ended by itself.
    bool IsComplete() const;
    uint64_t GetRetransmitted() const;
    uint64_t GetTimeouts() const;
    /// @return time of the last flow's end, or of the end of the run.
    Tick GetEndTime() const;
    /// @return broken invariants, one line each.
    const std::vector<std::string>& GetViolations() const;

  private:
    enum Event : uint32_t
    {
        ARRIVAL,
        WATCH, ///< Looks for a stall.
        END,
    };

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
    /// @return 0 while there is no way to the destination.
    Tick FindIdealFct(const ActiveFlow& flow) const;
    void OnCompletion(const WorkCompletion& completion);
    void CheckCompletion(const ActiveFlow& flow, const FlowRecord& record);
    void End(uint32_t slot, FlowStatus status, const std::string& reason);
    void Watch();
    /// @return bytes acknowledged over all flows: stands still in a stall.
    uint64_t MeasureProgress() const;
    std::string DescribeStall(const ActiveFlow& flow) const;
    RdmaNic& GetNic(uint32_t node) const;

    FlowDriverConfig m_config;
    FabricEngine& m_engine;
    HeaderSizes m_headerSizes;
    uint32_t m_target;
    std::optional<FlowArrival> m_next;
    std::vector<ActiveFlow> m_flows; ///< Slab; the work request id is the place.
    std::vector<uint32_t> m_free;
    uint64_t m_started{0};
    uint64_t m_done{0};
    uint64_t m_endedBytes{0};
    uint64_t m_retransmitted{0};
    uint64_t m_timeouts{0};
    Tick m_endTime{0};
    Tick m_lastProgress{0};
    uint64_t m_progressThen{0};
    bool m_isStalled{false};
    std::vector<std::string> m_violations;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_DRIVER_H
