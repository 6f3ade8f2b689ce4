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
WorkReporter::Complete(const QueuePair& queuePair, const Completions& completions)
{
    for (const WorkCompletion& completion : completions)
    {
        Notice notice;
        notice.qpNumber = queuePair.number;
        notice.queue = queuePair.GetSetup().init.sendCompletions;
        notice.completion = completion;
        notice.hasProgram = queuePair.GetSetup().init.hasProgram;
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
        notice.hasProgram = queuePair.GetSetup().init.hasProgram;
        m_outbox.push_back(notice);
    }
}

void
WorkReporter::Report(AsyncEventType type, uint32_t number)
{
    Notice notice;
    notice.qpNumber = number;
    notice.event = type;
    m_outbox.push_back(notice);
}

void
WorkReporter::ReportIfLow(const Ptr<ReceiveQueue>& queue)
{
    if (queue && queue->IsLow())
    {
        Notice notice;
        notice.lowQueue = queue;
        m_outbox.push_back(notice);
    }
}

void
WorkReporter::SetState(QueuePair& queuePair, QpState state)
{
    const QpState before = queuePair.state;
    queuePair.state = state;
    NS_LOG_INFO("queue pair " << queuePair.number << ": " << GetQpStateName(before) << " to "
                              << GetQpStateName(state));
    if (m_traces && before != state)
    {
        m_traces->state(queuePair.number, before, state);
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
        SetState(queuePair, isReliable ? QpState::ERR : QpState::SQE);
        if (isReliable)
        {
            FlushReceives(queuePair);
        }
    }
    else if (queuePair.state == QpState::SQD && !queuePair.GetExtras().wasDrained &&
             requester.IsDrained())
    {
        queuePair.GetExtras().wasDrained = true;
        Report(AsyncEventType::SQ_DRAINED, queuePair.number);
    }
}

void
WorkReporter::EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason)
{
    if (queuePair.state == QpState::ERR)
    {
        return;
    }
    SetState(queuePair, QpState::ERR);
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
        Report(*reason, queuePair.number);
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
        Report(AsyncEventType::LAST_WQE_REACHED, queuePair.number);
    }
}

void
WorkReporter::Take(std::vector<Notice>& notices, Tick)
{
    m_isDelivering = true;
    // Handlers may cause further notices: this loop delivers them, too.
    for (std::size_t i = 0; i < notices.size(); ++i)
    {
        const Notice notice = notices[i];
        Notify(notice);
    }
    notices.clear();
    m_isDelivering = false;
}

void
WorkReporter::Notify(const Notice& notice)
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
        notice.queue->Push(notice.completion, notice.isSolicited);
        ReportIfOverflowed(*notice.queue, notice.qpNumber);
    }
    else if (m_onCompletion)
    {
        (*m_onCompletion)(notice.completion);
    }
}

void
WorkReporter::ReportIfOverflowed(const CompletionQueue& queue, uint32_t number)
{
    QueuePair* queuePair = queue.HasOverflowed() ? m_table.Find(number) : nullptr;
    if (queuePair && !queuePair->GetExtras().hasLostCompletions)
    {
        queuePair->GetExtras().hasLostCompletions = true;
        Report(AsyncEventType::CQ_ERR, number);
    }
}

} // namespace ns3::rdma
