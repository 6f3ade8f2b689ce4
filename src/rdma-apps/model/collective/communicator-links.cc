// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/communicator-links.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

CommunicatorLinks::CommunicatorLinks(const CollectivePlan& plan,
                                     const std::vector<RankPlace>& ranks,
                                     const TrafficContext& context,
                                     ProgramConnector& connector,
                                     QueuePairRenewals* renewals,
                                     const Handler& onSent,
                                     const Handler& onReceived)
    : m_context(context),
      m_connector(connector),
      m_renewals(renewals),
      m_onSent(onSent),
      m_onReceived(onReceived),
      m_receives(plan.receives),
      m_hasOwnCosts(plan.posting.has_value())
{
    for (const RankPlace& place : ranks)
    {
        if (context.isHere(place.server) && m_queues.count(place.server) == 0)
        {
            const uint32_t server = place.server;
            const Handler sent = [this, server](const WorkCompletion& one) { OnSent(server, one); };
            const Handler received = [this, server](const WorkCompletion& one) {
                OnReceived(server, one);
            };
            m_queues[server].reset(renewals
                                       ? new Queues{PolledQueue(sent), PolledQueue(received)}
                                       : new Queues{PolledQueue(onSent), PolledQueue(onReceived)});
        }
    }
    for (const CollectiveStage& stage : plan.stages)
    {
        for (const CollectiveGroup& group : stage)
        {
            const auto number = static_cast<uint32_t>(m_first.size());
            m_first.push_back(static_cast<uint32_t>(m_links.size()));
            const std::vector<RankConnection> connections = group.graph->MakeConnections();
            CheckRoom(group, ranks, connections);
            m_links.reserve(m_links.size() + connections.size());
            for (const RankConnection& connection : connections)
            {
                CommunicatorLink link;
                link.group = number;
                link.src = group.members[connection.src];
                link.dst = group.members[connection.dst];
                link.messages = connection.messages;
                link.isLocal = ranks[link.src].server == ranks[link.dst].server;
                link.sharedMessages = link.messages;
                link.staging = link.isLocal ? StagingRule{} : connection.staging;
                if (group.sharesWith)
                {
                    Share(link, m_first[*group.sharesWith] + (m_links.size() - m_first.back()));
                }
                else if (connection.reverseOf != UINT32_MAX)
                {
                    Reverse(link, m_links[m_first.back() + connection.reverseOf]);
                }
                else if (!link.isLocal)
                {
                    Connect(link, ranks[link.src], ranks[link.dst], plan.attributes);
                }
                m_links.push_back(link);
            }
        }
    }
}

void
CommunicatorLinks::CheckRoom(const CollectiveGroup& group,
                             const std::vector<RankPlace>& ranks,
                             const std::vector<RankConnection>& connections)
{
    for (const RankConnection& connection : connections)
    {
        const uint32_t src = ranks[group.members[connection.src]].server;
        const uint32_t dst = ranks[group.members[connection.dst]].server;
        if (src != dst && connection.reverseOf == UINT32_MAX && !group.sharesWith)
        {
            m_queuePairs += m_context.isHere(src) + m_context.isHere(dst);
        }
    }
    ProgramConnector::CheckRoom(m_queuePairs);
}

ProgramConnection
CommunicatorLinks::Add(const RankPlace& src, const RankPlace& dst) const
{
    if (!src.nic || !dst.nic)
    {
        return m_connector.Add(src.server, dst.server);
    }
    const EndpointMap& endpoints = m_context.fabric->GetCore().endpoints;
    return m_connector.Add(
        src.server,
        dst.server,
        {endpoints.Find({src.server, *src.nic, 0}), endpoints.Find({dst.server, *dst.nic, 0})});
}

QueuePairInit
CommunicatorLinks::MakeInit(uint32_t server) const
{
    QueuePairInit init;
    init.sendCompletions = m_queues.at(server)->sent.Get();
    init.receiveCompletions = m_queues.at(server)->received.Get();
    init.hasOwnCosts = m_hasOwnCosts;
    return init;
}

void
CommunicatorLinks::Reverse(CommunicatorLink& link, const CommunicatorLink& forward)
{
    link.sender = forward.receiver;
    link.receiver = forward.sender;
    link.srcEndpoint = forward.dstEndpoint;
    link.dstEndpoint = forward.srcEndpoint;
    link.srcQp = forward.dstQp;
    link.dstQp = forward.srcQp;
    link.entropy = forward.backEntropy;
    link.end = forward.end ^ 1U;
}

void
CommunicatorLinks::Share(CommunicatorLink& link, std::size_t first)
{
    CommunicatorLink& shared = m_links[first];
    NS_ASSERT_MSG(shared.src == link.src && shared.dst == link.dst,
                  "groups with the same queue pairs have other connections");
    if (link.isLocal)
    {
        return;
    }
    link.sender = shared.sender;
    link.receiver = shared.receiver;
    link.srcEndpoint = shared.srcEndpoint;
    link.dstEndpoint = shared.dstEndpoint;
    link.srcQp = shared.srcQp;
    link.dstQp = shared.dstQp;
    link.entropy = shared.entropy;
    link.backEntropy = shared.backEntropy;
    link.end = shared.end;
    link.isFirst = false;
    shared.sharedMessages += link.messages;
    std::size_t last = first;
    while (m_links[last].next != CommunicatorLink::NONE)
    {
        last = m_links[last].next;
    }
    m_links[last].next = static_cast<uint32_t>(m_links.size());
}

std::size_t
CommunicatorLinks::FindArrived(std::size_t first)
{
    CommunicatorLink& shared = m_links[first];
    if (shared.next == CommunicatorLink::NONE)
    {
        return first;
    }
    uint64_t place = shared.sharedArrived++ % shared.sharedMessages;
    std::size_t link = first;
    while (place >= m_links[link].messages)
    {
        place -= m_links[link].messages;
        link = m_links[link].next;
    }
    return link;
}

void
CommunicatorLinks::Connect(CommunicatorLink& link,
                           const RankPlace& src,
                           const RankPlace& dst,
                           const QueuePairAttributes& attributes)
{
    const ProgramConnection made = Add(src, dst);
    link.srcEndpoint = made.src.endpoint;
    link.dstEndpoint = made.dst.endpoint;
    link.srcQp = made.src.queuePair;
    link.dstQp = made.dst.queuePair;
    link.entropy = made.src.connection.entropy;
    link.backEntropy = made.dst.connection.entropy;
    if (made.src.isHere)
    {
        m_connector.Make(made.src, MakeInit(src.server), attributes);
        link.sender = PeekPointer(made.src.nic);
    }
    if (made.dst.isHere)
    {
        m_connector.Make(made.dst, MakeInit(dst.server), attributes);
        link.receiver = PeekPointer(made.dst.nic);
    }
    if (m_renewals)
    {
        Watch(made, attributes, link);
    }
}

void
CommunicatorLinks::Watch(const ProgramConnection& made,
                         const QueuePairAttributes& attributes,
                         CommunicatorLink& link)
{
    link.end = m_renewals->Add(made, attributes);
    uint32_t number = link.end;
    for (const ProgramEnd* end : {&made.src, &made.dst})
    {
        if (end->isHere)
        {
            m_renewals->Watch(number, MakeInit(end->server), *this);
            m_endOf[{end->server, end->queuePair}] = number;
        }
        ++number;
    }
}

void
CommunicatorLinks::OnSent(uint32_t server, const WorkCompletion& completion)
{
    const uint32_t end = m_endOf.at({server, completion.qpNumber});
    if (completion.status != WcStatus::SUCCESS)
    {
        m_renewals->OnError(end);
        return;
    }
    EndWork& work = m_work[end];
    work.unfinished.pop_front();
    ++work.completed;
    m_onSent(completion);
}

void
CommunicatorLinks::OnReceived(uint32_t server, const WorkCompletion& completion)
{
    const uint32_t end = m_endOf.at({server, completion.qpNumber});
    if (completion.status != WcStatus::SUCCESS)
    {
        m_renewals->OnError(end);
        return;
    }
    m_renewals->CountConsumed(end);
    m_onReceived(completion);
}

const Requester*
CommunicatorLinks::FindRequester(const CommunicatorLink& link)
{
    const auto queuePair = link.sender ? link.sender->FindQueuePair(link.srcQp) : std::nullopt;
    return queuePair ? queuePair->requester : nullptr;
}

void
CommunicatorLinks::OnQuit(uint32_t end)
{
    for (const CommunicatorLink& link : m_links)
    {
        if (link.end == end && link.isFirst)
        {
            if (const Requester* const requester = FindRequester(link))
            {
                m_statsBefore.Add(requester->GetStats());
            }
        }
    }
}

void
CommunicatorLinks::OnRenewed(uint32_t end, uint64_t consumed)
{
    for (std::size_t link = 0; link < m_links.size(); ++link)
    {
        if (m_links[link].end == (end ^ 1U) && m_links[link].isFirst)
        {
            PostReceives(link);
        }
    }
    EndWork& work = m_work[end];
    NS_ASSERT_MSG(consumed >= work.completed && consumed - work.completed <= work.unfinished.size(),
                  "a peer has consumed messages that were not sent");
    std::vector<WorkCompletion> spared;
    for (; work.completed < consumed; ++work.completed)
    {
        WorkCompletion completion{};
        completion.wrId = work.unfinished.front().wrId;
        spared.push_back(completion);
        work.unfinished.pop_front();
    }
    work.completed = 0;
    m_renewals->GetCounts().spared += spared.size();
    m_renewals->GetCounts().repeated += work.unfinished.size();
    const bool arePosted = std::all_of(work.unfinished.begin(),
                                       work.unfinished.end(),
                                       [this](const Unfinished& one) { return TryPost(one); });
    if (!arePosted)
    {
        m_renewals->OnError(end);
    }
    for (const WorkCompletion& completion : spared)
    {
        m_onSent(completion); // May post further messages.
    }
}

void
CommunicatorLinks::Start() const
{
    for (std::size_t link = 0; link < m_links.size(); ++link)
    {
        if (m_links[link].receiver && m_links[link].isFirst)
        {
            PostReceives(link);
        }
    }
}

void
CommunicatorLinks::PostReceives(std::size_t link) const
{
    const uint64_t ahead = std::min<uint64_t>(m_links[link].sharedMessages, m_receives);
    for (uint64_t request = 0; request < ahead; ++request)
    {
        PostReceive(link);
    }
}

void
CommunicatorLinks::PostReceive(std::size_t link) const
{
    ReceiveWorkRequest request;
    request.wrId = link;
    m_links[link].receiver->PostReceive(m_links[link].dstQp, request);
}

bool
CommunicatorLinks::Post(std::size_t link, uint64_t id, const RankMessage& message, uint64_t wrId)
{
    const Unfinished one{link, id, message, wrId};
    if (!m_renewals)
    {
        return TryPost(one);
    }
    const uint32_t end = m_links[link].end;
    m_work[end].unfinished.push_back(one);
    if (m_renewals->IsReady(end) && !TryPost(one))
    {
        m_renewals->OnError(end);
    }
    return true;
}

bool
CommunicatorLinks::TryPost(const Unfinished& unfinished) const
{
    const RankMessage& message = unfinished.message;
    SendWorkRequest notice;
    notice.wrId = unfinished.wrId;
    notice.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
    notice.immediate = static_cast<uint32_t>(unfinished.id);
    const Sge bytes{0, static_cast<uint32_t>(message.bytes), 0};
    const CommunicatorLink& one = m_links[unfinished.link];
    if (!message.hasSeparateNotice)
    {
        notice.sgList.push_back(bytes);
        return one.sender->PostSend(one.srcQp, notice) == PostResult::OK;
    }
    SendWorkRequest data;
    data.wrId = unfinished.wrId;
    data.opcode = WrOpcode::RDMA_WRITE;
    data.isSignaled = false;
    data.sgList.push_back(bytes);
    data.next = &notice;
    return one.sender->PostSend(one.srcQp, data) == PostResult::OK;
}

RequesterStats
CommunicatorLinks::SumStats() const
{
    RequesterStats sum = m_statsBefore;
    for (const CommunicatorLink& link : m_links)
    {
        const Requester* const requester = link.isFirst ? FindRequester(link) : nullptr;
        if (requester)
        {
            sum.Add(requester->GetStats());
        }
    }
    return sum;
}

} // namespace ns3::rdma
