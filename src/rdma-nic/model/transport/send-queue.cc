// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-queue.h"

#include "ns3/assert.h"
#include "ns3/psn.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return the operation of a request's first packet, were it longer than one.
uint8_t
GetFamily(WrOpcode code)
{
    switch (code)
    {
    case WrOpcode::SEND:
    case WrOpcode::SEND_WITH_IMM:
        return opcode::SEND_FIRST;
    case WrOpcode::RDMA_WRITE:
    case WrOpcode::RDMA_WRITE_WITH_IMM:
        return opcode::WRITE_FIRST;
    case WrOpcode::RDMA_READ:
        return opcode::READ_REQUEST;
    case WrOpcode::ATOMIC_CMP_AND_SWP:
        return opcode::CMP_SWAP;
    default:
        return opcode::FETCH_ADD;
    }
}

constexpr uint32_t ATOMIC_BYTES{8};
} // namespace

SendQueue::SendQueue(uint32_t mtuBytes, uint64_t firstPacket, bool hasOwnResponseNumbers)
    : m_end(firstPacket),
      m_mtuBytes(mtuBytes),
      m_hasOwnResponseNumbers(hasOwnResponseNumbers)
{
}

uint64_t
SendQueue::CountPackets(uint64_t bytes) const
{
    return bytes == 0 ? 1 : (bytes - 1) / m_mtuBytes + 1;
}

Message&
SendQueue::Append(uint64_t bytes, uint64_t packets, uint64_t outgoingBytes)
{
    Message& message = m_messages.emplace_back();
    message.firstPacket = m_end;
    message.endPacket = m_end + packets;
    message.bytes = bytes;
    message.bytesBefore = m_bytes;
    message.ssn = m_ssn;
    m_end = message.endPacket;
    m_bytes += outgoingBytes;
    return message;
}

void
SendQueue::Post(const SendWorkRequest& request, WcStatus status)
{
    const bool isRead = request.opcode == WrOpcode::RDMA_READ;
    const bool isAtomic = IsAtomic(request.opcode);
    const uint64_t bytes = isAtomic ? ATOMIC_BYTES : GetTotalBytes(request.sgList);
    const bool isOnePacket = isAtomic || (isRead && m_hasOwnResponseNumbers);
    Message& message =
        Append(bytes, isOnePacket ? 1 : CountPackets(bytes), isRead || isAtomic ? 0 : bytes);
    message.family = GetFamily(request.opcode);
    message.hasResponse = isRead || isAtomic;
    message.status = status;
    message.request = request;
    message.request.next = nullptr;
    message.order = m_reads;
    m_reads += isRead;
    m_ssn = (m_ssn + ConsumesReceive(request.opcode)) & Psn::MASK;
    m_special += IsSpecial(message);
}

void
SendQueue::Post(uint64_t wrId, uint64_t bytes)
{
    Message& message = Append(bytes, CountPackets(bytes), bytes);
    message.family = opcode::WRITE_FIRST;
    message.isPlain = true;
    message.request.wrId = wrId;
    message.request.opcode = WrOpcode::RDMA_WRITE;
}

void
SendQueue::PostResponse(uint64_t address, uint64_t bytes, uint32_t order)
{
    Message& message = Append(bytes, CountPackets(bytes), bytes);
    message.family = opcode::READ_RESPONSE_FIRST;
    message.request.opcode = WrOpcode::RDMA_WRITE; // Its bytes go out as those of a WRITE do.
    message.request.remoteAddress = address;
    message.order = order;
}

void
SendQueue::SetInlineBytes(std::vector<uint8_t> bytes)
{
    m_messages.back().bytesInline = std::move(bytes);
}

bool
SendQueue::IsSpecial(const Message& message)
{
    return message.hasResponse || message.request.isFenced || message.status != WcStatus::SUCCESS;
}

bool
SendQueue::NeedsResponse(const Message& message) const
{
    return IsAtomic(message.request.opcode) ||
           (message.request.opcode == WrOpcode::RDMA_READ && !m_hasOwnResponseNumbers);
}

const Message&
SendQueue::Find(uint64_t number) const
{
    // Nearly always there is one message, or the packet belongs to the oldest.
    auto message = m_messages.begin() + static_cast<std::ptrdiff_t>(m_oldest);
    if (number >= message->endPacket)
    {
        message = std::upper_bound(message,
                                   m_messages.end(),
                                   number,
                                   [](uint64_t wanted, const Message& candidate) {
                                       return wanted < candidate.firstPacket;
                                   }) -
                  1;
    }
    return *message;
}

PacketPlan
SendQueue::Plan(uint64_t number) const
{
    const Message& message = Find(number);
    const uint64_t packetOffset = number - message.firstPacket;
    const uint64_t offset = packetOffset * m_mtuBytes;
    const uint64_t left = message.bytes - offset;
    PacketPlan plan;
    plan.message = &message;
    plan.packetOffset = static_cast<uint32_t>(packetOffset);
    plan.offset = offset;
    if (message.hasResponse)
    {
        // The request, for all of the response that is not here yet.
        plan.payloadBytes = 0;
        plan.count = static_cast<uint32_t>(message.endPacket - number);
        plan.operation = message.family;
        plan.isFirst = true;
        plan.isLast = true;
        return plan;
    }
    plan.payloadBytes = static_cast<uint32_t>(std::min<uint64_t>(left, m_mtuBytes));
    plan.count = 1;
    plan.isFirst = offset == 0;
    plan.isLast = left <= m_mtuBytes;
    const bool hasImmediate = !message.isPlain && HasImmediate(message.request.opcode);
    plan.operation = opcode::GetByPlace(message.family, plan.isFirst, plan.isLast, hasImmediate);
    return plan;
}

uint64_t
SendQueue::GetBytesBefore(uint64_t number) const
{
    if (number == m_end)
    {
        return m_bytes;
    }
    const Message& message = Find(number);
    return message.bytesBefore +
           (HasResponse(message.request.opcode) ? 0 : (number - message.firstPacket) * m_mtuBytes);
}

uint64_t
SendQueue::GetEndOfMessages(uint64_t number, uint64_t end, uint32_t count) const
{
    const auto first = static_cast<std::size_t>(&Find(number) - m_messages.data());
    const std::size_t last = std::min(first + count, m_messages.size()) - 1;
    return std::min(end, m_messages[last].endPacket);
}

uint32_t
SendQueue::CountMessages(uint64_t number, uint64_t end, uint32_t limit) const
{
    auto place = static_cast<std::size_t>(&Find(number) - m_messages.data());
    uint32_t count = 0;
    while (count < limit && place < m_messages.size() && m_messages[place].endPacket <= end)
    {
        ++count;
        ++place;
    }
    return count;
}

uint64_t
SendQueue::FindResponseNumber(uint64_t from) const
{
    if (m_special > 0)
    {
        for (std::size_t place = m_oldest; place < m_messages.size(); ++place)
        {
            const Message& message = m_messages[place];
            if (message.endPacket > from && NeedsResponse(message))
            {
                return std::max(from, message.firstPacket);
            }
        }
    }
    return m_end;
}

const Message*
SendQueue::FindRead(uint32_t order) const
{
    for (std::size_t place = m_oldest; place < m_messages.size(); ++place)
    {
        const Message& message = m_messages[place];
        if (message.request.opcode == WrOpcode::RDMA_READ &&
            ((message.order - order) & Psn::MASK) == 0)
        {
            return &message;
        }
    }
    return nullptr;
}

void
SendQueue::DropOldest()
{
    m_special -= IsSpecial(m_messages[m_oldest]);
    ++m_oldest;
    // Compacts now and then, so that a long queue costs a constant per message.
    constexpr std::size_t COMPACT{32};
    if (m_oldest > COMPACT && m_oldest * 2 > m_messages.size())
    {
        m_messages.erase(m_messages.begin(),
                         m_messages.begin() + static_cast<std::ptrdiff_t>(m_oldest));
        m_oldest = 0;
    }
}

} // namespace ns3::rdma
