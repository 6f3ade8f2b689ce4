// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_LIST_H
#define RDMA_TRAFFIC_LIST_H

#include "ns3/run-traffic.h"
#include "ns3/scenario.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The traffic of all workloads of a run, as one.
 *
 * The queue pairs of each workload have the numbers after those of the workloads before it, and
 * each has a part of the servers' memory of its own.
 */
class TrafficList : public RunTraffic
{
  public:
    /// @param context without what depends on the workload
    /// @throws InputError, PolicyError if a workload makes no traffic
    TrafficList(const Scenario& scenario, TrafficContext context);

    bool IsEmpty() const
    {
        return m_all.empty();
    }

    std::vector<uint32_t> CountQueuePairs() const override;
    void Start() override;
    Tick GetEnd() const override;
    void AddTo(WindowState& state, bool isDue) const override;
    void Finish(bool isStalled) override;
    /// The rows of each workload are in its own folder (ResultFolder::GetRowsFolder()).
    void StreamTo(const std::filesystem::path& folder, bool isFirst) override;
    void Pack(ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void WriteEnded() override;
    /// @return parts that have the names of their workloads.
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

  private:
    struct Member
    {
        std::string name; ///< Of its workload; empty: the only one.
        std::unique_ptr<RunTraffic> traffic;
    };

    std::vector<Member> m_all; ///< In the order of the workloads.
};

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_LIST_H
