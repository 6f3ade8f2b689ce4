// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_TIMES_H
#define RDMA_LINK_TIMES_H

#include "ns3/communicator-links.h"
#include "ns3/fabric-port.h"
#include "ns3/header-sizes.h"

#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief Times of the messages of a group over its connections' paths in the empty network, without
 * the NIC's own times.
 */
class LinkTimes : public PathTimes
{
  public:
    /// All references outlive this. @param group index among those of all stages
    LinkTimes(const CollectivePlan& plan,
              const CommunicatorLinks& links,
              uint32_t group,
              const TrafficContext& context);

    Tick GetArrival(uint32_t src, uint32_t dst, uint64_t bytes) const override;
    Tick GetDuration(uint32_t src, uint32_t dst, uint64_t bytes) const override;
    bool IsLocal(uint32_t src, uint32_t dst) const override;

    /// @return how long a rank is busy with a message within its server.
    static Tick GetLocalDuration(const LocalLink& local, uint64_t bytes);

  private:
    const CommunicatorLink& Find(uint32_t src, uint32_t dst) const;
    Tick Measure(const CommunicatorLink& link, const PortPath& path, uint64_t bytes) const;

    const CollectivePlan& m_plan;
    const TrafficContext& m_context;
    std::vector<uint32_t> m_ranks; ///< Of the communicator, by member of the group.
    std::unordered_map<uint64_t, const CommunicatorLink*> m_links; ///< By both ranks; looked up.
    std::unordered_map<uint32_t, HeaderSizes> m_headers; ///< By endpoint of the sender; looked up.
};

} // namespace ns3::rdma

#endif // RDMA_LINK_TIMES_H
