// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-trail.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// The frame waits at a port, which is paused now and then.
void
AddWait(FlowAccount& account,
        const TrailHop& hop,
        const FrameTrail& trail,
        uint8_t priority,
        const PortLog& port)
{
    const auto& pauses = port.GetPauses(priority);
    // The first one that ends after the cursor.
    auto pause =
        std::upper_bound(pauses.begin(),
                         pauses.end(),
                         account.GetCursor(),
                         [](Tick time, const TimeSpan& span) { return time < span.until; });
    for (; pause != pauses.end() && pause->from < hop.sentAt; ++pause)
    {
        account.Add(pause->from, FlowCause::QUEUEING, hop.port, trail.isAnswer);
        account.Add(std::min(pause->until, hop.sentAt), FlowCause::PFC, hop.port, trail.isAnswer);
    }
    account.Add(hop.sentAt, FlowCause::QUEUEING, hop.port, trail.isAnswer);
}
} // namespace

FrameTrail::FrameTrail(const Frame& frame, bool isAnswer)
    : psn(frame.psn),
      wireBytes(frame.wireBytes),
      isAnswer(isAnswer),
      isResend((frame.flags & frame_flag::RETRANSMISSION) != 0),
      isNotice(isAnswer && frame.IsNotice()),
      priority(frame.priority),
      sendTime(frame.sendTime),
      hostDelay(isAnswer ? frame.hostDelay : 0)
{
}

bool
FrameTrail::IsOf(const Frame& frame) const
{
    const bool isTrimmed = (frame.flags & frame_flag::TRIMMED) != 0;
    return frame.psn == psn && frame.sendTime == sendTime &&
           (isTrimmed || frame.wireBytes == wireBytes);
}

void
AddWay(FlowAccount& account, const FrameTrail& trail, const PortLogs& ports)
{
    bool isTrimmed = false;
    for (std::size_t i = 0; i < trail.hops.size(); ++i)
    {
        const TrailHop& hop = trail.hops[i];
        const PortLog& port = ports[hop.port];
        isTrimmed |= hop.port == trail.trimPort;
        AddWait(account, hop, trail, isTrimmed ? trail.trimmedPriority : trail.priority, port);
        const uint32_t bytes = isTrimmed ? trail.trimmedBytes : trail.wireBytes;
        account.Add(hop.sentAt + port.GetHeadTime(bytes),
                    FlowCause::SERIALIZATION,
                    hop.port,
                    trail.isAnswer);
        const Tick there =
            i + 1 < trail.hops.size() ? trail.hops[i + 1].enteredAt : trail.arrivedAt;
        account.Add(there, FlowCause::PROPAGATION, hop.port, trail.isAnswer);
    }
}

void
AddRound(FlowAccount& account,
         const FrameTrail& data,
         const FrameTrail& answer,
         const PortLogs& ports)
{
    account.Add(data.payloadAt, FlowCause::PAYLOAD);
    account.Add(data.readyAt, FlowCause::TRANSMIT);
    account.Add(data.hops.front().sentAt, FlowCause::CHIP);
    AddWay(account, data, ports);
    account.Add(data.contextAt, FlowCause::RECEIVE_CONTEXT);
    account.Add(data.handledAt, FlowCause::RECEIVE);
    account.Add(answer.hops.front().enteredAt, FlowCause::ANSWER);
    AddWay(account, answer, ports);
    account.Add(answer.contextAt, FlowCause::RECEIVE_CONTEXT, NO_PORT, true);
    account.Add(answer.handledAt, FlowCause::RECEIVE, NO_PORT, true);
}

} // namespace ns3::rdma
