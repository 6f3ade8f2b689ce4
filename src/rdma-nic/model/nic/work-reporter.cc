// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-reporter.h"

#include <utility>

namespace ns3::rdma
{

WorkReporter::WorkReporter(QueuePairTable& table, TransportFactory& factory)
    : m_table(table),
      m_factory(factory)
{
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
    const uint32_t number = queuePair.number;
    const Ptr<CompletionQueue> queue = queuePair.init.sendCompletions;
    for (const WorkCompletion& completion : completions)
    {
        if (queue)
        {
            queue->Push(completion, false);
        }
        else
        {
            m_onCompletion(completion);
        }
    }
    TellIfOverflowed(queue, number);
}

void
WorkReporter::CompleteReceive(const QueuePair& queuePair, const ReceiveCompletions& completions)
{
    const uint32_t number = queuePair.number;
    const Ptr<CompletionQueue> queue = queuePair.init.receiveCompletions;
    for (const ReceiveCompletion& ended : completions)
    {
        queue->Push(ended.completion, ended.isSolicited);
    }
    TellIfOverflowed(queue, number);
}

void
WorkReporter::TellIfOverflowed(const Ptr<CompletionQueue>& queue, uint32_t number)
{
    QueuePair* queuePair = queue && queue->HasOverflowed() ? m_table.Find(number) : nullptr;
    if (queuePair && !queuePair->hasLostCompletions)
    {
        queuePair->hasLostCompletions = true;
        Tell(AsyncEventType::CQ_ERR, number);
    }
}

void
WorkReporter::Settle(QueuePair& queuePair, Completions& completions)
{
    Requester& requester = *queuePair.requester;
    for (const WorkCompletion& bad : requester.EndBadRequest())
    {
        completions.push_back(bad);
    }
    Aftermath aftermath;
    const bool hasFailed =
        requester.IsBroken() && queuePair.state != QpState::ERR && queuePair.state != QpState::SQE;
    if (hasFailed)
    {
        // An unreliable service still receives (IBTA Vol. 1, Section 10.3.1).
        const bool isReliable = queuePair.service == Service::RC;
        queuePair.state = isReliable ? QpState::ERR : QpState::SQE;
        if (isReliable)
        {
            FlushReceives(queuePair, aftermath);
        }
    }
    else if (queuePair.state == QpState::SQD && !queuePair.wasDrained && requester.IsIdle())
    {
        queuePair.wasDrained = true;
        aftermath.events.push_back(AsyncEventType::SQ_DRAINED);
    }
    Deliver(queuePair, completions, aftermath);
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
    Aftermath aftermath;
    if (reason)
    {
        aftermath.events.push_back(*reason);
    }
    const Completions flushed = m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR);
    FlushReceives(queuePair, aftermath);
    Deliver(queuePair, flushed, aftermath);
}

void
WorkReporter::FlushReceives(QueuePair& queuePair, Aftermath& aftermath)
{
    const auto flushed = queuePair.service == Service::RC
                             ? m_factory.GetResponder(queuePair).Flush()
                             : m_factory.GetUnreliable(queuePair).Flush();
    for (const WorkCompletion& completion : flushed)
    {
        aftermath.receives.push_back({completion, false});
    }
    if (queuePair.init.sharedReceiveQueue)
    {
        aftermath.events.push_back(AsyncEventType::LAST_WQE_REACHED);
    }
}

void
WorkReporter::Deliver(const QueuePair& queuePair,
                      const Completions& sends,
                      const Aftermath& aftermath)
{
    // Whoever is told may change or destroy the queue pair: what is needed of it is taken first.
    const uint32_t number = queuePair.number;
    const Ptr<CompletionQueue> receives = queuePair.init.receiveCompletions;
    Complete(queuePair, sends);
    for (const ReceiveCompletion& ended : aftermath.receives)
    {
        receives->Push(ended.completion, ended.isSolicited);
    }
    TellIfOverflowed(receives, number);
    for (const AsyncEventType event : aftermath.events)
    {
        Tell(event, number);
    }
}

void
WorkReporter::Tell(AsyncEventType type, uint32_t number)
{
    if (m_onAsyncEvent)
    {
        m_onAsyncEvent({type, number});
    }
}

} // namespace ns3::rdma
