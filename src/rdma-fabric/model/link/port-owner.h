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
    bool hasMore{false};        ///< Whether to ask again when this one has left.
};

/**
 * @ingroup rdma-link
 * @brief Whatever a port belongs to: a switch or a NIC.
 *
 * Gets arrivals from the engine itself: going through the port would cost a cache line per hop.
 */
class PortOwner : public ForwardingHints
{
  public:
    /// Kind of event of an arrival; the argument is the frame. Others are the owner's own.
    static constexpr uint32_t ARRIVAL{0};

    /// A frame has arrived at Frame::ingressPort; from here on it belongs to the owner.
    virtual void Receive(FrameIndex frame) = 0;

    /// A frame that waited in the port's queue is about to be sent.
    virtual void OnDequeue(FabricPort& port, Frame& frame) = 0;

    /// The port is idle and its queues have nothing to send.
    virtual PulledFrame Pull(FabricPort& port) = 0;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        Receive(frame);
    }
};

} // namespace ns3::rdma

#endif // RDMA_PORT_OWNER_H
