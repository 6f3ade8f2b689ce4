// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_TRAIL_H
#define RDMA_FRAME_TRAIL_H

#include "ns3/flow-account.h"
#include "ns3/frame.h"
#include "ns3/port-log.h"

#include <boost/container/small_vector.hpp>
#include <vector>

namespace ns3::rdma
{

/// Place of a trail in its FlowChannel.
using TrailIndex = uint32_t;

constexpr TrailIndex NO_TRAIL{UINT32_MAX};

/// A frame at a port that it leaves by.
struct TrailHop
{
    uint32_t port;  ///< Number in a PortLogs.
    Tick enteredAt; ///< It is there.
    Tick sentAt;    ///< Its first bit leaves; TICK_NEVER: not yet.
};

/**
 * @ingroup rdma-why
 * @brief What one frame has met from its making to its handling. Times that are not known, as those
 * of stages on a chip that takes no time, are 0.
 */
struct FrameTrail
{
    /// Its beginning. @param isAnswer else it is a data packet
    FrameTrail(const Frame& frame, bool isAnswer);

    /// @return whether it is of that frame, or of one with the same content, trimmed or not.
    bool IsOf(const Frame& frame) const;

    /// @return whether it has entered a port that it has not left.
    bool IsWaiting() const
    {
        return !hops.empty() && hops.back().sentAt == TICK_NEVER;
    }

    uint32_t psn;
    uint32_t wireBytes;
    bool isAnswer;
    bool isResend;
    bool isCopy{false}; ///< Of a frame that a link has duplicated.
    bool isNotice;      ///< Answers no packet: grants credit, or reports ports.
    uint8_t priority;
    uint8_t trimmedPriority{0};  ///< From trimPort on; so are the next bytes.
    uint32_t trimmedBytes{0};    ///< As wireBytes.
    uint32_t trimPort{NO_PORT};  ///< Port whose switch has removed the payload.
    uint32_t resentFor{NO_PORT}; ///< The previous transmission's trimPort.
    Tick sendTime;     ///< Frame::sendTime: of an answer that of the packet that it answers.
    Tick hostDelay{0}; ///< Of an answer: from that packet's arrival to the port, if it says so.
    Tick payloadAt{0}; ///< The chip has its payload.
    Tick readyAt{0};   ///< It is through the transmit pipeline.
    boost::container::small_vector<TrailHop, 6> hops;
    Tick arrivedAt{0};           ///< Its last bit is at the NIC.
    Tick contextAt{0};           ///< Its context is on the chip.
    Tick handledAt{0};           ///< It is through the receive pipeline.
    TrailIndex cause{NO_TRAIL};  ///< Of an answer: the data packet on which it was made.
    const Frame* frame{nullptr}; ///< Where it is, or was last; only the recorder uses it.
};

/// All ports of a fabric, by number.
using PortLogs = std::vector<PortLog>;

/// Accounts for the time from the account's cursor until a frame's arrival, port by port.
void AddWay(FlowAccount& account, const FrameTrail& trail, const PortLogs& ports);

/// Accounts for the time from the account's cursor until an answer is through the receive pipeline
/// of the NIC that gets it: the way of the data packet from its making on, and that of the answer.
void AddRound(FlowAccount& account,
              const FrameTrail& data,
              const FrameTrail& answer,
              const PortLogs& ports);

} // namespace ns3::rdma

#endif // RDMA_FRAME_TRAIL_H
