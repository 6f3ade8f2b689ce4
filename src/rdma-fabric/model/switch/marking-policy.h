// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MARKING_POLICY_H
#define RDMA_MARKING_POLICY_H

#include "ns3/ecn-marker.h"
#include "ns3/fabric-port.h"
#include "ns3/object.h"
#include "ns3/switch-view.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/// When a switch decides whether to mark a frame.
enum class MarkingPoint : uint8_t
{
    ENQUEUE, ///< Each frame, before it is queued, by the queue ahead of it.
    DEQUEUE, ///< Each frame that was queued, by the queue behind it.
};

/// Configuration of the marking at one port.
struct MarkingPort
{
    EcnProfile profile;  ///< The fabric's profile for the link's rate.
    RandomStream random; ///< Used by this port alone.
};

/// A marking at dequeue that depends on the queue of the egress port only.
struct DequeueMarkers
{
    std::vector<EcnMarker> markers; ///< By port number.
    bool onlyPayload{false};        ///< Frames without payload are not marked.
};

/**
 * @ingroup rdma-switch
 * @brief Decides which frames get CE (congestion experienced).  One instance per switch.
 *
 * A policy with DequeueMarkers, such as the default, costs no call per frame.
 */
class MarkingPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, when the routes are known.
    /// @param ports by port number
    virtual void Start(const SwitchView& view, const std::vector<MarkingPort>& ports) = 0;

    /// Called once, after Start().
    virtual MarkingPoint GetPoint() const = 0;

    /// @return the state of the policy, which the switch then uses in place of ShouldMark(). Called
    /// once, after Start(). Default: unset.
    virtual std::optional<DequeueMarkers> GetDequeueMarkers() const;

    /// @param frame ECN-capable
    /// @param queueBytes at the egress port in the frame's priority, without the frame
    virtual bool ShouldMark(const Frame& frame,
                            const FabricPort& egress,
                            uint64_t queueBytes,
                            Tick now) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_MARKING_POLICY_H
