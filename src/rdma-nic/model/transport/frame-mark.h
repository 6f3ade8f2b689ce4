// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_MARK_H
#define RDMA_FRAME_MARK_H

#include "ns3/frame.h"

namespace ns3::rdma
{

/// Priority and DSCP of frames.
struct FrameMark
{
    uint8_t priority{0};
    uint8_t dscp{DSCPS}; ///< DSCPS: the class selector of the priority.

    uint8_t GetDscp() const
    {
        return dscp < DSCPS ? dscp : GetClassSelector(priority);
    }

    void Apply(Frame& frame) const
    {
        frame.priority = priority;
        frame.hasDscp = dscp < DSCPS;
        frame.dscp = dscp & (DSCPS - 1);
    }

    bool operator==(const FrameMark& other) const
    {
        return priority == other.priority && GetDscp() == other.GetDscp();
    }
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_MARK_H
