// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/responder.h"

#include "ns3/opcode.h"

namespace ns3::rdma
{

Responder::Responder(const ResponderConfig& config)
    : m_config(config),
      m_expected(config.initialPsn)
{
}

Answer
Responder::OnData(const Frame& frame, Tick now)
{
    Answer answer;
    const bool isCe = (frame.flags & frame_flag::CE) != 0;
    answer.hasCnp = IsCnpDue(isCe, now);
    m_hasCeToEcho |= m_config.echoesCe && isCe;

    const Psn psn(frame.psn);
    const int32_t ahead = psn - m_expected;
    if (ahead == 0)
    {
        OnExpected(frame, answer);
    }
    else if (ahead > 0)
    {
        OnFuture(frame, psn, answer);
    }
    else
    {
        AcknowledgeExpected(answer); // A duplicate: its acknowledgment may have been lost.
    }
    return answer;
}

void
Responder::OnExpected(const Frame& frame, Answer& answer)
{
    const bool hadGap = !m_kept.IsEmpty() || m_hasNaked;
    m_placedBytes += frame.payloadBytes;
    m_hasNaked = false;
    m_expected = m_expected + 1;
    m_msn = (m_msn + opcode::IsLast(frame.opcode)) & Psn::MASK;
    AdvanceOverKept();

    ++m_unanswered;
    if (m_unanswered >= m_config.ackInterval || opcode::IsLast(frame.opcode) || hadGap)
    {
        AcknowledgeExpected(answer);
    }
}

void
Responder::AdvanceOverKept()
{
    if (m_kept.IsEmpty())
    {
        return;
    }
    const Psn first = m_expected;
    while (m_kept.IsMarked(m_expected))
    {
        m_msn = (m_msn + m_keptLast.IsMarked(m_expected)) & Psn::MASK;
        m_expected = m_expected + 1;
    }
    m_kept.Unmark(first, m_expected);
    m_keptLast.Unmark(first, m_expected);
}

void
Responder::OnFuture(const Frame& frame, Psn psn, Answer& answer)
{
    const auto ahead = static_cast<uint32_t>(psn - m_expected);
    const bool isKept = ahead < m_config.rules.outOfOrderWindow;
    answer.isDropped = !isKept;
    if (isKept)
    {
        if (m_kept.Mark(m_expected, psn))
        {
            m_placedBytes += frame.payloadBytes;
            if (opcode::IsLast(frame.opcode))
            {
                m_keptLast.Mark(m_expected, psn);
            }
        }
        answer.isSelective = true;
        answer.selective = psn;
    }
    else if (m_hasNaked)
    {
        return;
    }
    m_hasNaked = true;
    Acknowledge(syndrome::NAK_PSN_SEQUENCE, m_expected, answer);
}

void
Responder::AcknowledgeExpected(Answer& answer)
{
    Acknowledge(syndrome::ACK, m_expected + Psn::MASK, answer); // One before: 2^24 - 1 is -1.
}

void
Responder::Acknowledge(uint8_t code, Psn psn, Answer& answer)
{
    m_unanswered = 0;
    answer.hasAck = true;
    answer.syndrome = code;
    answer.psn = psn;
    answer.isCeEchoed = m_hasCeToEcho;
    m_hasCeToEcho = false;
}

bool
Responder::IsCnpDue(bool isCe, Tick now)
{
    if (!isCe || !m_config.sendsCnps || now < m_nextCnp)
    {
        return false;
    }
    m_nextCnp = now + m_config.cnpInterval;
    return true;
}

} // namespace ns3::rdma
