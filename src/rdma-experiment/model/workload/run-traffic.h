// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_TRAFFIC_H
#define RDMA_RUN_TRAFFIC_H

#include "ns3/fabric.h"
#include "ns3/rank-group.h"
#include "ns3/rdma-nic.h"
#include "ns3/result-part.h"
#include "ns3/traffic-class.h"
#include "ns3/window-loop.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace ns3::rdma
{

class FlowServices;
class KernelDeployment;
struct FlowUnderWay;

/// The environment of a run's traffic; all objects outlive the traffic.
struct TrafficContext
{
    Fabric* fabric;
    const std::vector<Ptr<RdmaNic>>* nics; ///< By endpoint id; null for switches.
    KernelDeployment* kernels;
    std::function<bool(uint32_t id)> isHere; ///< Whether this rank simulates a node or endpoint.
    FlowServices* services{nullptr};         ///< Services in slots of NICs; null: none.
    /// Called periodically in long operations; may throw. Null: not called.
    std::function<void()> poll;
    // Of the workload among several of a run.
    uint32_t workload{0};                   ///< Its index.
    std::vector<uint32_t> madeQueuePairs{}; ///< By node: those of earlier workloads; empty: none.
    uint64_t streamKey{0};                  ///< Connections are numbered above it for their paths.
    uint64_t area{0};                       ///< Added to addresses in the memory of servers.
    TrafficClass trafficClass{};            ///< Of its queue pairs.
};

/**
 * @ingroup rdma-scenario
 * @brief The activity of workloads in a run: their flows, or for example clients that call servers.
 *
 * Each rank makes the same objects, and starts the activity of its own servers. Except for flows,
 * ranks communicate by frames only.
 */
class RunTraffic
{
  public:
    virtual ~RunTraffic() = default;

    /// @return by node: how many queue pairs it makes, which have the first numbers after
    /// TrafficContext::madeQueuePairs.
    virtual std::vector<uint32_t> CountQueuePairs() const = 0;

    /// Schedules the first events of this rank's servers.
    virtual void Start() = 0;

    /// @return the time after which no operation begins. The same on all ranks.
    virtual Tick GetEnd() const = 0;

    /// @return whether further operations will begin, the same on all ranks. @param all state of
    /// all ranks
    virtual bool MayStartMore(const WindowState& all) const
    {
        return all.nextWork != TICK_NEVER && all.now < GetEnd();
    }

    /// @return whether no operation is left that has not begun, as of the last window. Default:
    /// yes, since the run ends with a time.
    virtual bool IsAllStarted() const
    {
        return true;
    }

    /// Adds this rank's work: begun, done, the last end, the next time if it is in a message to
    /// another rank, and progress if it is used by a decision that is due.
    virtual void AddTo(WindowState& state, bool isDue) const = 0;

    /// @return whether packets may be under way when all of it is done. Default: no.
    virtual bool MayLeavePackets() const
    {
        return false;
    }

    /// Adds the flows of this rank's senders, for time series. Default: none.
    virtual void ListFlows(std::vector<FlowUnderWay>&) const
    {
    }

    /// Adds the payload that this rank's servers have delivered so far, for time series.
    /// @param[in,out] bytes by workload. Default: none.
    virtual void AddDelivered(std::vector<uint64_t>&) const
    {
    }

    /// The run ends: pending operations are unfinished. Parameters: whether the run ends because it
    /// has stalled; the time of its end. Default: nothing.
    virtual void Finish(bool, Tick)
    {
    }

    /// Writes rows of ended operations to a file of a folder during the run. Before Start(), on all
    /// ranks. Parameters: the folder; the name of the workload, with which rows begin unless it is
    /// empty; whether this is the first rank, which writes.
    virtual void StreamTo(const std::filesystem::path&, const std::string&, bool)
    {
    }

    /// Appends what another rank needs, for example, for the first rank, the operations that ended
    /// since the last call. After each window. Default: nothing.
    virtual void Pack(uint32_t, ByteBuffer&)
    {
    }

    /// Reads what Pack() of another rank has written.
    virtual void Unpack(ByteReader&)
    {
    }

    /// A window has ended on all ranks. Parameters: their state; its end, before which all events
    /// have run everywhere.
    virtual void OnWindow(const WindowState&, Tick)
    {
    }

    /// Writes the rows of ended operations. On the first rank; with several, after each window.
    virtual void WriteEnded()
    {
    }

    /// Collects the results of all ranks at the first. After Finish(), on all ranks.
    /// @param isPartial whether the run was stopped on request
    /// @return the workload's results; used on the first rank only
    virtual std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_RUN_TRAFFIC_H
