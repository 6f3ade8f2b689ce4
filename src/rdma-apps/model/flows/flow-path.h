// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_PATH_H
#define RDMA_FLOW_PATH_H

#include "ns3/fabric.h"
#include "ns3/flow-endpoints.h"
#include "ns3/rank-group.h"
#include "ns3/rdma-nic.h"

#include <set>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The paths of flows through a fabric: ideal completion times and reasons for stalls.
 *
 * A flow's number fixes its path entropy, so that it takes the same path under every NIC design.
 */
class FlowPath
{
  public:
    /// @param nics by endpoint id, null for switches; the fabric outlives this
    /// @param hasReads whether flows may be READs
    FlowPath(Fabric& fabric, const std::vector<Ptr<RdmaNic>>& nics, bool hasReads);

    /// @return the entropy that replaces the 5-tuple of the flow's requests, or of its answers.
    static uint32_t MakeEntropy(uint64_t flow, bool isForward);

    /// @return the completion time of a flow in the empty network; 0 if there is no path.
    Tick FindIdealFct(uint64_t flow,
                      const ConnectionEnds& ends,
                      uint64_t bytes,
                      uint32_t mtuBytes,
                      WrOpcode operation) const;

    /// Exchanges which ports are paused now. Collective call.
    void SharePauses(RankGroup& ranks);

    /// @return why the flow makes no progress. Paused ports of other ranks are considered after
    /// SharePauses().
    std::string GetStallReason(uint64_t flow, const ConnectionEnds& ends) const;

  private:
    Fabric& m_fabric;
    std::vector<HeaderSizes> m_headers; ///< By endpoint id: those of its NIC.
    std::vector<uint32_t> m_planes; ///< By endpoint: ports by which a queue pair sends at a time.
    std::vector<bool> m_acknowledgesReads;         ///< By endpoint, if there may be READs.
    std::set<const FabricPort*> m_pausedElsewhere; ///< Not iterated.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_PATH_H
