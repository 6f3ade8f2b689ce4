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

/// What the traffic of a run works with; all of it outlives the traffic.
struct TrafficContext
{
    Fabric* fabric;
    const std::vector<Ptr<RdmaNic>>* nics; ///< By endpoint id; null for switches.
    KernelDeployment* kernels;
    std::function<bool(uint32_t id)> isHere; ///< Whether this rank simulates a node or endpoint.
    FlowServices* services{nullptr};         ///< In slots of NICs; null: none.
    std::function<void()> poll; ///< Called now and then by what takes long; may throw. Null: not.
};

/**
 * @ingroup rdma-scenario
 * @brief What a workload does beside its flows, as clients that call servers.
 *
 * Each rank makes all of it in the same way, and starts what begins at its own servers.  Ranks talk
 * by frames only.
 */
class RunTraffic
{
  public:
    virtual ~RunTraffic() = default;

    /// @return by node: queue pairs that it makes there, which have the first numbers.
    virtual std::vector<uint32_t> CountQueuePairs() const = 0;

    /// Schedules what begins at this rank's servers.
    virtual void Start() = 0;

    /// @return from when on nothing begins any more. The same on all ranks.
    virtual Tick GetEnd() const = 0;

    /// Adds this rank's work: begun, done, the last end, and progress if a decision is due that it
    /// counts for.
    virtual void AddTo(WindowState& state, bool isDue) const = 0;

    /// What is under way has not ended. @param isStalled whether the run ends for that
    virtual void Finish(bool isStalled) = 0;

    /// Rows of what has ended go into a file of this folder while the run goes on. Before Start(),
    /// on all ranks. @param isFirst whether this is the first rank, which writes
    virtual void StreamTo(const std::filesystem::path& folder, bool isFirst);

    /// Appends what has ended since the last call, for the first rank. On the others, after each
    /// window.
    virtual void Pack(ByteBuffer& buffer);
    /// Adds what Pack() of another rank has put.
    virtual void Unpack(ByteReader& reader);

    /// Writes the rows of what has ended. On the first rank; with several, after each window.
    virtual void WriteEnded();

    /// Collects the results of all ranks at the first. After Finish(), on all ranks.
    /// @param isPartial whether the run was stopped on request
    /// @return the workload's results; on other ranks than the first unused
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
