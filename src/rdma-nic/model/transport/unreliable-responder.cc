// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/unreliable-responder.h"

namespace ns3::rdma
{

UnreliableResponder::UnreliableResponder(const RequestContext& config, uint32_t initialPsn)
    : m_executor(config),
      m_expected(initialPsn),
      m_isDatagram(config.service == Service::UD)
{
}

bool
UnreliableResponder::IsInOrder(const Frame& frame)
{
    if (m_isDatagram)
    {
        return true;
    }
    const bool isFirst = opcode::IsFirst(frame.opcode);
    const bool isExpected = Psn(frame.psn) == m_expected;
    m_expected = Psn(frame.psn) + 1;
    if (isFirst || !isExpected)
    {
        m_executor.Abandon(); // The rest of the previous message is lost.
    }
    return isFirst || (isExpected && m_executor.IsInMessage());
}

UnreliableAnswer
UnreliableResponder::OnData(const Frame& frame, const FrameDetail* detail)
{
    UnreliableAnswer answer;
    if (!IsInOrder(frame))
    {
        answer.drop = DropReason::OUT_OF_ORDER;
        return answer;
    }
    const Execution execution = m_executor.Execute(frame, detail);
    answer.completion = execution.completion;
    answer.isSolicited = execution.isSolicited;
    answer.placedAt = execution.placedAt;
    if (execution.nak != 0)
    {
        answer.drop = execution.nak == syndrome::RNR_NAK ? DropReason::RECEIVER_NOT_READY
                                                         : DropReason::REFUSED;
        if (execution.completion)
        {
            answer.error =
                execution.error; // The receive request failed; else there is no completion.
        }
        m_executor.Abandon();
        return answer;
    }
    m_placedBytes += frame.payloadBytes;
    m_messages += execution.endsMessage;
    return answer;
}

std::vector<WorkCompletion>
UnreliableResponder::Flush()
{
    return m_executor.Flush();
}

} // namespace ns3::rdma
