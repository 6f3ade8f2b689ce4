// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_OWNER_H
#define RDMA_PORT_OWNER_H

#include "ns3/frame.h"

namespace ns3::rdma
{

class FabricPort;

/// A frame for a port that asked for one.
struct PulledFrame
{
    FrameIndex frame{NO_FRAME}; ///< NO_FRAME: nothing can be sent now.
    bool hasMore{false};        ///< Whether to ask again when this one has left.
};

/**
 * @ingroup rdma-link
 * @brief Whatever a port belongs to: a switch or a NIC.
 */
class PortOwner
{
  public:
    virtual ~PortOwner() = default;

    /// A frame has arrived; from here on it belongs to the owner.
    virtual void Receive(FabricPort& port, FrameIndex frame) = 0;

    /// The frame will be received soon: starts loading what Receive() will read.
    virtual void PrepareReceive(const FabricPort&, const Frame&)
    {
    }

    /// A frame that waited in the port's queue is about to be sent.
    virtual void OnDequeue(FabricPort& port, Frame& frame) = 0;

    /// The port is idle and its queues have nothing to send.
    virtual PulledFrame Pull(FabricPort& port) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PORT_OWNER_H
