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
    // A consumer may destroy the queue pair: nothing of it is used after the first call.
    if (const Ptr<CompletionQueue> queue = queuePair.init.sendCompletions)
    {
        for (const WorkCompletion& completion : completions)
        {
            queue->Push(completion, false);
        }
        return;
    }
    for (const WorkCompletion& completion : completions)
    {
        m_onCompletion(completion);
    }
}

void
WorkReporter::CompleteReceive(const QueuePair& queuePair,
                              const std::vector<ReceiveCompletion>& completions)
{
    const Ptr<CompletionQueue> queue = queuePair.init.receiveCompletions;
    for (const ReceiveCompletion& ended : completions)
    {
        queue->Push(ended.completion, ended.isSolicited);
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
    TellIfDrained(queuePair);
    const bool hasFailed =
        requester.IsBroken() && queuePair.state != QpState::ERR && queuePair.state != QpState::SQE;
    if (!hasFailed)
    {
        Complete(queuePair, completions);
        return;
    }
    // An unreliable service still receives (IBTA Vol. 1, Section 10.3.1).
    const bool isReliable = queuePair.service == Service::RC;
    queuePair.state = isReliable ? QpState::ERR : QpState::SQE;
    const uint32_t number = queuePair.number;
    Complete(queuePair, completions);
    QueuePair* left = isReliable ? m_table.Find(number) : nullptr;
    if (left)
    {
        FlushReceives(*left);
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
    const Completions flushed = m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR);
    const uint32_t number = queuePair.number;
    if (reason)
    {
        Tell(*reason, number);
    }
    Complete(queuePair, flushed);
    if (QueuePair* left = m_table.Find(number))
    {
        FlushReceives(*left);
    }
}

void
WorkReporter::FlushReceives(QueuePair& queuePair)
{
    std::vector<WorkCompletion> flushed;
    if (queuePair.service != Service::RC)
    {
        flushed = m_factory.GetUnreliable(queuePair).Flush();
    }
    else
    {
        flushed = m_factory.GetResponder(queuePair).Flush();
    }
    const bool isShared = queuePair.init.sharedReceiveQueue != nullptr;
    const uint32_t number = queuePair.number;
    std::vector<ReceiveCompletion> completions;
    for (const WorkCompletion& completion : flushed)
    {
        completions.push_back({completion, false});
    }
    CompleteReceive(queuePair, completions);
    if (isShared)
    {
        Tell(AsyncEventType::LAST_WQE_REACHED, number);
    }
}

void
WorkReporter::TellIfDrained(QueuePair& queuePair)
{
    if (queuePair.state == QpState::SQD && !queuePair.wasDrained && queuePair.requester->IsIdle())
    {
        queuePair.wasDrained = true;
        Tell(AsyncEventType::SQ_DRAINED, queuePair.number);
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
