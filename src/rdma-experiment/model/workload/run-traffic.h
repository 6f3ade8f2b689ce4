// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_TRAFFIC_H
#define RDMA_RUN_TRAFFIC_H

#include "ns3/fabric.h"
#include "ns3/rank-group.h"
#include "ns3/rdma-nic.h"
#include "ns3/result-part.h"
#include "ns3/window-loop.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace ns3::rdma
{

class FlowServices;
class KernelDeployment;

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
    std::vector<uint32_t> madeQueuePairs{}; ///< By node: those of earlier workloads; empty: none.
    uint64_t streamKey{0};                  ///< Connections are numbered above it for their paths.
    uint64_t area{0};                       ///< Added to addresses in the memory of servers.
};

/**
 * @ingroup rdma-scenario
 * @brief The activity of a workload besides its flows, for example clients that call servers.
 *
 * Each rank makes the same objects, and starts the activity of its own servers. Ranks communicate
 * by frames only.
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

    /// Adds this rank's work: begun, done, the last end, and progress if it is used by a decision
    /// that is due.
    virtual void AddTo(WindowState& state, bool isDue) const = 0;

    /// The run ends: pending operations are unfinished.
    /// @param isStalled whether the run ends for that reason
    virtual void Finish(bool isStalled) = 0;

    /// Writes rows of ended operations to a file of this folder during the run. Before Start(), on
    /// all ranks. @param isFirst whether this is the first rank, which writes
    virtual void StreamTo(const std::filesystem::path& folder, bool isFirst);

    /// Appends the operations that ended since the last call, for the first rank. On the other
    /// ranks, after each window.
    virtual void Pack(ByteBuffer& buffer);
    /// Adds the operations that Pack() of another rank has written.
    virtual void Unpack(ByteReader& reader);

    /// Writes the rows of ended operations. On the first rank; with several, after each window.
    virtual void WriteEnded();

    /// Collects the results of all ranks at the first. After Finish(), on all ranks.
    /// @param isPartial whether the run was stopped on request
    /// @return the workload's results; used on the first rank only
    virtual std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) = 0;
};

inline void
RunTraffic::StreamTo(const std::filesystem::path&, bool)
{
}

inline void
RunTraffic::Pack(ByteBuffer&)
{
}

inline void
RunTraffic::Unpack(ByteReader&)
{
}

inline void
RunTraffic::WriteEnded()
{
}

} // namespace ns3::rdma

#endif // RDMA_RUN_TRAFFIC_H
