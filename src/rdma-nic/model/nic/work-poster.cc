// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-poster.h"

#include "ns3/payload-services.h"
#include "ns3/post-check.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

WorkPoster::WorkPoster(NicChip& chip, const TransportFactory& factory)
    : m_chip(chip),
      m_factory(factory)
{
}

QueuePair&
WorkPoster::Get(uint32_t number)
{
    QueuePair* queuePair = m_chip.parts.table.Find(number);
    if (!queuePair)
    {
        throw VerbsError("there is no queue pair " + std::to_string(number));
    }
    return *queuePair;
}

void
WorkPoster::PostWrite(uint32_t number, uint64_t wrId, uint64_t bytes)
{
    QueuePair& queuePair = Get(number);
    if (!CanPost(queuePair) || queuePair.service == Service::UD || bytes == 0)
    {
        throw VerbsError("queue pair " + std::to_string(number) + " takes no WRITE of " +
                         std::to_string(bytes) + " bytes in " + GetQpStateName(queuePair.state));
    }
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services = handlers ? handlers->FindServices(number) : nullptr;
    if (services)
    {
        PostServedWrite(queuePair, *services, wrId, bytes);
    }
    else
    {
        m_factory.GetRequester(queuePair).Post(wrId, bytes);
    }
    Start(queuePair, 1);
}

void
WorkPoster::PostServedWrite(QueuePair& queuePair,
                            const PayloadServices& services,
                            uint64_t wrId,
                            uint64_t bytes)
{
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.sgList = {{0, static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)), 0}};
    const PostLimits limits = GetPostLimits(queuePair);
    WcStatus status = CheckLocally(request, limits);
    // Services see the messages on the wire: long ones of equal length, and the last one.
    const uint64_t longest = SendQueue::GetMaxMessageBytes(limits.mtuBytes);
    for (const uint64_t message : {std::min(bytes, longest), (bytes - 1) % longest + 1})
    {
        request.sgList.front().length = static_cast<uint32_t>(message);
        status = status == WcStatus::SUCCESS
                     ? services.CheckRequest(queuePair.number, request, limits.mtuBytes)
                     : status;
    }
    m_factory.GetRequester(queuePair).Post(request, status, bytes);
}

bool
WorkPoster::CanPost(const QueuePair& queuePair)
{
    return queuePair.state == QpState::RTS || queuePair.state == QpState::SQD ||
           queuePair.state == QpState::SQE || queuePair.state == QpState::ERR;
}

bool
WorkPoster::Flush(QueuePair& queuePair)
{
    if (queuePair.state != QpState::ERR && queuePair.state != QpState::SQE)
    {
        return false;
    }
    Completions ended = m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR);
    m_chip.parts.reporter.FinishRequests(queuePair, ended);
    m_chip.parts.reporter.Deliver();
    return true;
}

void
WorkPoster::Start(QueuePair& queuePair, uint32_t requests)
{
    if (Flush(queuePair))
    {
        return;
    }
    if (requests > 0)
    {
        m_chip.OnPosted(queuePair, requests);
        return;
    }
    Continue(queuePair);
}

void
WorkPoster::Continue(QueuePair& queuePair)
{
    if (Flush(queuePair))
    {
        return;
    }
    m_factory.GetRequester(queuePair);
    m_chip.transmitter.Activate(queuePair);
    Completions none;
    m_chip.parts.reporter.FinishRequests(queuePair, none);
    m_chip.parts.reporter.Deliver();
}

PostLimits
WorkPoster::GetPostLimits(const QueuePair& queuePair) const
{
    return {queuePair.service,
            queuePair.GetSetup().init.capabilities,
            PeekPointer(queuePair.GetSetup().init.domain),
            m_factory.GetMtu(queuePair),
            m_factory.GetMaxReads(queuePair)};
}

PostResult
WorkPoster::PostOne(QueuePair& queuePair, const SendWorkRequest& request)
{
    const PostLimits limits = GetPostLimits(queuePair);
    if (!CanPost(queuePair) || !IsPostable(request, limits))
    {
        return PostResult::INVALID;
    }
    Requester& requester = m_factory.GetRequester(queuePair);
    if (requester.GetQueueLength() >= limits.capabilities.maxSendRequests)
    {
        return PostResult::FULL;
    }
    WcStatus status = CheckLocally(request, limits);
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services = handlers ? handlers->FindServices(queuePair.number) : nullptr;
    if (services && status == WcStatus::SUCCESS)
    {
        status = services->CheckRequest(queuePair.number, request, limits.mtuBytes);
    }
    requester.Post(request, status);
    return PostResult::OK;
}

PostResult
WorkPoster::PostSend(uint32_t number, const SendWorkRequest& request, const SendWorkRequest** bad)
{
    QueuePair& queuePair = Get(number);
    PostResult result = PostResult::OK;
    uint32_t count = 0;
    for (const SendWorkRequest* posted = &request; posted; posted = posted->next)
    {
        result = PostOne(queuePair, *posted);
        if (result != PostResult::OK)
        {
            if (bad)
            {
                *bad = posted;
            }
            break;
        }
        ++count;
    }
    if (result == PostResult::OK || queuePair.requester)
    {
        Start(queuePair, count);
    }
    return result;
}

PostResult
WorkPoster::PostOnChip(uint32_t number, const SendWorkRequest& request)
{
    QueuePair& queuePair = Get(number);
    const PostResult result = PostOne(queuePair, request);
    if (result == PostResult::OK && !Flush(queuePair))
    {
        m_chip.OnPostedOnChip(queuePair);
    }
    return result;
}

PostResult
WorkPoster::PostReceive(uint32_t number,
                        const ReceiveWorkRequest& request,
                        const ReceiveWorkRequest** bad)
{
    QueuePair& queuePair = Get(number);
    const QueuePairSetup& setup = queuePair.GetSetup();
    const bool hasOwnQueue = setup.receiveQueue && !setup.init.sharedReceiveQueue;
    if (queuePair.state == QpState::RESET || !hasOwnQueue)
    {
        if (bad)
        {
            *bad = &request;
        }
        return PostResult::INVALID;
    }
    ReceiveQueue& queue = *setup.receiveQueue;
    const PostResult result = queue.Post(request, bad);
    if (queuePair.state == QpState::ERR)
    {
        std::vector<ReceiveCompletion> flushed;
        while (const auto left = queue.Take())
        {
            flushed.push_back({{left->wrId, WcStatus::WR_FLUSH_ERR, number}, false});
        }
        m_chip.parts.reporter.CompleteReceive(queuePair, flushed);
        m_chip.parts.reporter.Deliver();
    }
    return result;
}

} // namespace ns3::rdma
