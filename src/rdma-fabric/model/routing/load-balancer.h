// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOAD_BALANCER_H
#define RDMA_LOAD_BALANCER_H

#include "ns3/frame.h"
#include "ns3/object.h"
#include "ns3/switch-view.h"

#include <optional>

namespace ns3::rdma
{

class FabricPort;

/// The ports of equal cost that a switch may choose from, at least two, by rising number.
struct PortChoice
{
    FabricPort* const* ports;
    uint32_t count;
    uint32_t group{0}; ///< Number of this set of ports, valid until OnRoutes().

    const FabricPort& Get(uint32_t candidate) const
    {
        return *ports[candidate];
    }
};

/**
 * @ingroup rdma-routing
 * @brief Decides which of several equal-cost ports a frame takes.  One instance per switch.
 */
class LoadBalancer : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, when the routes are known.
    virtual void Start(const SwitchView& view) = 0;

    /// A link went down or up: view.routes has changed. Default: ignored.
    virtual void OnRoutes(const SwitchView& view);

    /// Called once for each frame with several candidate ports, with the frame itself.
    /// @return a number below choice.count
    virtual uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) = 0;

    /// @return whether OnForward() does anything: true costs a call per frame. Called once, after
    /// Start(). Default: false.
    virtual bool NeedsOnForward() const;

    /// A frame has its egress port and is about to be admitted, also where there was no choice.
    virtual void OnForward(Frame& frame, const FabricPort& egress, Tick now);

    /// Predicts the port of a flow, for its ideal completion time.
    /// @return what Choose() returns for all frames of this entropy; unset: unpredictable, and the
    /// first port is assumed. Default: unset.
    virtual std::optional<uint32_t> ChooseForFlow(uint32_t entropy, uint32_t count) const;
};

} // namespace ns3::rdma

#endif // RDMA_LOAD_BALANCER_H
