// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FORWARDING_HINTS_H
#define RDMA_FORWARDING_HINTS_H

#include "ns3/egress-table.h"
#include "ns3/fabric-engine.h"
#include "ns3/frame.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Queries of a port to the owner at the other end, for a frame in flight. They affect the
 * speed of a simulation, not its results (docs/extend/speed-hints.md).
 *
 * With the answer the engine prefetches the memory that the arrival will need.
 */
class ForwardingHints : public EventTarget
{
  public:
    /// @return the table that has Frame::egress of all frames that are sent to this owner; valid as
    /// long as the owner. Default: a table without attachments, no egress is known.
    virtual const EgressTable* GetEgressTable() const
    {
        static const EgressTable NOTHING_KNOWN{};
        return &NOTHING_KNOWN;
    }

    /// @return whether this owner is the destination of all frames that it receives, so that
    /// DestinationHints apply. Default: false.
    virtual bool IsDestination() const
    {
        return false;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FORWARDING_HINTS_H
