// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-traffic.h"

#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// READs and atomics under way on a queue pair: what ConnectX NICs have, and perftest takes.
constexpr uint32_t OUTSTANDING_READS{16};
} // namespace

MessageTraffic::MessageTraffic(MessagePlan plan, const TrafficContext& context)
    : m_context(context),
      m_plan(std::move(plan)),
      m_engine(*context.fabric->GetCore().engine),
      m_until(m_plan.times.until.GetPicoSeconds()),
      m_connector(m_context, first_connection::MESSAGES),
      m_sendCompletions([this](const WorkCompletion& completion) { OnSent(completion); }),
      m_receiveCompletions([this](const WorkCompletion& completion) { OnReceived(completion); }),
      m_memory(m_plan),
      m_report(m_plan.bytes, m_plan.times.from.GetPicoSeconds(), m_until),
      m_list(m_plan.linked),
      m_target(m_engine.Register(this))
{
    const uint64_t pairs = uint64_t{m_plan.queuePairs} * m_plan.clients.size();
    ProgramConnector::CheckRoom(2 * pairs * m_plan.servers.size());
    uint64_t number = 0;
    for (const uint32_t client : m_plan.clients)
    {
        for (const uint32_t server : m_plan.servers)
        {
            for (uint32_t i = 0; i < m_plan.queuePairs; ++i)
            {
                Connect(client, server, number++);
            }
        }
    }
}

MessageTraffic::~MessageTraffic()
{
    m_engine.Unregister(m_target);
}

void
MessageTraffic::Connect(uint32_t client, uint32_t server, uint64_t number)
{
    const ProgramConnection made = m_connector.Add(client, server);
    const uint64_t source = m_memory.Add(client);
    const uint64_t destination = m_memory.Add(server);
    if (made.dst.isHere)
    {
        m_connector.Make(made.dst, MakeInit(made.dst), MakeAttributes());
        if (ConsumesReceive(m_plan.operation))
        {
            m_receivers.push_back({made.dst, destination});
            for (uint32_t i = 0; i < m_plan.receives; ++i)
            {
                PostReceive(static_cast<uint32_t>(m_receivers.size() - 1));
            }
        }
    }
    if (made.src.isHere)
    {
        m_connector.Make(made.src, MakeInit(made.src), MakeAttributes());
        m_senders.push_back(
            {made.src, source, destination, RandomStream(m_plan.seed, number), {}, false});
        m_report.Add({client, server, made.src.queuePair});
    }
}

QueuePairInit
MessageTraffic::MakeInit(const ProgramEnd& end) const
{
    QueuePairInit init;
    init.service = m_plan.service;
    init.domain = m_memory.GetDomain(end.server);
    init.sendCompletions = m_sendCompletions.Get();
    if (ConsumesReceive(m_plan.operation))
    {
        init.receiveCompletions = m_receiveCompletions.Get();
    }
    return init;
}

QueuePairAttributes
MessageTraffic::MakeAttributes() const
{
    QueuePairAttributes attributes;
    attributes.maxReadsAndAtomics = OUTSTANDING_READS;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    attributes.minRnrTimer = m_plan.rnrTimer;
    return attributes;
}

std::vector<uint32_t>
MessageTraffic::CountQueuePairs() const
{
    return m_connector.CountQueuePairs();
}

void
MessageTraffic::Schedule(Tick when, Event event, uint32_t argument)
{
    m_engine.Schedule(when, FabricEngine::MakeOwner(m_target, event), argument);
}

void
MessageTraffic::Start()
{
    for (uint32_t place = 0; place < m_senders.size(); ++place)
    {
        Schedule(m_plan.times.start.GetPicoSeconds(), START, place);
    }
}

Tick
MessageTraffic::GetEnd() const
{
    return m_until;
}

void
MessageTraffic::AddTo(WindowState& state, bool isDue) const
{
    state.started += m_report.GetPosted();
    state.done += m_report.GetEnded();
    state.progress += isDue ? m_report.GetEnded() : 0;
    state.endTime = std::max(state.endTime, m_report.GetLastEnd());
}

bool
MessageTraffic::MayLeavePackets() const
{
    return m_plan.service != Service::RC; // A message is complete when it has been sent.
}

void
MessageTraffic::Finish(bool isStalled, Tick)
{
    if (isStalled)
    {
        m_report.SetStalled();
    }
}

std::vector<ResultPart>
MessageTraffic::Report(RankGroup& ranks, bool)
{
    return {m_report.MakePart(ranks)};
}

void
MessageTraffic::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == START)
    {
        PostLists(argument);
    }
    else
    {
        PostReceive(argument);
    }
}

SendWorkRequest
MessageTraffic::MakeRequest(uint32_t place)
{
    MessageSender& sender = m_senders[place];
    SendWorkRequest request;
    request.wrId = place;
    request.opcode = m_plan.operation;
    request.sgList = {{sender.localPart + m_memory.Draw(sender.random),
                       m_plan.bytes,
                       m_memory.GetRegion(sender.end.server).localKey}};
    request.remoteAddress = sender.remotePart + m_memory.Draw(sender.random);
    request.remoteKey = m_memory.GetRegion(sender.end.peer).remoteKey;
    request.compareAdd = 1;
    return request;
}

void
MessageTraffic::PostLists(uint32_t place)
{
    MessageSender& sender = m_senders[place];
    const Tick now = m_engine.Now();
    while (!sender.isBroken && now < m_until &&
           sender.postedAt.size() + m_plan.linked <= m_plan.outstanding)
    {
        for (uint32_t i = 0; i < m_plan.linked; ++i)
        {
            m_list[i] = MakeRequest(place);
            m_list[i].next = i + 1 < m_plan.linked ? &m_list[i + 1] : nullptr;
            sender.postedAt.push_back(now);
        }
        m_report.OnPosted(m_plan.linked);
        if (sender.end.nic->PostSend(sender.end.queuePair, m_list.front()) != PostResult::OK)
        {
            throw VerbsError("a message cannot be posted");
        }
    }
}

void
MessageTraffic::PostReceive(uint32_t place)
{
    const MessageReceiver& receiver = m_receivers[place];
    ReceiveWorkRequest request;
    request.wrId = place;
    request.sgList = {
        {receiver.part, m_plan.bytes, m_memory.GetRegion(receiver.end.server).localKey}};
    if (receiver.end.nic->PostReceive(receiver.end.queuePair, request) != PostResult::OK)
    {
        throw VerbsError("a receive request cannot be posted");
    }
}

void
MessageTraffic::OnSent(const WorkCompletion& completion)
{
    const auto place = static_cast<uint32_t>(completion.wrId);
    MessageSender& sender = m_senders[place];
    const Tick postedAt = sender.postedAt.front();
    sender.postedAt.pop_front();
    sender.isBroken = sender.isBroken || completion.status != WcStatus::SUCCESS;
    m_report.OnEnd(place, postedAt, m_engine.Now(), completion.status == WcStatus::SUCCESS);
    PostLists(place);
}

void
MessageTraffic::OnReceived(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        return; // The sender's message fails, too.
    }
    const auto place = static_cast<uint32_t>(completion.wrId);
    if (m_plan.receiveDelay == 0)
    {
        PostReceive(place);
    }
    else
    {
        Schedule(m_engine.Now() + m_plan.receiveDelay, REFILL, place);
    }
}

} // namespace ns3::rdma
