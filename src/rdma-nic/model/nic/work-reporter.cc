// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-reporter.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

WorkReporter::WorkReporter(QueuePairTable& table, const TransportFactory& factory)
    : m_table(table),
      m_factory(factory)
{
}

WorkReporter::Timing::Timing(WorkReporter& reporter, FabricEngine& engine, NicHardware& hardware)
    : reporter(reporter),
      engine(engine),
      hardware(hardware),
      target(engine.Register(this))
{
}

WorkReporter::Timing::~Timing()
{
    engine.Unregister(target);
}

void
WorkReporter::Timing::HandleEvent(uint32_t kind, uint32_t place)
{
    reporter.OnEvent(kind, place);
}

void
WorkReporter::SetHardware(FabricEngine* engine, NicHardware* hardware)
{
    m_timing = std::make_unique<Timing>(*this, *engine, *hardware);
}

void
WorkReporter::SetCompletionHandler(CompletionHandler handler)
{
    m_onCompletion = std::move(handler);
}

void
WorkReporter::SetAsyncEventHandler(AsyncEventHandler handler)
{
    m_onAsyncEvent = std::make_unique<AsyncEventHandler>(std::move(handler));
}

void
WorkReporter::Complete(const QueuePair& queuePair, const Completions& completions)
{
    for (const WorkCompletion& completion : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.number;
        notice.queue = queuePair.GetSetup().init.sendCompletions;
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
        notice.queue = queuePair.GetSetup().init.receiveCompletions;
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
    else if (queuePair.state == QpState::SQD && !queuePair.GetExtras().wasDrained &&
             requester.IsDrained())
    {
        queuePair.GetExtras().wasDrained = true;
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
    Requester* readSender = queuePair.GetReadSender();
    if (readSender && !isAnswering)
    {
        readSender->Break(WcStatus::WR_FLUSH_ERR);
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
    if (queuePair.GetSetup().init.sharedReceiveQueue)
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
    const Tick now = m_timing->engine.Now();
    for (const Notice& notice : m_outbox)
    {
        const uint32_t place = m_timing->written.Put(notice);
        const Tick writeAt = GetWriteTime(notice, now);
        if (writeAt > now)
        {
            m_timing->engine.Schedule(writeAt,
                                      FabricEngine::MakeOwner(m_timing->target, WRITE),
                                      place);
        }
        else
        {
            Write(place, now);
        }
    }
    m_outbox.clear();
    m_timing->notBefore = 0;
}

Tick
WorkReporter::GetWriteTime(const Notice& notice, Tick now)
{
    QueuePair* queuePair = notice.isReceive ? m_table.Find(notice.qpNumber) : nullptr;
    if (!queuePair)
    {
        return std::max(now, m_timing->notBefore);
    }
    // None overtakes one that waits for its request, its place in memory or software.
    Tick& receivedAt = queuePair->GetExtras().receivedAt;
    receivedAt = std::max({now, m_timing->notBefore, receivedAt});
    return receivedAt;
}

void
WorkReporter::Forget(uint32_t queuePair)
{
    if (!m_timing)
    {
        return;
    }
    for (Notice& notice : m_timing->written.GetAll())
    {
        const bool isCompletion = !notice.lowQueue && !notice.event;
        notice.isForgotten |= isCompletion && notice.qpNumber == queuePair;
    }
}

void
WorkReporter::Write(uint32_t place, Tick now)
{
    const Notice& notice = m_timing->written[place];
    const bool isCompletion = !notice.lowQueue && !notice.event;
    const Tick toldAt = isCompletion ? m_timing->hardware.Complete(now, notice.qpNumber) : now;
    m_timing->engine.Schedule(toldAt, FabricEngine::MakeOwner(m_timing->target, TELL), place);
}

void
WorkReporter::OnEvent(uint32_t kind, uint32_t place)
{
    if (kind == WRITE)
    {
        Write(place, m_timing->engine.Now());
        return;
    }
    const Notice notice = m_timing->written.Take(place);
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
        if (m_onAsyncEvent && *m_onAsyncEvent)
        {
            (*m_onAsyncEvent)({*notice.event, notice.qpNumber});
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
    if (queuePair && !queuePair->GetExtras().hasLostCompletions)
    {
        queuePair->GetExtras().hasLostCompletions = true;
        Tell(AsyncEventType::CQ_ERR, number);
    }
}

} // namespace ns3::rdma
