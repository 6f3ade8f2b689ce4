// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/response-queue.h"

#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

ResponseQueue::ResponseQueue(uint32_t mtuBytes)
    : m_mtuBytes(mtuBytes)
{
}

uint32_t
ResponseQueue::CountPackets(uint32_t bytes) const
{
    return bytes == 0 ? 1 : (bytes - 1) / m_mtuBytes + 1;
}

void
ResponseQueue::PushRead(Psn first, uint32_t msn, uint64_t address, uint32_t bytes, bool isRepeated)
{
    Entry entry{};
    entry.isRead = true;
    entry.isRepeated = isRepeated;
    entry.first = first;
    entry.packets = CountPackets(bytes);
    entry.address = address;
    entry.bytes = bytes;
    entry.acknowledgment.msn = msn;
    m_entries.push_back(entry);
    m_reads += !isRepeated;
}

void
ResponseQueue::PushAcknowledgment(const Acknowledgment& acknowledgment)
{
    const auto isPlain = [](const Acknowledgment& other) {
        return other.operation == opcode::ACK && other.syndrome == syndrome::ACK;
    };
    if (!m_entries.empty() && !m_entries.back().isRead && isPlain(acknowledgment) &&
        isPlain(m_entries.back().acknowledgment))
    {
        const bool isCeEchoed = m_entries.back().acknowledgment.isCeEchoed;
        m_entries.back().acknowledgment = acknowledgment;
        m_entries.back().acknowledgment.isCeEchoed |= isCeEchoed;
        return;
    }
    Entry entry{};
    entry.acknowledgment = acknowledgment;
    m_entries.push_back(entry);
}

void
ResponseQueue::PopBack()
{
    m_reads -= m_entries.back().isRead && !m_entries.back().isRepeated;
    m_entries.pop_back();
}

void
ResponseQueue::TakeBack(Psn first)
{
    while (!m_entries.empty())
    {
        Entry& last = m_entries.back();
        const Psn start = last.isRead ? last.first : last.acknowledgment.psn;
        if (!start.IsBefore(first))
        {
            PopBack();
            continue;
        }
        if (last.isRead && first - last.first < static_cast<int32_t>(last.packets))
        {
            // Packets of this response before `first` that are not sent stay in the queue.
            last.packets = static_cast<uint32_t>(first - last.first);
            last.bytes = std::min(last.bytes, last.packets * m_mtuBytes);
            if (last.sent >= last.packets)
            {
                PopBack();
            }
        }
        return;
    }
}

ReadResponsePlan
ResponseQueue::TakeReadPacket()
{
    Entry& entry = m_entries.front();
    const uint32_t offset = entry.sent * m_mtuBytes;
    ReadResponsePlan plan;
    plan.psn = entry.first + entry.sent;
    plan.msn = entry.acknowledgment.msn;
    plan.address = entry.address + offset;
    plan.payloadBytes = std::min(entry.bytes - offset, m_mtuBytes);
    plan.operation = opcode::GetByPlace(opcode::READ_RESPONSE_FIRST,
                                        entry.sent == 0,
                                        entry.sent + 1 == entry.packets);
    ++entry.sent;
    if (entry.sent == entry.packets)
    {
        m_reads -= !entry.isRepeated;
        m_entries.pop_front();
    }
    return plan;
}

Acknowledgment
ResponseQueue::TakeAcknowledgment()
{
    const Acknowledgment acknowledgment = m_entries.front().acknowledgment;
    m_entries.pop_front();
    return acknowledgment;
}

} // namespace ns3::rdma
