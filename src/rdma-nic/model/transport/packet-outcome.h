// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_OUTCOME_H
#define RDMA_PACKET_OUTCOME_H

#include "ns3/drop-reason.h"
#include "ns3/frame.h"
#include "ns3/placement.h"
#include "ns3/work-reporter.h"

#include <optional>

namespace ns3::rdma
{

/// The effects of one received packet. The transport fills it, and the datapath makes each part
/// visible at its time.
struct PacketOutcome
{
    FrameIndex cnp{NO_FRAME};
    FrameIndex answer{NO_FRAME};    ///< An acknowledgment, sent behind the CNP.
    std::optional<DropReason> drop; ///< Set: the packet is dropped.
    bool isForSoftware{false};      ///< Host software is notified of the packet's PSN.
    Tick wakeAt{TICK_NEVER};        ///< When the queue pair may have something to send.
    Placement placement;
    Notices completions; ///< Delivered after the payload is placed and software is notified.
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_OUTCOME_H
