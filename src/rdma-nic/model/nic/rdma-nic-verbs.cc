// SPDX-License-Identifier: GPL-2.0-only

// The consumers' calls of an RdmaNic on its queue pairs.

#include "ns3/log.h"
#include "ns3/payload-services.h"
#include "ns3/policy-error.h"
#include "ns3/post-check.h"
#include "ns3/rdma-nic.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("RdmaNicVerbs");

namespace
{
/// @param chipRtt time that the chips at both ends add to a round trip
/// @return the facts that the fabric has about the path to the peer.
PathFacts
FindOwnPath(const NicCore& nic, const QueuePair& queuePair, Tick chipRtt)
{
    const FabricCore& core = nic.ports.GetFabric();
    const FrameStyle& style = nic.ports.FindPath(queuePair).GetFrameStyle();
    const Connection& connection = queuePair.GetConnection();
    if (!core.paths || connection.remoteEndpoint == style.endpoint)
    {
        return {};
    }
    PathFacts facts = core.paths->FindFacts(
        style.endpoint,
        connection.remoteEndpoint,
        connection.entropy,
        style.sizes.GetWriteFrame(false, nic.factory.GetDefaults().path.mtuBytes),
        style.sizes.GetAckFrame());
    facts.rtt = facts.rtt > 0 ? facts.rtt + chipRtt : 0;
    return facts;
}

QueuePair&
GetQueuePair(const NicCore& nic, uint32_t number)
{
    QueuePair* queuePair = nic.table.Find(number);
    if (!queuePair)
    {
        throw VerbsError("there is no queue pair " + std::to_string(number));
    }
    return *queuePair;
}

bool
CanPost(const QueuePair& queuePair)
{
    return queuePair.GetState() == QpState::RTS || queuePair.GetState() == QpState::SQD ||
           queuePair.GetState() == QpState::SQE || queuePair.GetState() == QpState::ERR;
}

/// @return whether the queue pair has failed; its posted requests have then ended.
bool
Flush(NicCore& nic, QueuePair& queuePair)
{
    if (queuePair.GetState() != QpState::ERR && queuePair.GetState() != QpState::SQE)
    {
        return false;
    }
    const Completions ended = nic.factory.GetRequester(queuePair).Break(WcStatus::WR_FLUSH_ERR);
    Notices notices;
    nic.reporter.FinishRequests(queuePair, ended, notices);
    nic.reporter.Deliver(notices);
    return true;
}

/// Called when the queue pair may send more or less without a post.
void
Continue(NicCore& nic, QueuePair& queuePair)
{
    if (Flush(nic, queuePair))
    {
        return;
    }
    nic.factory.GetRequester(queuePair);
    nic.ports.FindPath(queuePair).Activate(queuePair);
    Notices notices;
    nic.reporter.FinishRequests(queuePair, {}, notices);
    nic.reporter.Deliver(notices);
}

/// @param requests that were posted
void
Begin(NicCore& nic, QueuePair& queuePair, uint32_t requests)
{
    if (Flush(nic, queuePair))
    {
        return;
    }
    if (requests > 0)
    {
        nic.ports.FindPath(queuePair).OnPosted(queuePair, requests);
        return;
    }
    Continue(nic, queuePair);
}

PostLimits
GetPostLimits(const NicCore& nic, const QueuePair& queuePair)
{
    return {queuePair.GetService(),
            queuePair.GetSetup().init.capabilities,
            PeekPointer(queuePair.GetSetup().init.domain),
            nic.factory.GetMtu(queuePair),
            nic.factory.GetMaxReads(queuePair)};
}

/// Posts a WRITE of any length, without memory, that passes the services of its queue pair.
void
PostServedWrite(NicCore& nic,
                QueuePair& queuePair,
                const PayloadServices& services,
                uint64_t wrId,
                uint64_t bytes)
{
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.sgList = {{0, static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)), 0}};
    const PostLimits limits = GetPostLimits(nic, queuePair);
    WcStatus status = CheckLocally(request, limits);
    // Services process the messages on the wire: long ones of equal length, and the last one.
    const uint64_t longest = SendQueue::GetMaxMessageBytes(limits.mtuBytes);
    for (const uint64_t message : {std::min(bytes, longest), (bytes - 1) % longest + 1})
    {
        request.sgList.front().length = static_cast<uint32_t>(message);
        status = status == WcStatus::SUCCESS
                     ? services.CheckRequest(queuePair.GetNumber(), request, limits.mtuBytes)
                     : status;
    }
    nic.factory.GetRequester(queuePair).Post(request, status, bytes);
}

PostResult
PostOne(NicCore& nic, QueuePair& queuePair, const SendWorkRequest& request)
{
    const PostLimits limits = GetPostLimits(nic, queuePair);
    if (!CanPost(queuePair) || !IsPostable(request, limits))
    {
        return PostResult::INVALID;
    }
    Requester& requester = nic.factory.GetRequester(queuePair);
    if (requester.GetWindow().GetQueue().GetCount() >= limits.capabilities.maxSendRequests)
    {
        return PostResult::FULL;
    }
    WcStatus status = CheckLocally(request, limits);
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services =
        handlers ? handlers->FindServices(queuePair.GetNumber()) : nullptr;
    if (services && status == WcStatus::SUCCESS)
    {
        status = services->CheckRequest(queuePair.GetNumber(), request, limits.mtuBytes);
    }
    requester.Post(request, status);
    NS_LOG_LOGIC("endpoint " << nic.ports.GetEndpoint(queuePair.GetPort()) << ", queue pair "
                             << queuePair.GetNumber() << ": work request " << request.wrId << " of "
                             << GetTotalBytes(request.sgList)
                             << " B is posted, local check: " << GetWcStatusName(status));
    return PostResult::OK;
}
} // namespace

void
RdmaNic::SetOwnPath(QueuePair& queuePair) const
{
    const CongestionControl& control = *m_factory->GetDefaults().congestionControl;
    if (queuePair.GetService() == Service::RC &&
        CallPolicy(control, "UsesOwnPath()", [&] { return control.UsesOwnPath(); }))
    {
        const Tick chipRtt = GetBaseRtt(0, m_factory->GetDefaults().path.lineRate);
        queuePair.SetOwnPath(FindOwnPath(*m_core, queuePair, chipRtt));
    }
}

uint32_t
RdmaNic::CreateQueuePair(const QueuePairInit& init, std::optional<uint32_t> number, uint32_t port)
{
    NicCore& nic = GetStarted();
    if (init.sharedReceiveQueue && !init.receiveCompletions)
    {
        throw VerbsError("a shared receive queue needs a completion queue");
    }
    const QueuePairLimit& limit = nic.factory.GetDefaults().limit;
    if (nic.table.GetCount() >= limit.most)
    {
        throw VerbsError("the NIC of endpoint " + std::to_string(nic.ports.GetEndpoint(0)) +
                         " holds at most " + std::to_string(limit.most) +
                         " queue pairs at a time, the limit of " + limit.owner);
    }
    QueuePair& queuePair = nic.ports.Create(port, number);
    queuePair.Open(init);
    return queuePair.GetNumber();
}

bool
RdmaNic::ModifyQueuePair(uint32_t number, QpState state, const QueuePairAttributes& attributes)
{
    NicCore& nic = GetStarted();
    QueuePair* queuePair = nic.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->GetState(), state) ||
        !queuePair->Apply(attributes, state))
    {
        return false;
    }
    if (state == QpState::RTR)
    {
        ApplyMark(*queuePair);
        nic.ports.OnConnected(*queuePair);
        SetOwnPath(*queuePair);
    }
    const QpState before = queuePair->GetState();
    if (state == QpState::ERR)
    {
        Notices notices;
        nic.reporter.EnterError(*queuePair, std::nullopt, notices);
        nic.reporter.Deliver(notices);
        return true;
    }
    nic.reporter.SetState(*queuePair, state);
    nic.factory.Update(*queuePair);
    if (state == QpState::RESET)
    {
        queuePair->Reset();
        nic.ports.Forget(*queuePair);
        nic.reporter.Forget(*queuePair);
    }
    else if (state == QpState::SQD || before == QpState::SQD)
    {
        nic.factory.GetRequester(*queuePair).SetDraining(state == QpState::SQD);
        Continue(nic, *queuePair);
        return true; // The handler may have destroyed the queue pair.
    }
    else if (before == QpState::SQE)
    {
        queuePair->DropRequester();
        nic.ports.FindPath(*queuePair).ForgetDoorbells(*queuePair);
    }
    return true;
}

void
RdmaNic::Connect(uint32_t number, const Connection& connection, QueuePairAttributes attributes)
{
    NicCore& nic = GetStarted();
    attributes.connection = connection;
    QueuePair* queuePair = nic.table.Find(number);
    if (!queuePair || !IsTransitionAllowed(queuePair->GetState(), QpState::INIT) ||
        !queuePair->Apply(attributes, QpState::RTR))
    {
        throw VerbsError("queue pair " + std::to_string(number) + " cannot become " +
                         GetQpStateName(QpState::INIT));
    }
    ApplyMark(*queuePair);
    nic.ports.OnConnected(*queuePair);
    SetOwnPath(*queuePair);
    nic.reporter.Connect(*queuePair);
    nic.factory.Update(*queuePair);
}

void
RdmaNic::DestroyQueuePair(uint32_t number)
{
    NicCore& nic = GetStarted();
    QueuePair* const queuePair = nic.table.Find(number);
    if (!queuePair)
    {
        return;
    }
    nic.reporter.Forget(*queuePair);
    nic.transport.Forget(*queuePair);
    if (!queuePair->GetRequester())
    {
        nic.ports.Destroy(*queuePair);
        return;
    }
    RequesterPolicies policies = queuePair->GetRequester()->HoldPolicies();
    nic.ports.Destroy(*queuePair);
    nic.factory.Keep(std::move(policies));
}

void
RdmaNic::PostWrite(uint32_t number, uint64_t wrId, uint64_t bytes)
{
    NicCore& nic = GetStarted();
    QueuePair& queuePair = GetQueuePair(nic, number);
    if (!CanPost(queuePair) || queuePair.GetService() == Service::UD)
    {
        throw VerbsError("queue pair " + std::to_string(number) + " takes no WRITE of " +
                         std::to_string(bytes) + " bytes in " +
                         GetQpStateName(queuePair.GetState()));
    }
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services = handlers ? handlers->FindServices(number) : nullptr;
    if (services)
    {
        PostServedWrite(nic, queuePair, *services, wrId, bytes);
    }
    else
    {
        nic.factory.GetRequester(queuePair).Post(wrId, bytes);
    }
    NS_LOG_LOGIC("endpoint " << nic.ports.GetEndpoint(queuePair.GetPort()) << ", queue pair "
                             << number << ": a WRITE of " << bytes << " B is posted, work request "
                             << wrId);
    Begin(nic, queuePair, 1);
}

PostResult
RdmaNic::PostSend(uint32_t number, const SendWorkRequest& request, const SendWorkRequest** bad)
{
    NicCore& nic = GetStarted();
    QueuePair& queuePair = GetQueuePair(nic, number);
    PostResult result = PostResult::OK;
    uint32_t count = 0;
    for (const SendWorkRequest* posted = &request; posted; posted = posted->next)
    {
        result = PostOne(nic, queuePair, *posted);
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
    if (result == PostResult::OK || queuePair.GetRequester())
    {
        Begin(nic, queuePair, count);
    }
    return result;
}

PostResult
RdmaNic::PostOnChip(uint32_t number, const SendWorkRequest& request)
{
    NicCore& nic = GetStarted();
    QueuePair& queuePair = GetQueuePair(nic, number);
    const PostResult result = PostOne(nic, queuePair, request);
    if (result == PostResult::OK && !Flush(nic, queuePair))
    {
        nic.ports.FindPath(queuePair).OnPostedOnChip(queuePair);
    }
    return result;
}

PostResult
RdmaNic::PostReceive(uint32_t number,
                     const ReceiveWorkRequest& request,
                     const ReceiveWorkRequest** bad)
{
    NicCore& nic = GetStarted();
    QueuePair& queuePair = GetQueuePair(nic, number);
    const QueuePairSetup& setup = queuePair.GetSetup();
    const bool hasOwnQueue = setup.receiveQueue && !setup.init.sharedReceiveQueue;
    if (queuePair.GetState() == QpState::RESET || !hasOwnQueue)
    {
        if (bad)
        {
            *bad = &request;
        }
        return PostResult::INVALID;
    }
    ReceiveQueue& queue = *setup.receiveQueue;
    const PostResult result = queue.Post(request, bad);
    NS_LOG_LOGIC("endpoint " << nic.ports.GetEndpoint(queuePair.GetPort()) << ", queue pair "
                             << number << ": receive requests from " << request.wrId << " on are "
                             << (result == PostResult::OK ? "posted" : "not all posted"));
    if (queuePair.GetState() == QpState::ERR)
    {
        std::vector<ReceiveCompletion> flushed;
        while (const auto left = queue.Take())
        {
            flushed.push_back({{left->wrId, WcStatus::WR_FLUSH_ERR, number}, false});
        }
        Notices notices;
        WorkReporter::CompleteReceive(queuePair, flushed, notices);
        nic.reporter.Deliver(notices);
    }
    return result;
}

} // namespace ns3::rdma
