// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MARKING_POLICIES_H
#define RDMA_MARKING_POLICIES_H

#include "ns3/marking-policy.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-switch
 * @brief An EcnMarker per port, with thresholds that may be scaled for ports to servers and to
 * switches.
 *
 * Marking at enqueue is what RED and DCTCP describe (Floyd and Jacobson 1993; Alizadeh et al.
 * 2010); marking at dequeue reports a newer state of the queue.
 */
class RedMarking : public MarkingPolicy
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view, const std::vector<MarkingPort>& ports) override;
    MarkingPoint GetPoint() const override;
    std::optional<DequeueMarkers> GetDequeueMarkers() const override;
    bool ShouldMark(const Frame& frame,
                    const FabricPort& egress,
                    uint64_t queueBytes,
                    Tick now) override;

  private:
    bool m_isAtEnqueue{false};
    double m_serverScale{1};
    double m_switchScale{1};
    std::vector<EcnMarker> m_markers; ///< By port number.
};

/**
 * @ingroup rdma-switch
 * @brief Marks at dequeue by shares of the bandwidth-delay product, at ports of chosen roles.
 *
 * The probability rises from 0 to 1 between two queue lengths, counted in the bytes that the frame
 * leaves behind.  Frames without payload are not marked.  With receiver credits (RCCC), Ultra
 * Ethernet marks no frames at ports that lead to servers.
 *
 * Source: compositequeue.cpp of ultraethernet/uet-htsim at 40ccb05; Ultra Ethernet 1.0.3, sections
 * 3.6.14 and 3.6.17.
 */
class RoleMarking : public MarkingPolicy
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view, const std::vector<MarkingPort>& ports) override;
    MarkingPoint GetPoint() const override;
    std::optional<DequeueMarkers> GetDequeueMarkers() const override;
    bool ShouldMark(const Frame& frame,
                    const FabricPort& egress,
                    uint64_t queueBytes,
                    Tick now) override;

  private:
    EcnProfile MakeProfile(const SwitchView& view, const FabricPort& port) const;

    double m_minShare{0.2};
    double m_maxShare{0.8};
    uint64_t m_minBytes{0};
    uint64_t m_maxBytes{0};
    bool m_marksToServers{true};
    bool m_marksToSwitches{true};
    Tick m_baseRtt{0};
    std::vector<EcnMarker> m_markers; ///< By port number.
};

} // namespace ns3::rdma

#endif // RDMA_MARKING_POLICIES_H
