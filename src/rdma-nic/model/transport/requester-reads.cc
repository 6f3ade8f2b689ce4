// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode.h"
#include "ns3/payload-services.h"
#include "ns3/requester.h"
#include "ns3/response-delivery.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return the opcode that a response has by its position in the whole READ. A request may ask for
/// a part of it: after a loss, or if the length of requests is limited.
uint8_t
GetOpcodeInMessage(bool isFirst, bool isLast)
{
    if (isFirst)
    {
        return isLast ? opcode::READ_RESPONSE_ONLY : opcode::READ_RESPONSE_FIRST;
    }
    return isLast ? opcode::READ_RESPONSE_LAST : opcode::READ_RESPONSE_MIDDLE;
}
} // namespace

void
Requester::WaitForRead(uint32_t owner, uint32_t queuePair) const
{
    ReadPool* pool = m_isBroken ? nullptr : m_window.FindFullReadPool(*m_rules);
    if (pool)
    {
        pool->Wait(&m_window, owner, queuePair);
    }
}

void
Requester::FailWhenDue(Completions& completions)
{
    // The responses of acknowledged READs come on their own: those before the failure are awaited.
    if (!m_extras || !m_extras->failure)
    {
        return;
    }
    const Failure failure = *m_extras->failure;
    if (m_window.GetQueue().IsEmpty() || m_window.GetQueue().GetOldest().endPacket > failure.packet)
    {
        Break(failure.status, completions);
    }
}

Completions
Requester::OnResponse(const Frame& frame, const FrameDetail* detail, Tick now, Placement& placement)
{
    m_isSteady = false;
    Completions completions;
    const uint64_t number = Psn(frame.psn).Expand(m_window.GetUnacked());
    if (m_isBroken || number < m_window.GetUnacked() || number >= m_window.GetNext())
    {
        return completions; // Answered before.
    }
    const uint64_t ackedBefore = m_window.GetAcknowledgedBytes();
    const uint64_t awaited = m_window.GetQueue().FindResponseNumber(m_window.GetUnacked());
    // All requests before the answered one have arrived, but their responses may have been lost.
    bool hasAdvanced = AdvanceByResponse(std::min(number, awaited), completions);
    if (number > awaited)
    {
        if (m_hasFlight)
        {
            OnArrivedUnanswered(number, false);
        }
        OnMissingResponse(now);
    }
    else
    {
        if (number < awaited || !Deliver(number, frame, detail, placement))
        {
            Break(WcStatus::BAD_RESP_ERR, completions);
            return completions;
        }
        hasAdvanced = AdvanceByResponse(number + 1, completions);
        m_window.OnResponses(number + 1, *m_rules);
        // An acknowledgment may have been here before this response.
        const uint64_t arrivedEnd = m_extras ? m_extras->arrivedEnd : 0;
        AdvanceByResponse(
            std::min(arrivedEnd, m_window.GetQueue().FindResponseNumber(m_window.GetUnacked())),
            completions);
        ReportAck(frame, now);
    }
    UpdateTimer(hasAdvanced, now);
    if (m_window.GetAcknowledgedBytes() > ackedBefore)
    {
        ReportProgress(frame, ackedBefore, {}, now);
    }
    return completions;
}

bool
Requester::Deliver(uint64_t number,
                   const Frame& frame,
                   const FrameDetail* detail,
                   Placement& placement)
{
    const Message& message = m_window.GetQueue().Find(number);
    const uint64_t offset = (number - message.firstPacket) * m_window.GetQueue().GetMtu();
    if (!FitsRequest(message, offset, m_window.GetQueue().GetMtu(), frame))
    {
        return false;
    }
    const auto& handlers = m_rules->handlers;
    PayloadServices* services = handlers ? handlers->FindServices(m_rules->queuePair) : nullptr;
    const bool isServed = services && frame.payloadBytes > 0;
    if (!isServed)
    {
        PlaceResponse(message, offset, detail, PeekPointer(m_rules->domain));
    }
    if (frame.opcode != opcode::ATOMIC_ACK)
    {
        const Tick from = isServed ? Serve(message, offset, frame, detail, *services) : 0;
        placement = {from, FindPlace(message, offset)};
    }
    return true;
}

Tick
Requester::Serve(const Message& message,
                 uint64_t offset,
                 const Frame& frame,
                 const FrameDetail* detail,
                 PayloadServices& services)
{
    const SgeList& buffer = message.GetRequest().sgList;
    const uint64_t address = buffer.empty() ? 0 : buffer.front().address + offset;
    Frame placed = frame;
    placed.opcode = GetOpcodeInMessage(offset == 0, offset + frame.payloadBytes >= message.bytes);
    const ServedResponse served = services.OnResponse(m_rules->queuePair, placed, detail, address);
    const ProtectionDomain* domain = PeekPointer(m_rules->domain);
    if (served.isRejected)
    {
        return TICK_NEVER;
    }
    if (!served.isChanged)
    {
        PlaceResponse(message, offset, detail, domain);
    }
    else if (domain && domain->GetMemory())
    {
        domain->Scatter(buffer, offset, served.bytes.data(), served.bytes.size());
    }
    return served.placedFrom;
}

Placement
Requester::PlaceReadData(const Frame& frame, const FrameDetail* detail)
{
    const Message* message = m_window.GetQueue().FindRead(frame.ssn);
    if (!message)
    {
        return {0};
    }
    const uint64_t offset = uint64_t{frame.psnOffset} * m_window.GetQueue().GetMtu();
    PlaceResponse(*message, offset, detail, PeekPointer(m_rules->domain));
    return {0, FindPlace(*message, offset)};
}

Completions
Requester::OnReadsDone(uint32_t count, Tick now)
{
    m_isSteady = false;
    Completions completions;
    Extras& extras = GetExtras();
    const bool hasAdvanced = count != extras.readsDone;
    extras.readsDone = count;
    CompleteOldest(completions);
    if (m_window.IsAllAcknowledged())
    {
        UpdateTimer(hasAdvanced, now); // While requests are in flight, the timer runs for them.
    }
    FailWhenDue(completions);
    return completions;
}

} // namespace ns3::rdma
