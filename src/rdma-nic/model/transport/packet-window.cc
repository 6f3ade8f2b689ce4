// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-window.h"

#include "ns3/opcode.h"
#include "ns3/response-delivery.h"

#include <utility>
#include <vector>

namespace ns3::rdma
{

PacketWindow::PacketWindow(uint32_t mtuBytes,
                           uint32_t initialPsn,
                           uint32_t queuePair,
                           bool hasOwnResponseNumbers,
                           uint32_t readBytes)
    : m_unacked(initialPsn),
      m_next(initialPsn),
      m_known(initialPsn),
      m_queuePair(queuePair),
      m_hasOwnResponses(hasOwnResponseNumbers),
      m_isDraining(false),
      m_queue(mtuBytes,
              initialPsn,
              hasOwnResponseNumbers,
              readBytes == 0 ? 0 : std::max<uint32_t>(readBytes / mtuBytes, 1))
{
}

void
PacketWindow::Post(uint64_t wrId, uint64_t bytes, const RequesterRules& rules)
{
    m_queue.Post(wrId, bytes);
    UpdateKnown(rules);
}

void
PacketWindow::Post(const SendWorkRequest& request, WcStatus status, const RequesterRules& rules)
{
    m_queue.Post(request, status);
    if (request.isInline && rules.domain && rules.domain->GetMemory())
    {
        std::vector<uint8_t> bytes(GetTotalBytes(request.sgList));
        rules.domain->Gather(request.sgList, 0, bytes.data(), bytes.size());
        m_queue.SetInlineBytes(std::move(bytes));
    }
    UpdateKnown(rules);
}

void
PacketWindow::Post(const SendWorkRequest& request,
                   WcStatus status,
                   uint64_t bytes,
                   const RequesterRules& rules)
{
    m_queue.Post(request, status, bytes);
    UpdateKnown(rules);
}

void
PacketWindow::PostResponse(uint64_t address,
                           uint64_t bytes,
                           uint32_t order,
                           const RequesterRules& rules)
{
    m_queue.PostResponse(address, bytes, order);
    UpdateKnown(rules);
}

void
PacketWindow::UpdateKnown(const RequesterRules& rules)
{
    if (!rules.hasDoorbell)
    {
        m_known = m_queue.GetEnd();
    }
}

uint64_t
PacketWindow::GetSendableBytes(uint32_t messages, uint64_t windowBytes) const
{
    const uint64_t inFlight = GetInFlightBytes();
    const uint64_t allowed = windowBytes > inFlight ? windowBytes - inFlight : 0;
    const uint64_t end = GetEndOfMessages(m_next, messages);
    return std::min(allowed, m_queue.GetBytesBefore(end) - m_sentBytes);
}

PacketWindow::Losses&
PacketWindow::GetLosses()
{
    if (!m_losses)
    {
        m_losses = std::make_unique<Losses>();
    }
    return *m_losses;
}

uint64_t
PacketWindow::GetPayload(uint64_t number) const
{
    return m_queue.GetBytesBefore(number + 1) - m_queue.GetBytesBefore(number);
}

void
PacketWindow::Hold(uint64_t number, const RequesterRules& rules)
{
    Losses& losses = GetLosses();
    if (losses.marks.Hold(m_unacked, number) && rules.heldLimit > 0)
    {
        losses.heldBytes += GetPayload(number);
    }
}

uint64_t
PacketWindow::AddLost(uint64_t first, uint64_t end)
{
    Losses& losses = GetLosses();
    losses.marks.GetLost().Add(first, end);
    for (uint64_t number = first; number < end && losses.marks.HasHeld(); ++number)
    {
        if (losses.marks.Release(number) && losses.heldBytes > 0)
        {
            losses.heldBytes -= GetPayload(number);
        }
    }
    return m_queue.GetBytesBefore(end) - m_queue.GetBytesBefore(first);
}

void
PacketWindow::OnResent(uint64_t number)
{
    Losses& losses = GetLosses();
    ++losses.resent;
    if (number >= m_unacked)
    {
        losses.marks.Resend(m_unacked, number);
    }
}

void
PacketWindow::ForgetMarksBefore(uint64_t number)
{
    for (uint64_t old = m_unacked; old < number && m_losses->heldBytes > 0; ++old)
    {
        m_losses->heldBytes -= m_losses->marks.IsHeld(Psn(old)) ? GetPayload(old) : 0;
    }
    m_losses->marks.Advance(m_unacked, number);
}

bool
PacketWindow::CanSendAgain(uint64_t number, uint64_t windowBytes) const
{
    const uint64_t before = m_queue.GetBytesBefore(number) - m_ackedBytes;
    return before == 0 || before + m_queue.GetPayloadBytes(number) <= windowBytes;
}

bool
PacketWindow::CanBegin(const RequesterRules& rules) const
{
    const Message& message = m_queue.Find(m_next);
    const bool isReadWanted = message.hasResponse;
    if (message.firstPacket != m_next)
    {
        return !isReadWanted || CanRead(rules); // It has begun.
    }
    return !m_isDraining && message.status == WcStatus::SUCCESS &&
           !(message.GetRequest().isFenced && m_readsUnderWay > 0) &&
           !(isReadWanted && !CanRead(rules)) &&
           (!isReadWanted || message.endPacket - m_unacked < Psn::MAX_WINDOW);
}

bool
PacketWindow::CanRead(const RequesterRules& rules) const
{
    return m_readsUnderWay < rules.maxReadsAndAtomics &&
           (!rules.readPool || rules.readPool->HasRoom(this));
}

bool
PacketWindow::EndsBurst(const PacketPlan& plan, const RequesterRules& rules) const
{
    const uint64_t next = m_next + plan.count;
    if (next == m_known)
    {
        return true;
    }
    if (!m_queue.HasSpecial())
    {
        return false;
    }
    const Message& following = m_queue.Find(next);
    const uint32_t reads = m_readsUnderWay + (plan.message->hasResponse ? 1 : 0);
    const bool isFenced = following.firstPacket == next && following.GetRequest().isFenced;
    // A shared pool may have given its last entry to this request.
    return (isFenced && reads > 0) ||
           (following.hasResponse && (rules.readPool || reads >= rules.maxReadsAndAtomics));
}

void
PacketWindow::BeginRead(const RequesterRules& rules)
{
    ++m_readsUnderWay;
    if (rules.readPool)
    {
        rules.readPool->Take(this);
    }
}

void
PacketWindow::EndReads(uint32_t reads, const RequesterRules& rules)
{
    m_readsUnderWay -= reads;
    if (rules.readPool && reads > 0)
    {
        rules.readPool->End(reads);
    }
}

ReadPool*
PacketWindow::FindFullReadPool(const RequesterRules& rules) const
{
    ReadPool* pool = PeekPointer(rules.readPool);
    const bool needsEntry = pool && m_next != m_known && m_queue.HasSpecial() &&
                            m_queue.Find(m_next).hasResponse &&
                            !(m_isDraining && IsAtMessageStart());
    return needsEntry && !pool->HasRoom(this) ? pool : nullptr;
}

void
PacketWindow::LeaveReads(const RequesterRules& rules)
{
    if (rules.readPool)
    {
        rules.readPool->Release(m_readsUnderWay);
        rules.readPool->Leave(this);
    }
    m_readsUnderWay = 0;
}

void
PacketWindow::Complete(uint32_t readsDone, const RequesterRules& rules, Completions& completions)
{
    while (m_queue.IsOldestDone(m_unacked))
    {
        const Message& message = m_queue.GetOldest();
        const bool isRead = message.family == opcode::READ_REQUEST;
        if (isRead && m_hasOwnResponses && Psn(readsDone) - Psn(message.detail->order) <= 0)
        {
            break; // The request has arrived, the response has not.
        }
        EndReads(message.hasResponse ? 1 : 0, rules);
        Report(message, WcStatus::SUCCESS, rules, completions);
        // A READ may have been requested again while its response was in flight.
        ForgetLostBefore(message.endPacket);
        m_queue.DropOldest();
    }
}

void
PacketWindow::Flush(WcStatus status, const RequesterRules& rules, Completions& completions)
{
    LeaveReads(rules);
    ForgetLostBefore(m_next);
    while (!m_queue.IsEmpty())
    {
        Report(m_queue.GetOldest(), status, rules, completions);
        m_queue.DropOldest();
        status = WcStatus::WR_FLUSH_ERR;
    }
    m_known = m_next; // A turn that has begun finds nothing to send.
}

void
PacketWindow::Report(const Message& message,
                     WcStatus status,
                     const RequesterRules& rules,
                     Completions& completions) const
{
    const bool isResponse = message.family == opcode::READ_RESPONSE_FIRST;
    const bool isWanted = message.GetRequest().isSignaled || rules.isEverythingSignaled;
    if (!isResponse && (status != WcStatus::SUCCESS || isWanted))
    {
        completions.push_back(MakeSendCompletion(message, status, m_queuePair));
    }
}

} // namespace ns3::rdma
