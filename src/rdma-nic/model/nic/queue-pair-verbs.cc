// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-verbs.h"

#include "ns3/log.h"
#include "ns3/payload-services.h"
#include "ns3/policy-error.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("QueuePairVerbs");

QueuePairVerbs::QueuePairVerbs(NicCore& nic, const TransportFactory& factory)
    : m_nic(nic),
      m_factory(factory)
{
}

uint32_t
QueuePairVerbs::Create(const QueuePairInit& init, std::optional<uint32_t> number, uint32_t port)
{
    if (init.sharedReceiveQueue && !init.receiveCompletions)
    {
        throw VerbsError("a shared receive queue needs a completion queue");
    }
    const QueuePairLimit& limit = m_factory.GetDefaults().limit;
    if (m_nic.table.GetCount() >= limit.most)
    {
        throw VerbsError("the NIC of endpoint " + std::to_string(m_nic.ports.GetEndpoint(0)) +
                         " holds at most " + std::to_string(limit.most) +
                         " queue pairs at a time, the limit of " + limit.owner);
    }
    QueuePair& queuePair = m_nic.ports.Create(port, number);
    queuePair.service = init.service;
    if (IsPlain(init))
    {
        return queuePair.number;
    }
    QueuePairSetup& setup = queuePair.ChangeSetup();
    setup.init = init;
    setup.receiveQueue = init.sharedReceiveQueue;
    if (init.receiveCompletions && !setup.receiveQueue)
    {
        setup.receiveQueue = ns3::Create<ReceiveQueue>(init.capabilities.maxReceiveRequests,
                                                       init.capabilities.maxReceiveSge);
    }
    return queuePair.number;
}

bool
QueuePairVerbs::Modify(uint32_t number,
                       QpState state,
                       const QueuePairAttributes& attributes,
                       const FabricCore& core,
                       Tick chipRtt)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->state, state) ||
        !queuePair->Apply(attributes, state))
    {
        return false;
    }
    if (state == QpState::RTR)
    {
        m_nic.ports.OnConnected(*queuePair);
        SetOwnPath(*queuePair, core, chipRtt);
    }
    const QpState before = queuePair->state;
    if (state == QpState::ERR)
    {
        Notices notices;
        m_nic.reporter.EnterError(*queuePair, std::nullopt, notices);
        m_nic.reporter.Deliver(notices);
        return true;
    }
    m_nic.reporter.SetState(*queuePair, state);
    m_factory.Update(*queuePair);
    if (state == QpState::RESET)
    {
        queuePair->Reset();
        m_nic.ports.Forget(*queuePair);
        m_nic.reporter.Forget(*queuePair);
    }
    else if (state == QpState::SQD || before == QpState::SQD)
    {
        queuePair->wasDrained = false;
        m_factory.GetRequester(*queuePair).SetDraining(state == QpState::SQD);
        Continue(*queuePair);
        return true; // The handler may have destroyed the queue pair.
    }
    else if (before == QpState::SQE)
    {
        queuePair->connection.initialPsn = queuePair->requester->GetNextPsn().Get();
        queuePair->requester = nullptr; // A new requester starts at the next PSN.
        m_nic.ports.FindPath(*queuePair).ForgetDoorbells(*queuePair);
        queuePair->timerAt = TICK_NEVER;
    }
    return true;
}

void
QueuePairVerbs::Connect(uint32_t number,
                        const QueuePairAttributes& attributes,
                        const FabricCore& core,
                        Tick chipRtt)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->state, QpState::INIT) ||
        !queuePair->Apply(attributes, QpState::RTR))
    {
        throw VerbsError("queue pair " + std::to_string(number) + " cannot become " +
                         GetQpStateName(QpState::INIT));
    }
    m_nic.ports.OnConnected(*queuePair);
    SetOwnPath(*queuePair, core, chipRtt);
    m_nic.reporter.Connect(*queuePair);
    m_factory.Update(*queuePair);
}

void
QueuePairVerbs::SetOwnPath(QueuePair& queuePair, const FabricCore& core, Tick chipRtt) const
{
    const CongestionControl& control = *m_factory.GetDefaults().congestionControl;
    if (queuePair.service == Service::RC &&
        CallPolicy(control, "UsesOwnPath()", [&] { return control.UsesOwnPath(); }))
    {
        queuePair.GetRare().ownPath = FindOwnPath(core, queuePair, chipRtt);
    }
}

void
QueuePairVerbs::Destroy(uint32_t number)
{
    QueuePair* const queuePair = m_nic.table.Find(number);
    if (!queuePair)
    {
        return;
    }
    m_nic.reporter.Forget(*queuePair);
    m_nic.transport.Forget(*queuePair);
    if (!queuePair->requester)
    {
        m_nic.ports.Destroy(*queuePair);
        return;
    }
    RequesterPolicies policies = queuePair->requester->HoldPolicies();
    m_nic.ports.Destroy(*queuePair);
    m_factory.Keep(std::move(policies));
}

PathFacts
QueuePairVerbs::FindOwnPath(const FabricCore& core, const QueuePair& queuePair, Tick chipRtt) const
{
    const FrameStyle& style = m_nic.ports.FindPath(queuePair).GetFrameStyle();
    const Connection& connection = queuePair.connection;
    if (!core.paths || connection.remoteEndpoint == style.endpoint)
    {
        return {};
    }
    PathFacts facts = core.paths->FindFacts(
        style.endpoint,
        connection.remoteEndpoint,
        connection.entropy,
        style.sizes.GetWriteFrame(false, m_factory.GetDefaults().path.mtuBytes),
        style.sizes.GetAckFrame());
    facts.rtt = facts.rtt > 0 ? facts.rtt + chipRtt : 0;
    return facts;
}

QueuePair&
QueuePairVerbs::Get(uint32_t number)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (!queuePair)
    {
        throw VerbsError("there is no queue pair " + std::to_string(number));
    }
    return *queuePair;
}

void
QueuePairVerbs::PostWrite(uint32_t number, uint64_t wrId, uint64_t bytes)
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
    NS_LOG_LOGIC("endpoint " << m_nic.ports.GetEndpoint(queuePair.port) << ", queue pair " << number
                             << ": a WRITE of " << bytes << " B is posted, work request " << wrId);
    Start(queuePair, 1);
}

void
QueuePairVerbs::PostServedWrite(QueuePair& queuePair,
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
    // Services process the messages on the wire: long ones of equal length, and the last one.
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
QueuePairVerbs::CanPost(const QueuePair& queuePair)
{
    return queuePair.state == QpState::RTS || queuePair.state == QpState::SQD ||
           queuePair.state == QpState::SQE || queuePair.state == QpState::ERR;
}

bool
QueuePairVerbs::Flush(QueuePair& queuePair)
{
    if (queuePair.state != QpState::ERR && queuePair.state != QpState::SQE)
    {
        return false;
    }
    const Completions ended = m_factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR);
    Notices notices;
    m_nic.reporter.FinishRequests(queuePair, ended, notices);
    m_nic.reporter.Deliver(notices);
    return true;
}

void
QueuePairVerbs::Start(QueuePair& queuePair, uint32_t requests)
{
    if (Flush(queuePair))
    {
        return;
    }
    if (requests > 0)
    {
        m_nic.ports.FindPath(queuePair).OnPosted(queuePair, requests);
        return;
    }
    Continue(queuePair);
}

void
QueuePairVerbs::Continue(QueuePair& queuePair)
{
    if (Flush(queuePair))
    {
        return;
    }
    m_factory.GetRequester(queuePair);
    m_nic.ports.FindPath(queuePair).Activate(queuePair);
    Notices notices;
    m_nic.reporter.FinishRequests(queuePair, {}, notices);
    m_nic.reporter.Deliver(notices);
}

PostLimits
QueuePairVerbs::GetPostLimits(const QueuePair& queuePair) const
{
    return {queuePair.service,
            queuePair.GetSetup().init.capabilities,
            PeekPointer(queuePair.GetSetup().init.domain),
            m_factory.GetMtu(queuePair),
            m_factory.GetMaxReads(queuePair)};
}

PostResult
QueuePairVerbs::PostOne(QueuePair& queuePair, const SendWorkRequest& request)
{
    const PostLimits limits = GetPostLimits(queuePair);
    if (!CanPost(queuePair) || !IsPostable(request, limits))
    {
        return PostResult::INVALID;
    }
    Requester& requester = m_factory.GetRequester(queuePair);
    if (requester.GetWindow().GetQueue().GetCount() >= limits.capabilities.maxSendRequests)
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
    NS_LOG_LOGIC("endpoint " << m_nic.ports.GetEndpoint(queuePair.port) << ", queue pair "
                             << queuePair.number << ": work request " << request.wrId << " of "
                             << GetTotalBytes(request.sgList)
                             << " B is posted, local check: " << GetWcStatusName(status));
    return PostResult::OK;
}

PostResult
QueuePairVerbs::PostSend(uint32_t number,
                         const SendWorkRequest& request,
                         const SendWorkRequest** bad)
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
QueuePairVerbs::PostOnChip(uint32_t number, const SendWorkRequest& request)
{
    QueuePair& queuePair = Get(number);
    const PostResult result = PostOne(queuePair, request);
    if (result == PostResult::OK && !Flush(queuePair))
    {
        m_nic.ports.FindPath(queuePair).OnPostedOnChip(queuePair);
    }
    return result;
}

PostResult
QueuePairVerbs::PostReceive(uint32_t number,
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
    NS_LOG_LOGIC("endpoint " << m_nic.ports.GetEndpoint(queuePair.port) << ", queue pair " << number
                             << ": receive requests from " << request.wrId << " on are "
                             << (result == PostResult::OK ? "posted" : "not all posted"));
    if (queuePair.state == QpState::ERR)
    {
        std::vector<ReceiveCompletion> flushed;
        while (const auto left = queue.Take())
        {
            flushed.push_back({{left->wrId, WcStatus::WR_FLUSH_ERR, number}, false});
        }
        Notices notices;
        WorkReporter::CompleteReceive(queuePair, flushed, notices);
        m_nic.reporter.Deliver(notices);
    }
    return result;
}

} // namespace ns3::rdma
