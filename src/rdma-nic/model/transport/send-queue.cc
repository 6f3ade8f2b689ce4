// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-queue.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @return the operation that the first packet of a long request has.
uint8_t
GetFamily(const SendWorkRequest& request)
{
    switch (request.opcode)
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
    case WrOpcode::KERNEL:
        return request.kernelOperation;
    default:
        return opcode::FETCH_ADD;
    }
}

constexpr uint32_t ATOMIC_BYTES{8};

SendWorkRequest
MakePlainRequest()
{
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_WRITE;
    return request;
}

const SendWorkRequest PLAIN_REQUEST = MakePlainRequest();
} // namespace

const SendWorkRequest&
Message::GetRequest() const
{
    return detail ? detail->request : PLAIN_REQUEST;
}

SendQueue::SendQueue(uint32_t mtuBytes,
                     uint64_t firstPacket,
                     bool hasOwnResponseNumbers,
                     uint32_t readPackets)
    : m_end(firstPacket),
      m_mtuBytes(static_cast<uint16_t>(mtuBytes)),
      m_readPackets(hasOwnResponseNumbers
                        ? 0
                        : static_cast<uint16_t>(std::min<uint32_t>(readPackets, UINT16_MAX))),
      m_hasOwnResponseNumbers(hasOwnResponseNumbers),
      m_reads(0)
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
    if (!IsEmpty() && !m_later)
    {
        m_later = std::make_unique<Later>();
    }
    Message& message = IsEmpty() ? m_oldest : m_later->messages.emplace_back();
    message.firstPacket = m_end;
    message.endPacket = m_end + packets;
    message.bytes = bytes;
    message.bytesBefore = m_bytes;
    message.ssn = m_ssn;
    m_end = message.endPacket;
    m_bytes += outgoingBytes;
    return message;
}

uint64_t
SendQueue::GetMaxMessageBytes(uint32_t mtuBytes)
{
    return std::min<uint64_t>(MAX_MESSAGE_BYTES / mtuBytes, MAX_MESSAGE_PACKETS) * mtuBytes;
}

void
SendQueue::Post(const SendWorkRequest& request, WcStatus status)
{
    Post(request, status, IsAtomic(request.opcode) ? ATOMIC_BYTES : GetTotalBytes(request.sgList));
}

void
SendQueue::Post(const SendWorkRequest& request, WcStatus status, uint64_t bytes)
{
    const bool isRead = request.opcode == WrOpcode::RDMA_READ;
    const bool isAtomic = IsAtomic(request.opcode);
    const bool isOnePacket = isAtomic || (isRead && m_hasOwnResponseNumbers);
    Message& message =
        Append(bytes, isOnePacket ? 1 : CountPackets(bytes), isRead || isAtomic ? 0 : bytes);
    message.family = GetFamily(request);
    message.hasResponse = isRead || isAtomic;
    message.status = status;
    message.wrId = request.wrId;
    message.detail = std::make_unique<MessageDetail>();
    message.detail->request = request;
    message.detail->request.next = nullptr;
    message.detail->order = m_reads;
    m_reads += isRead ? 1 : 0;
    m_ssn = (m_ssn + ConsumesReceive(request.opcode)) & Psn::MASK;
    m_special += IsSpecial(message);
}

void
SendQueue::Post(uint64_t wrId, uint64_t bytes)
{
    Message& message = Append(bytes, CountPackets(bytes), bytes);
    message.family = opcode::WRITE_FIRST;
    message.wrId = wrId;
}

void
SendQueue::PostResponse(uint64_t address, uint64_t bytes, uint32_t order)
{
    Message& message = Append(bytes, CountPackets(bytes), bytes);
    message.family = opcode::READ_RESPONSE_FIRST;
    message.detail = std::make_unique<MessageDetail>();
    message.detail->request.opcode = WrOpcode::RDMA_WRITE; // Its bytes are sent as in a WRITE.
    message.detail->request.remoteAddress = address;
    message.detail->order = order;
}

void
SendQueue::SetInlineBytes(std::vector<uint8_t> bytes)
{
    const Message& newest = GetNewest();
    newest.detail->bytesInline = std::move(bytes);
}

bool
SendQueue::IsSpecial(const Message& message)
{
    return message.hasResponse || message.GetRequest().isFenced ||
           message.status != WcStatus::SUCCESS;
}

bool
SendQueue::NeedsResponse(const Message& message) const
{
    const bool isRead = message.family == opcode::READ_REQUEST;
    return message.hasResponse && !(isRead && m_hasOwnResponseNumbers);
}

std::size_t
SendQueue::FindPlace(uint64_t number) const
{
    if (number < m_oldest.endPacket)
    {
        return 0;
    }
    const auto begin = m_later->messages.begin() + static_cast<std::ptrdiff_t>(m_later->begin);
    const auto after = std::upper_bound(
        begin,
        m_later->messages.end(),
        number,
        [](uint64_t wanted, const Message& candidate) { return wanted < candidate.firstPacket; });
    return static_cast<std::size_t>(after - begin);
}

uint32_t
SendQueue::GetPayloadBytes(uint64_t number) const
{
    const Message& message = Find(number);
    const uint64_t left = message.bytes - (number - message.firstPacket) * m_mtuBytes;
    return message.hasResponse ? 0 : static_cast<uint32_t>(std::min<uint64_t>(left, m_mtuBytes));
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
           (message.hasResponse ? 0 : (number - message.firstPacket) * m_mtuBytes);
}

uint64_t
SendQueue::GetEndOfMessages(uint64_t number, uint64_t end, uint32_t count) const
{
    const std::size_t last = std::min<std::size_t>(FindPlace(number) + count, GetCount()) - 1;
    return std::min(end, GetAt(last).endPacket);
}

uint32_t
SendQueue::CountMessages(uint64_t number, uint64_t end, uint32_t limit) const
{
    std::size_t place = FindPlace(number);
    uint32_t count = 0;
    while (count < limit && place < GetCount() && GetAt(place).endPacket <= end)
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
        for (std::size_t place = 0; place < GetCount(); ++place)
        {
            const Message& message = GetAt(place);
            if (message.endPacket > from && NeedsResponse(message))
            {
                return std::max(from, message.firstPacket);
            }
        }
    }
    return m_end;
}

bool
SendQueue::IsBetweenReadRequests(uint64_t number) const
{
    if (m_readPackets == 0 || number >= m_end || IsEmpty())
    {
        return false;
    }
    const Message& message = Find(number);
    const uint64_t before = number - message.firstPacket;
    return message.hasResponse && before > 0 && before % m_readPackets == 0;
}

const Message*
SendQueue::FindRead(uint32_t order) const
{
    for (std::size_t place = 0; place < GetCount(); ++place)
    {
        const Message& message = GetAt(place);
        if (message.family == opcode::READ_REQUEST &&
            ((message.detail->order - order) & Psn::MASK) == 0)
        {
            return &message;
        }
    }
    return nullptr;
}

void
SendQueue::PlanRequest(uint64_t missing, uint64_t left, PacketPlan& plan) const
{
    // One request packet covers all missing packets of the response, or of its part of it.
    const uint64_t allowed =
        m_readPackets == 0 ? missing : m_readPackets - plan.packetOffset % m_readPackets;
    plan.payloadBytes = 0;
    plan.count = static_cast<uint32_t>(std::min(missing, allowed));
    plan.messageBytes =
        static_cast<uint32_t>(missing <= allowed ? left : uint64_t{plan.count} * m_mtuBytes);
    plan.operation = plan.message->family;
    plan.isFirst = true;
    plan.isLast = true;
}

void
SendQueue::DropOldest()
{
    m_special -= IsSpecial(m_oldest);
    if (CountLater() == 0)
    {
        m_oldest = {};
        return;
    }
    auto& messages = m_later->messages;
    m_oldest = std::move(messages[m_later->begin++]);
    // Compacts the list when it is worthwhile, so that the cost per message is constant.
    constexpr std::size_t COMPACT{32};
    if (m_later->begin > COMPACT && m_later->begin * 2 > messages.size())
    {
        messages.erase(messages.begin(),
                       messages.begin() + static_cast<std::ptrdiff_t>(m_later->begin));
        m_later->begin = 0;
    }
}

} // namespace ns3::rdma
