// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RED_MARKING_H
#define RDMA_RED_MARKING_H

#include "ns3/marking-policy.h"

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

} // namespace ns3::rdma

#endif // RDMA_RED_MARKING_H
