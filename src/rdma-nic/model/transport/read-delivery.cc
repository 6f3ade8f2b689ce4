// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/read-delivery.h"

#include "ns3/opcode.h"
#include "ns3/response-delivery.h"

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

bool
ReadDelivery::Deliver(uint64_t number,
                      const Frame& frame,
                      const FrameDetail* detail,
                      Placement& placement) const
{
    const Message& message = m_queue.Find(number);
    const uint64_t offset = (number - message.firstPacket) * m_queue.GetMtu();
    if (!FitsRequest(message, offset, m_queue.GetMtu(), frame))
    {
        return false;
    }
    const auto& handlers = m_rules.handlers;
    PayloadServices* services = handlers ? handlers->FindServices(m_rules.queuePair) : nullptr;
    const bool isServed = services && frame.payloadBytes > 0;
    if (!isServed)
    {
        PlaceResponse(message, offset, detail, PeekPointer(m_rules.domain));
    }
    if (frame.opcode != opcode::ATOMIC_ACK)
    {
        const Tick from = isServed ? Serve(message, offset, frame, detail, *services) : 0;
        placement = {from, FindPlace(message, offset)};
    }
    return true;
}

Tick
ReadDelivery::Serve(const Message& message,
                    uint64_t offset,
                    const Frame& frame,
                    const FrameDetail* detail,
                    PayloadServices& services) const
{
    const SgeList& buffer = message.GetRequest().sgList;
    const uint64_t address = buffer.empty() ? 0 : buffer.front().address + offset;
    Frame placed = frame;
    placed.opcode = GetOpcodeInMessage(offset == 0, offset + frame.payloadBytes >= message.bytes);
    const ServedResponse served = services.OnResponse(m_rules.queuePair, placed, detail, address);
    const ProtectionDomain* domain = PeekPointer(m_rules.domain);
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
ReadDelivery::Place(const Frame& frame, const FrameDetail* detail) const
{
    const Message* message = m_queue.FindRead(frame.ssn);
    if (!message)
    {
        return {0};
    }
    const uint64_t offset = uint64_t{frame.psnOffset} * m_queue.GetMtu();
    PlaceResponse(*message, offset, detail, PeekPointer(m_rules.domain));
    return {0, FindPlace(*message, offset)};
}

} // namespace ns3::rdma
