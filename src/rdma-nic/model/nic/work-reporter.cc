// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-reporter.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

WorkReporter::WorkReporter(QueuePairTable& table, TransportFactory& factory)
    : m_table(table),
      m_factory(factory)
{
}

WorkReporter::~WorkReporter()
{
    if (m_hardware)
    {
        m_engine->Unregister(m_target);
    }
}

void
WorkReporter::SetHardware(FabricEngine* engine, NicHardware* hardware)
{
    m_engine = engine;
    m_hardware = hardware;
    m_target = engine->Register(this);
}

void
WorkReporter::SetCompletionHandler(CompletionHandler handler)
{
    m_onCompletion = std::move(handler);
}

void
WorkReporter::SetAsyncEventHandler(AsyncEventHandler handler)
{
    m_onAsyncEvent = std::move(handler);
}

void
WorkReporter::Complete(const QueuePair& queuePair, const Completions& completions)
{
    for (const WorkCompletion& completion : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.number;
        notice.queue = queuePair.init.sendCompletions;
        notice.completion = completion;
        m_outbox.push_back(notice);
    }
}

void
WorkReporter::CompleteReceive(const QueuePair& queuePair, const ReceiveCompletions& completions)
{
    for (const ReceiveCompletion& ended : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.number;
        notice.queue = queuePair.init.receiveCompletions;
        notice.completion = ended.completion;
        notice.isReceive = true;
        notice.isSolicited = ended.isSolicited;
        m_outbox.push_back(notice);
    }
}

void
WorkReporter::Tell(AsyncEventType type, uint32_t number)
{
    Notice notice;
    notice.qpNumber = number;
    notice.event = type;
    m_outbox.push_back(notice);
}

void
WorkReporter::TellIfLow(const Ptr<ReceiveQueue>& queue)
{
    if (queue && queue->IsLow())
    {
        Notice notice;
        notice.lowQueue = queue;
        m_outbox.push_back(notice);
    }
}

void
WorkReporter::Settle(QueuePair& queuePair, Completions& completions)
{
    Requester& requester = *queuePair.requester;
    Complete(queuePair, completions);
    Complete(queuePair, requester.EndBadRequest());
    const bool hasFailed =
        requester.IsBroken() && queuePair.state != QpState::ERR && queuePair.state != QpState::SQE;
    if (hasFailed)
    {
        // An unreliable service still receives (IBTA Vol. 1, Section 10.3.1).
        const bool isReliable = queuePair.service == Service::RC;
        queuePair.state = isReliable ? QpState::ERR : QpState::SQE;
        if (isReliable)
        {
            FlushReceives(queuePair);
        }
    }
    else if (queuePair.state == QpState::SQD && !queuePair.wasDrained && requester.IsDrained())
    {
        queuePair.wasDrained = true;
        Tell(AsyncEventType::SQ_DRAINED, queuePair.number);
    }
}

void
WorkReporter::EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason)
{
    if (queuePair.state == QpState::ERR)
    {
        return;
    }
    queuePair.state = QpState::ERR;
    // What was accepted before a refused request is still answered, and the refusal itself.
    const bool isAnswering = reason.has_value();
    queuePair.hasResponses = queuePair.hasResponses && isAnswering;
    if (queuePair.readStreams.sender && !isAnswering)
    {
        queuePair.readStreams.sender->Break(WcStatus::WR_FLUSH_ERR);
    }
    Complete(queuePair, m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR));
    FlushReceives(queuePair);
    if (reason)
    {
        Tell(*reason, queuePair.number);
    }
}

void
WorkReporter::FlushReceives(QueuePair& queuePair)
{
    const auto flushed = queuePair.service == Service::RC
                             ? m_factory.GetResponder(queuePair).Flush()
                             : m_factory.GetUnreliable(queuePair).Flush();
    ReceiveCompletions completions;
    for (const WorkCompletion& completion : flushed)
    {
        completions.push_back({completion, false});
    }
    CompleteReceive(queuePair, completions);
    if (queuePair.init.sharedReceiveQueue)
    {
        Tell(AsyncEventType::LAST_WQE_REACHED, queuePair.number);
    }
}

void
WorkReporter::DeliverAll()
{
    m_isDelivering = true;
    // Whoever is told may cause more: that is told in its turn, by this loop.
    for (std::size_t i = 0; i < m_outbox.size(); ++i)
    {
        const Notice notice = m_outbox[i];
        DeliverOne(notice);
    }
    m_outbox.clear();
    m_isDelivering = false;
}

void
WorkReporter::WriteAll()
{
    const Tick now = m_engine->Now();
    for (const Notice& notice : m_outbox)
    {
        const uint32_t place = m_written.Put(notice);
        const Tick writeAt = GetWriteTime(notice, now);
        if (writeAt > now)
        {
            m_engine->Schedule(writeAt, FabricEngine::MakeOwner(m_target, WRITE), place);
        }
        else
        {
            Write(place, now);
        }
    }
    m_outbox.clear();
    m_notBefore = 0;
}

Tick
WorkReporter::GetWriteTime(const Notice& notice, Tick now)
{
    QueuePair* queuePair = notice.isReceive ? m_table.Find(notice.qpNumber) : nullptr;
    if (!queuePair)
    {
        return std::max(now, m_notBefore);
    }
    // None overtakes one that waits for its request, its place in memory or software.
    queuePair->receivedAt = std::max({now, m_notBefore, queuePair->receivedAt});
    return queuePair->receivedAt;
}

void
WorkReporter::Forget(uint32_t queuePair)
{
    for (Notice& notice : m_written.GetAll())
    {
        const bool isCompletion = !notice.lowQueue && !notice.event;
        notice.isForgotten |= isCompletion && notice.qpNumber == queuePair;
    }
}

void
WorkReporter::Write(uint32_t place, Tick now)
{
    const Notice& notice = m_written[place];
    const bool isCompletion = !notice.lowQueue && !notice.event;
    const Tick toldAt = isCompletion ? m_hardware->Complete(now, notice.qpNumber) : now;
    m_engine->Schedule(toldAt, FabricEngine::MakeOwner(m_target, TELL), place);
}

void
WorkReporter::HandleEvent(uint32_t kind, uint32_t place)
{
    if (kind == WRITE)
    {
        Write(place, m_engine->Now());
        return;
    }
    const Notice notice = m_written.Take(place);
    DeliverOne(notice);
    Deliver(); // An overflowing queue says more.
}

void
WorkReporter::DeliverOne(const Notice& notice)
{
    if (notice.isForgotten)
    {
        return;
    }
    if (notice.lowQueue)
    {
        notice.lowQueue->TellIfLow();
    }
    else if (notice.event)
    {
        if (m_onAsyncEvent)
        {
            m_onAsyncEvent({*notice.event, notice.qpNumber});
        }
    }
    else if (notice.queue)
    {
        notice.queue->Push(notice.completion, notice.isSolicited);
        TellIfOverflowed(*notice.queue, notice.qpNumber);
    }
    else if (m_onCompletion)
    {
        m_onCompletion(notice.completion);
    }
}

void
WorkReporter::TellIfOverflowed(const CompletionQueue& queue, uint32_t number)
{
    QueuePair* queuePair = queue.HasOverflowed() ? m_table.Find(number) : nullptr;
    if (queuePair && !queuePair->hasLostCompletions)
    {
        queuePair->hasLostCompletions = true;
        Tell(AsyncEventType::CQ_ERR, number);
    }
}

} // namespace ns3::rdma
