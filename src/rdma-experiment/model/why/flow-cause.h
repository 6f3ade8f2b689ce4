// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_CAUSE_H
#define RDMA_FLOW_CAUSE_H

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/// What an instant of a flow's completion time went into. docs/study/why.md defines each.
enum class FlowCause : uint8_t
{
    // Waiting at the sender.
    FLUID,      ///< The flow was part of a fluid, not packets yet.
    WINDOW,     ///< As much is in flight as is allowed: an acknowledgment must come.
    CREDIT,     ///< The receiver has granted no credit: a grant must come.
    RATE,       ///< Pacing.
    SCHEDULER,  ///< The port sends frames of others.
    SENDER_PFC, ///< The NIC's port is paused.
    QUEUE_PAIR, ///< Other messages of its queue pair go before.
    NOT_READY,  ///< The delay that an RNR NAK asks for.
    // On the way.
    SERIALIZATION,
    PROPAGATION,
    QUEUEING, ///< Behind other frames at a port.
    PFC,      ///< At a port of the fabric that is paused.
    // Retransmission.
    TIMEOUT,  ///< Nothing may be sent until the retransmission timer expires.
    NAK,      ///< Nothing may be sent until an answer shows the loss.
    RESENT,   ///< Serialization of packets that are sent again.
    TRIMMED,  ///< The same, of packets that a switch has trimmed.
    RECOVERY, ///< Waiting for the answer of a packet sent again.
    // Hardware stages.
    POST,            ///< The host's core and the doorbell.
    CONTEXT,         ///< The queue pair's context is fetched for a turn.
    REQUESTS,        ///< Work requests are fetched for a turn, and it is decided.
    PAYLOAD,         ///< Payload is fetched.
    TRANSMIT,        ///< Transmit pipeline.
    CHIP,            ///< Waits for room, a turn or frames before it on the chip; the port is idle.
    RECEIVE_CONTEXT, ///< The context is fetched for an arriving frame.
    RECEIVE,         ///< Receive pipeline.
    ANSWER,          ///< The way of an acknowledgment through the receiver's chip to its port.
    SLOW_PATH,       ///< An answer waits for software or for the NIC's delay of NAKs.
    COMPLETION,      ///< The completion is written and polled.
    COUNT
};

constexpr std::size_t FLOW_CAUSES = static_cast<std::size_t>(FlowCause::COUNT);

/// How a cause is named.
struct FlowCauseInfo
{
    const char* key;   ///< In JSON and CSV.
    const char* group; ///< What it belongs to.
    const char* text;  ///< Below the group.
};

const FlowCauseInfo& GetInfo(FlowCause cause);

} // namespace ns3::rdma

#endif // RDMA_FLOW_CAUSE_H
