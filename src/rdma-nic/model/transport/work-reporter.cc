// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-reporter.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("WorkReporter");

WorkReporter::WorkReporter(QueuePairTable& table, const TransportFactory& factory)
    : m_table(table),
      m_factory(factory)
{
}

void
WorkReporter::SetCompletionHandler(CompletionHandler handler)
{
    m_onCompletion = handler ? std::make_unique<CompletionHandler>(std::move(handler)) : nullptr;
}

void
WorkReporter::SetAsyncEventHandler(AsyncEventHandler handler)
{
    m_onAsyncEvent = std::make_unique<AsyncEventHandler>(std::move(handler));
}

void
WorkReporter::Complete(const QueuePair& queuePair, const Completions& completions, Notices& notices)
{
    for (const WorkCompletion& completion : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.GetNumber();
        notice.queue = queuePair.GetSetup().init.sendCompletions;
        notice.completion = completion;
        notice.hasOwnCosts = queuePair.GetSetup().init.hasOwnCosts;
        notices.push_back(notice);
    }
}

void
WorkReporter::CompleteReceive(const QueuePair& queuePair,
                              const ReceiveCompletions& completions,
                              Notices& notices)
{
    for (const ReceiveCompletion& ended : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.GetNumber();
        notice.queue = queuePair.GetSetup().init.receiveCompletions;
        notice.completion = ended.completion;
        notice.isReceive = true;
        notice.isSolicited = ended.isSolicited;
        notice.hasOwnCosts = queuePair.GetSetup().init.hasOwnCosts;
        notices.push_back(notice);
    }
}

void
WorkReporter::Report(AsyncEventType type, uint32_t number, Notices& notices)
{
    Notice notice;
    notice.qpNumber = number;
    notice.event = type;
    notices.push_back(notice);
}

void
WorkReporter::ReportIfLow(const Ptr<ReceiveQueue>& queue, Notices& notices)
{
    if (queue && queue->IsLow())
    {
        Notice notice;
        notice.lowQueue = queue;
        notices.push_back(notice);
    }
}

void
WorkReporter::SetState(QueuePair& queuePair, QpState state)
{
    const QpState before = queuePair.GetState();
    queuePair.EnterState(state);
    NS_LOG_INFO("queue pair " << queuePair.GetNumber() << ": " << GetQpStateName(before) << " to "
                              << GetQpStateName(state));
    if (m_traces && before != state)
    {
        m_traces->state(queuePair.GetNumber(), before, state);
    }
}

void
WorkReporter::Connect(QueuePair& queuePair)
{
    if (m_traces)
    {
        SetState(queuePair, QpState::INIT);
        SetState(queuePair, QpState::RTR);
    }
    SetState(queuePair, QpState::RTS);
}

void
WorkReporter::Settle(QueuePair& queuePair, const Completions& completions, Notices& notices)
{
    Requester& requester = *queuePair.GetRequester();
    Complete(queuePair, completions, notices);
    Complete(queuePair, requester.EndBadRequest(), notices);
    const bool hasFailed = requester.IsBroken() && queuePair.GetState() != QpState::ERR &&
                           queuePair.GetState() != QpState::SQE;
    if (hasFailed)
    {
        // An unreliable service still receives (IBTA Vol. 1, Section 10.3.1).
        const bool isReliable = queuePair.GetService() == Service::RC;
        SetState(queuePair, isReliable ? QpState::ERR : QpState::SQE);
        if (isReliable)
        {
            FlushReceives(queuePair, notices);
        }
    }
    else if (queuePair.GetState() == QpState::SQD && requester.GetWindow().IsDrained() &&
             queuePair.MarkDrained())
    {
        Report(AsyncEventType::SQ_DRAINED, queuePair.GetNumber(), notices);
    }
}

void
WorkReporter::EnterError(QueuePair& queuePair,
                         std::optional<AsyncEventType> reason,
                         Notices& notices)
{
    if (queuePair.GetState() == QpState::ERR)
    {
        return;
    }
    SetState(queuePair, QpState::ERR);
    // Requests accepted before a refused one are still answered, and so is the refused one.
    const bool isAnswering = reason.has_value();
    if (!isAnswering)
    {
        queuePair.DropResponses();
    }
    Requester* readSender = queuePair.GetReadSender();
    if (readSender && !isAnswering)
    {
        readSender->Break(WcStatus::WR_FLUSH_ERR);
    }
    Complete(queuePair, m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR), notices);
    FlushReceives(queuePair, notices);
    if (reason)
    {
        Report(*reason, queuePair.GetNumber(), notices);
    }
}

void
WorkReporter::FlushReceives(QueuePair& queuePair, Notices& notices)
{
    const auto flushed = queuePair.GetService() == Service::RC
                             ? m_factory.GetResponder(queuePair).Flush()
                             : m_factory.GetUnreliable(queuePair).Flush();
    ReceiveCompletions completions;
    for (const WorkCompletion& completion : flushed)
    {
        completions.push_back({completion, false});
    }
    CompleteReceive(queuePair, completions, notices);
    if (queuePair.GetSetup().init.sharedReceiveQueue)
    {
        Report(AsyncEventType::LAST_WQE_REACHED, queuePair.GetNumber(), notices);
    }
}

void
WorkReporter::NotifyAll(const Notices& notices)
{
    m_delivery = m_delivery ? std::move(m_delivery) : std::make_unique<Delivery>();
    std::vector<Notice>& due = m_delivery->due;
    due.insert(due.end(), notices.begin(), notices.end());
    if (m_delivery->isUnderWay)
    {
        return; // A consumer has caused these notices: the loop below, in an outer call, delivers
                // them.
    }
    m_delivery->isUnderWay = true;
    for (std::size_t i = 0; i < due.size(); ++i)
    {
        const Notice notice = due[i];
        Notices further;
        Notify(notice, further);
        due.insert(due.end(), further.begin(), further.end());
    }
    due.clear();
    m_delivery->isUnderWay = false;
}

void
WorkReporter::Notify(const Notice& notice, Notices& notices)
{
    if (m_traces && notice.IsCompletion())
    {
        m_traces->completion(notice.qpNumber, notice.completion);
    }
    if (notice.lowQueue)
    {
        notice.lowQueue->NotifyIfLow();
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
        NS_LOG_LOGIC("queue pair " << notice.qpNumber << ": the completion of "
                                   << (notice.isReceive ? "receive" : "work") << " request "
                                   << notice.completion.wrId << " enters its completion queue, "
                                   << GetWcStatusName(notice.completion.status));
        notice.queue->Push(notice.completion, notice.isSolicited);
        ReportIfOverflowed(*notice.queue, notice.qpNumber, notices);
    }
    else if (m_onCompletion)
    {
        NS_LOG_LOGIC("queue pair " << notice.qpNumber << ": the handler gets the completion of "
                                   << (notice.isReceive ? "receive" : "work") << " request "
                                   << notice.completion.wrId << ", "
                                   << GetWcStatusName(notice.completion.status));
        (*m_onCompletion)(notice.completion);
    }
}

void
WorkReporter::ReportIfOverflowed(const CompletionQueue& queue, uint32_t number, Notices& notices)
{
    QueuePair* queuePair = queue.HasOverflowed() ? m_table.Find(number) : nullptr;
    if (queuePair && queuePair->MarkLostCompletions())
    {
        Report(AsyncEventType::CQ_ERR, number, notices);
    }
}

} // namespace ns3::rdma
