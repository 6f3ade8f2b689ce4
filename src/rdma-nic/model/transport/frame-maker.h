// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_MAKER_H
#define RDMA_FRAME_MAKER_H

#include "ns3/frame-pool.h"
#include "ns3/header-sizes.h"
#include "ns3/queue-pair.h"

namespace ns3::rdma
{

/// What a NIC's frames have in common.
struct FrameStyle
{
    HeaderSizes sizes;
    uint32_t endpoint{0}; ///< Id of the sending port.
    FrameMark data;       ///< Of data, READ responses, probes; queue pairs may have their own.
    FrameMark ack;
    FrameMark cnp;
    uint8_t reportPriority{AS_ACK}; ///< AS_ACK: they have the mark of acknowledgments.
    uint8_t creditPriority{AS_ACK}; ///< As reportPriority.
    bool hasPsnOffset{false};       ///< Whether the wire format has it.
    IntRules intRules;              ///< Also used for frame sizes.

    static constexpr uint8_t AS_ACK{PRIORITIES};

    /// @param classNumber as of QueuePair @return its priority
    uint8_t GetPriority(uint32_t classNumber) const
    {
        return static_cast<uint8_t>((data.priority + classNumber) % PRIORITIES);
    }

    /// @return the number of a class.
    uint8_t GetClassNumber(uint8_t priority) const
    {
        return static_cast<uint8_t>((priority + PRIORITIES - data.priority) % PRIORITIES);
    }
};

static_assert(sizeof(FrameStyle) == 24, "InstantChip has three cache lines");

/**
 * @ingroup rdma-nic
 * @brief Makes the frames of the packets that transports send.
 */
class FrameMaker
{
  public:
    FrameMaker(FramePool& pool, const FrameStyle& style);

    const FrameStyle& GetStyle() const
    {
        return m_style;
    }

    /// A request, or a response of an acknowledged READ.
    FrameIndex MakeData(const QueuePair& queuePair, const OutgoingPacket& packet, Tick now);

    /// A READ response with the PSNs of its request.
    FrameIndex MakeReadResponse(const QueuePair& queuePair, const ReadResponsePlan& plan, Tick now);

    FrameIndex MakeAcknowledgment(const QueuePair& queuePair, const Acknowledgment& answer);

    /// @param granted as Frame::grantedCredit
    FrameIndex MakeCredit(const QueuePair& queuePair, uint32_t granted);

    FrameIndex MakeProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now);

    /// @param up as Frame::usablePorts
    FrameIndex MakePorts(const QueuePair& queuePair, uint32_t up);

    /// @param marked the frame that CE was set in
    FrameIndex MakeCnp(const QueuePair& queuePair, const Frame& marked);

  private:
    FrameIndex MakePacket(const QueuePair& queuePair, const OutgoingPacket& packet, Tick now);
    FrameIndex Make(const QueuePair& queuePair,
                    uint8_t code,
                    const FrameMark& mark,
                    uint32_t payload);
    /// A queue pair with a mark of its own: its data have it, and so do answers whose priority is
    /// that of the NIC's data.
    [[gnu::cold, gnu::noinline]] void ApplyOwnMark(const QueuePair& queuePair,
                                                   const FrameMark& usual,
                                                   Frame& frame) const;
    /// Gives an acknowledgment another priority, unless it is AS_ACK.
    void ApplyPriority(const QueuePair& queuePair, uint8_t priority, Frame& frame) const;
    void AddReport(FrameIndex index, const Acknowledgment& answer);
    void AddDetail(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan);
    void AddPayload(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan);

    FramePool& m_pool;
    FrameStyle m_style;
};

// Here for speed: each packet needs them.
[[gnu::always_inline]] inline FrameIndex
FrameMaker::Make(const QueuePair& queuePair, uint8_t code, const FrameMark& mark, uint32_t payload)
{
    const FrameIndex index = m_pool.Allocate();
    Frame& frame = m_pool[index];
    frame = Frame{};
    frame.src = m_style.endpoint & (MAX_ENDPOINTS - 1);
    frame.dst = queuePair.GetConnection().remoteEndpoint;
    frame.entropy = queuePair.GetConnection().entropy;
    frame.wireBytes = m_style.sizes.GetFrame(code, payload);
    mark.Apply(frame);
    if (queuePair.HasOwnMark())
    {
        ApplyOwnMark(queuePair, mark, frame);
    }
    frame.srcQp = queuePair.GetNumber();
    frame.dstQp = queuePair.GetConnection().remoteQp;
    frame.payloadBytes = static_cast<uint16_t>(payload);
    frame.opcode = code;
    return index;
}

[[gnu::always_inline]] inline FrameIndex
FrameMaker::MakePacket(const QueuePair& queuePair, const OutgoingPacket& packet, Tick now)
{
    const PacketPlan& plan = packet.plan;
    const Message& message = *plan.message;
    const FrameIndex index = Make(queuePair,
                                  opcode::Make(queuePair.GetService(), plan.operation),
                                  m_style.data,
                                  plan.payloadBytes);
    Frame& frame = m_pool[index];
    const bool isReadResponse = message.family == opcode::READ_RESPONSE_FIRST;
    const bool asksForAck =
        queuePair.GetService() == Service::RC && !isReadResponse && packet.asksForAck;
    frame.flags =
        static_cast<uint16_t>(frame_flag::ECN_CAPABLE | (asksForAck ? frame_flag::ACK_REQUEST : 0) |
                              (packet.isRetransmission ? frame_flag::RETRANSMISSION : 0));
    frame.sendTime = now;
    frame.psn = packet.psn.Get();
    if (packet.hasEntropy)
    {
        frame.entropy = packet.entropy;
        frame.flags |= frame_flag::VARIED_ENTROPY;
    }
    frame.creditTarget = packet.creditTarget;
    const bool isRead = plan.operation == opcode::READ_REQUEST;
    const bool isExtended = m_style.hasPsnOffset && queuePair.GetService() == Service::RC;
    if (isReadResponse || (isExtended && !isRead))
    {
        frame.psnOffset = plan.packetOffset;
    }
    else
    {
        frame.messageBytes = plan.messageBytes;
    }
    if (isReadResponse)
    {
        frame.ssn = message.detail->order & Psn::MASK;
        frame.syndrome = syndrome::ACK;
        frame.ack.msn = (message.detail->order + plan.isLast) & Psn::MASK;
        AddPayload(index, queuePair, plan);
        return index;
    }
    frame.ssn = message.ssn;
    frame.remoteAddress = plan.offset;
    if (message.detail)
    {
        frame.remoteAddress += message.detail->request.remoteAddress;
        AddDetail(index, queuePair, plan);
        AddPayload(index, queuePair, plan);
    }
    return index;
}

[[gnu::always_inline]] inline FrameIndex
FrameMaker::MakeData(const QueuePair& queuePair, const OutgoingPacket& packet, Tick now)
{
    const FrameIndex index = MakePacket(queuePair, packet, now);
    if (m_style.intRules.hops > 0 && m_style.intRules.IsCarriedBy(m_pool[index].opcode))
    {
        m_pool.AddIntStack(index, m_style.intRules.hops);
    }
    return index;
}

} // namespace ns3::rdma

#endif // RDMA_FRAME_MAKER_H
