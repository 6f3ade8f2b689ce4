// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FORWARDING_HINTS_H
#define RDMA_FORWARDING_HINTS_H

#include "ns3/fabric-engine.h"
#include "ns3/frame.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief What a port may ask of the owner at the other end while a frame is on its way there: the
 * speed of a simulation, not its results (docs/speed-hints.md).
 *
 * With the answer the engine fetches what the arrival will need before the arrival is due.
 */
class ForwardingHints : public EventTarget
{
  public:
    /// @return Frame::egress of a frame that sets out for here: where it will leave if nothing
    /// changes. Default: NO_EGRESS, unknown.
    virtual uint32_t PredictEgress(Frame&) const
    {
        return NO_EGRESS;
    }

    /// @return whether frames end here: DestinationHints has what they need. Default: false.
    virtual bool IsDestination() const
    {
        return false;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FORWARDING_HINTS_H
