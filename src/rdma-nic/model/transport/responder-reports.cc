// SPDX-License-Identifier: GPL-2.0-only

// The part of a Responder whose ReceiverControl decides when it answers.

#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/responder.h"

#include <algorithm>

namespace ns3::rdma
{

void
Responder::OnProbe(const Frame& frame, Answer& answer)
{
    ArrivedPacket packet{};
    packet.psn = Psn(frame.psn);
    packet.wireBytes = frame.wireBytes;
    packet.isMarked = m_hasCeToEcho;
    packet.isProbe = true;
    AskControl(packet, frame, answer);
}

void
Responder::OnReported(const Frame& frame, const FrameDetail* detail, Answer& answer)
{
    m_hasCeToEcho = (frame.flags & frame_flag::CE) != 0; // Of this packet alone.
    if (frame.GetKind() == FrameKind::PROBE)
    {
        OnProbe(frame, answer);
        return;
    }
    const Psn psn(frame.psn);
    const int32_t ahead = psn - m_expected;
    ArrivedPacket packet{};
    packet.psn = psn;
    packet.wireBytes = frame.wireBytes;
    packet.isDuplicate = ahead < 0 || (ahead > 0 && m_kept->all.IsMarked(psn));
    packet.isTrimmed = (frame.flags & frame_flag::TRIMMED) != 0;
    packet.isMarked = m_hasCeToEcho;
    packet.asksForAck = (frame.flags & frame_flag::ACK_REQUEST) != 0;
    packet.isRetransmission = (frame.flags & frame_flag::RETRANSMISSION) != 0;
    if (packet.isDuplicate)
    {
        if (ahead < 0)
        {
            AnswerAgain(frame, detail, psn, answer); // Its response may have been lost.
        }
    }
    else if (packet.isTrimmed)
    {
        answer.isDropped = true;
        answer.dropReason = DropReason::TRIMMED;
    }
    else if (!Take(frame, detail, ahead, answer))
    {
        return;
    }
    AskControl(packet, frame, answer);
}

void
Responder::AskControl(ArrivedPacket& packet, const Frame& frame, Answer& answer)
{
    packet.expected = m_expected;
    packet.held = m_kept->all.GetCount();
    ReceiverControl& control = *m_kept->control;
    Report(CallPolicy(control, "OnPacket()", [&] { return control.OnPacket(packet); }),
           frame,
           answer);
}

void
Responder::Report(const ReceiverAnswer& report, const Frame& frame, Answer& answer)
{
    using Kind = ReceiverAnswer::Kind;
    if (report.kind == Kind::NONE)
    {
        return;
    }
    const bool isNack = report.kind == Kind::NACK;
    Reply reply{};
    reply.operation = opcode::ACK;
    reply.syndrome = isNack ? syndrome::NAK_PSN_SEQUENCE : syndrome::ACK;
    reply.psn = isNack ? m_expected : m_expected + Psn::MASK;
    const bool isProbe = frame.GetKind() == FrameKind::PROBE;
    reply.flags = ChangeKind(0, isProbe ? FrameKind::PROBE_REPORT : FrameKind::REPORT);
    if (frame.flags & frame_flag::RETRANSMISSION)
    {
        reply.flags |= frame_flag::ANSWERS_RESENT;
    }
    if (isNack)
    {
        reply.flags |= frame.flags & (frame_flag::TRIMMED | frame_flag::LAST_HOP);
    }
    reply.receivedBytes = static_cast<uint32_t>(report.receivedBytes);
    reply.base = report.base;
    Acknowledge(reply, frame, answer);
}

void
Responder::AddReport(const Reply& reply, Acknowledgment& acknowledgment) const
{
    const PsnBitmap& held = m_kept->all;
    acknowledgment.receivedBytes = reply.receivedBytes;
    acknowledgment.base = reply.base;
    acknowledgment.bits = held.GetBits(reply.base);
    acknowledgment.held = static_cast<uint16_t>(std::min<uint32_t>(held.GetCount(), UINT16_MAX));
}

} // namespace ns3::rdma
