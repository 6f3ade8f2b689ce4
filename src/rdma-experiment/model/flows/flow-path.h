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
 * @brief The ways of flows through a fabric: how fast they could be, and what is in them.
 *
 * A flow's number fixes its path entropy, so that it takes the same path under every NIC design.
 */
class FlowPath
{
  public:
    /// @param nics by endpoint id, null for switches; the fabric outlives this
    FlowPath(Fabric& fabric, const std::vector<Ptr<RdmaNic>>& nics);

    /// @return what stands for the 5-tuple of the flow's requests, or of its answers.
    static uint32_t MakeEntropy(uint64_t flow, bool isForward);

    /// @param hasImmediate whether the flow carries immediate data
    /// @return when a flow of so many bytes would end in the empty network; 0 while there is no
    /// path.
    Tick FindIdealFct(uint64_t flow,
                      const ConnectionEnds& ends,
                      uint64_t bytes,
                      uint32_t mtuBytes,
                      bool hasImmediate) const;

    /// Learns which ports of other ranks are paused now. All ranks together.
    void SharePauses(RankGroup& ranks);

    /// @return why the flow does not go on. Paused ports of other ranks count if they were shared.
    std::string GetStallReason(uint64_t flow, const ConnectionEnds& ends) const;

  private:
    Fabric& m_fabric;
    std::vector<HeaderSizes> m_headers;            ///< By endpoint id: those of its NIC.
    std::set<const FabricPort*> m_pausedElsewhere; ///< Not iterated.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_PATH_H
