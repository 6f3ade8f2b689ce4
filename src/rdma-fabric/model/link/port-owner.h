// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_OWNER_H
#define RDMA_PORT_OWNER_H

#include "ns3/forwarding-hints.h"

namespace ns3::rdma
{

class FabricPort;

/// A frame for a port that pulls.
struct PulledFrame
{
    FrameIndex frame{NO_FRAME}; ///< NO_FRAME: nothing can be sent now.
    /// Whether to call Pull() again for this class when this frame has left.
    bool hasMore{false};
};

/**
 * @ingroup rdma-link
 * @brief Owner of a port: a switch, a NIC or a FabricDevice.
 *
 * The owner gets arrivals from the engine directly: a call through the port would cost a cache line
 * per hop.
 */
class PortOwner : public ForwardingHints
{
  public:
    /// Kind of event of an arrival; the argument is the frame. The owner defines all other kinds.
    static constexpr uint32_t ARRIVAL{0};

    /// A frame has arrived at Frame::ingressPort. The owner takes it over.
    virtual void Receive(FrameIndex frame) = 0;

    /// A frame that waited in the port's queue is about to be sent.
    virtual void OnDequeue(FabricPort& port, Frame& frame) = 0;

    /// Called when the port is idle and sends a frame of this class next, unless the owner has
    /// none. The class is one of those given to FabricPort::SetOwner().
    virtual PulledFrame Pull(FabricPort& port, uint32_t classNumber) = 0;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        Receive(frame);
    }
};

} // namespace ns3::rdma

#endif // RDMA_PORT_OWNER_H
