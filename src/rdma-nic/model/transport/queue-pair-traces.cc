// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-traces.h"

#include "ns3/opcode.h"

namespace ns3::rdma
{

QueuePairTraces::SendState::SendState(const Requester& requester)
    : rate(requester.GetRate()),
      windowBytes(requester.GetPacer().GetWindowBytes()),
      ackedBytes(requester.GetAcknowledgedBytes()),
      timeouts(requester.GetStats().timeouts)
{
}

void
QueuePairTraces::ReportChange(uint32_t queuePair,
                              const SendState& before,
                              const Requester& requester,
                              const Frame* answer)
{
    const SendState now(requester);
    if (now.timeouts != before.timeouts)
    {
        timeout(queuePair);
    }
    if (now.ackedBytes != before.ackedBytes)
    {
        acknowledge(queuePair, now.ackedBytes);
    }
    if (now.rate != before.rate)
    {
        rate(queuePair, before.rate, now.rate);
    }
    if (now.windowBytes != before.windowBytes)
    {
        window(queuePair, before.windowBytes, now.windowBytes);
    }
    progress(queuePair, requester, answer);
}

void
QueuePairTraces::ReportArrival(uint32_t queuePair, const Frame& frame)
{
    if (frame.opcode == opcode::CNP)
    {
        cnp(queuePair);
    }
    const bool isAcknowledgment = frame.opcode == opcode::ACK || frame.opcode == opcode::READ_ACK;
    if (isAcknowledgment && (syndrome::IsNak(frame.syndrome) || syndrome::IsRnrNak(frame.syndrome)))
    {
        nak(queuePair, frame);
    }
}

} // namespace ns3::rdma
