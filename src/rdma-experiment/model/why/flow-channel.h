// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_CHANNEL_H
#define RDMA_FLOW_CHANNEL_H

#include "ns3/frame-trail.h"
#include "ns3/psn.h"

#include <vector>

namespace ns3::rdma
{

/// When the sending half of a queue pair may send next, from a time on.
struct SendSample
{
    Tick at;
    Tick sendableAt;  ///< When the next packet may leave; TICK_NEVER: something must come first.
    Tick pacedUntil;  ///< The same for the rate alone.
    uint64_t next;    ///< Number of the next packet to be sent for the first time.
    uint64_t unacked; ///< Of the oldest packet that is not acknowledged.
    uint64_t known;   ///< Packets before it are visible to the NIC.
    bool hasResends;  ///< Packets wait to be sent again.
    TrailIndex answer{NO_TRAIL}; ///< What has brought this about; none: a timer, a doorbell, ...
    bool takesReports{false};    ///< The window limits retransmissions, too.
    bool lacksCredit{false};     ///< Nothing may be sent until the receiver grants credit.
};

/// A turn of a queue pair on a chip that fetches something for it.
struct SendTurn
{
    Tick from;
    Tick contextAt; ///< The context is there.
    Tick until;     ///< So are the work requests, and packets are taken.
};

/// What was seen of one queue pair that sends, and of its peer's answers. In order of time.
struct FlowChannel
{
    std::vector<SendSample> samples;
    std::vector<SendTurn> turns;
    std::vector<FrameTrail> trails;   ///< In the order in which the frames were made.
    std::vector<TrailIndex> arrivals; ///< Data packets at the receiving NIC.
    bool isTimed{false};              ///< The sending NIC's hardware takes time.
};

/// The packets of one message in its queue pair.
struct MessageSpan
{
    uint64_t first; ///< Number of its first packet.
    uint64_t end;   ///< One past that of its last.

    /// @return whether a PSN is one of its packets'.
    bool Contains(uint32_t psn) const
    {
        return ((psn - static_cast<uint32_t>(first)) & Psn::MASK) < end - first;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_CHANNEL_H
