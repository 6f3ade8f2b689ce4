// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/communicator.h"

#include "ns3/link-times.h"

#include <algorithm>

namespace ns3::rdma
{

Communicator::Communicator(const CollectivePlan& plan,
                           uint32_t number,
                           const TrafficContext& context,
                           ProgramConnector& connector,
                           QueuePairRenewals* renewals)
    : m_plan(plan),
      m_context(context),
      m_engine(*context.fabric->GetCore().engine),
      m_target(m_engine.Register(this)),
      m_ranks(plan.communicators[number].size()),
      m_links(
          plan,
          plan.communicators[number],
          context,
          connector,
          renewals,
          [this](const WorkCompletion& completion) { OnSent(completion); },
          [this](const WorkCompletion& completion) { OnReceived(completion); }),
      m_posters(plan.posting, m_ranks.size(), m_links.GetCount()),
      m_log(static_cast<uint32_t>(plan.iterations * plan.steps.size()))
{
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].isHere = context.isHere(plan.communicators[number][rank].server);
        m_ranksHere += m_ranks[rank].isHere ? 1 : 0;
    }
    MakeGroups();
    CountDuties();
    for (uint32_t stage = 0; stage < plan.stages.size(); ++stage)
    {
        const bool begins =
            std::binary_search(plan.steps.begin(), plan.steps.end(), stage) && stage > 0;
        m_stepOf.push_back(stage == 0 ? 0 : m_stepOf.back() + (begins ? 1 : 0));
    }
    m_stepOf.push_back(UINT32_MAX);
}

Communicator::~Communicator()
{
    m_engine.Unregister(m_target);
}

void
Communicator::MakeGroups()
{
    m_duties.assign(m_plan.stages.size(), std::vector<Duty>(m_ranks.size()));
    for (uint32_t stage = 0; stage < m_plan.stages.size(); ++stage)
    {
        uint64_t messages = 0;
        for (const CollectiveGroup& group : m_plan.stages[stage])
        {
            for (uint32_t member = 0; member < group.members.size(); ++member)
            {
                Duty& duty = m_duties[stage][group.members[member]];
                duty.group = static_cast<uint32_t>(m_groups.size());
                duty.member = member;
            }
            m_groups.push_back({&group, stage, messages, group.graph->HasSenderDependencies()});
            messages += group.graph->GetCount();
        }
        m_stageMessages = std::max(m_stageMessages, messages);
    }
}

void
Communicator::CountDuties()
{
    for (std::size_t number = 0; number < m_links.GetCount(); ++number)
    {
        const CommunicatorLink& link = m_links.Get(number);
        m_copies.Add(link.staging, link.messages);
        std::vector<Duty>& duties = m_duties[m_groups[link.group].stage];
        duties[link.src].sends += link.messages;
        duties[link.dst].receives += link.messages;
    }
}

Tick
Communicator::Now() const
{
    return m_engine.Now();
}

uint64_t
Communicator::GetTurn(const Message& message) const
{
    return uint64_t{message.iteration} * m_plan.stages.size() + m_groups[message.group].stage;
}

uint32_t
Communicator::GetStage(uint64_t turn) const
{
    return static_cast<uint32_t>(turn % m_plan.stages.size());
}

uint32_t
Communicator::GetIteration(uint64_t turn) const
{
    return static_cast<uint32_t>(turn / m_plan.stages.size());
}

uint32_t
Communicator::GetRecord(uint64_t turn) const
{
    return static_cast<uint32_t>(GetIteration(turn) * m_plan.steps.size()) +
           m_stepOf[GetStage(turn)];
}

const Communicator::Duty&
Communicator::GetDuty(uint32_t rank) const
{
    return m_duties[GetStage(m_ranks[rank].turn)][rank];
}

void
Communicator::Start()
{
    m_links.Start();
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        if (m_ranks[rank].isHere)
        {
            m_engine.Schedule(m_plan.start.GetPicoSeconds(),
                              FabricEngine::MakeOwner(m_target, BEGIN),
                              rank);
        }
        if (m_ranks[rank].isHere && m_plan.end)
        {
            m_engine.Schedule(m_plan.end->GetPicoSeconds(),
                              FabricEngine::MakeOwner(m_target, OVER),
                              rank);
        }
    }
}

void
Communicator::Stop(uint32_t rank)
{
    RankState& state = m_ranks[rank];
    state.isOver = true;
    m_counts.ended += m_plan.iterations - state.turn / m_plan.stages.size();
}

void
Communicator::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case BEGIN:
        BeginIteration(argument);
        return;
    case DEPART:
        m_engine.Schedule(Now() + m_plan.local->latency.GetPicoSeconds(),
                          FabricEngine::MakeOwner(m_target, DELIVER),
                          argument);
        OnComplete(m_pending[argument]);
        return;
    case OVER:
        Stop(argument);
        return;
    case WORKED:
        m_ranks[argument].hasBegun = true;
        BeginStage(argument);
        EndStages(argument);
        return;
    case POST:
        PostToNic(argument);
        return;
    case DELIVER: {
        const Pending sent = TakePending(argument);
        Arrive(sent.link, sent.message.id);
        return;
    }
    default:
        Process(TakePending(argument));
    }
}

void
Communicator::BeginIteration(uint32_t rank)
{
    if (m_ranks[rank].isOver)
    {
        return;
    }
    EnterStage(rank);
    EndStages(rank);
}

void
Communicator::EnterStage(uint32_t rank)
{
    RankState& state = m_ranks[rank];
    const uint32_t stage = GetStage(state.turn);
    if (stage == 0 || m_stepOf[stage] != m_stepOf[stage - 1])
    {
        m_log.OnBegin(GetRecord(state.turn), Now());
        state.begunAt = Now();
        state.lastSender = UINT32_MAX;
    }
    const Tick work = m_plan.work ? m_plan.work(stage, rank) : 0;
    state.hasBegun = work == 0;
    if (state.hasBegun)
    {
        BeginStage(rank);
        return;
    }
    m_engine.Schedule(Now() + work, FabricEngine::MakeOwner(m_target, WORKED), rank);
}

void
Communicator::BeginStage(uint32_t rank)
{
    RankState& state = m_ranks[rank];
    state.posted = 0;
    state.completed = 0;
    state.received = 0;
    if (const auto early = state.early.find(state.turn); early != state.early.end())
    {
        state.received = early->second;
        state.early.erase(early);
    }
    const Duty& duty = GetDuty(rank);
    if (duty.group == Duty::NONE)
    {
        return;
    }
    const uint32_t iteration = GetIteration(state.turn);
    m_groups[duty.group].plan->graph->ForEachFirst(duty.member, [&](uint64_t id) {
        Post(rank, {duty.group, iteration, id});
    });
    const auto later = std::stable_partition(
        state.waiting.begin(),
        state.waiting.end(),
        [this, &state](const Message& message) { return GetTurn(message) == state.turn; });
    const std::vector<Message> ready(state.waiting.begin(), later);
    state.waiting.erase(state.waiting.begin(), later);
    for (const Message& message : ready)
    {
        Post(rank, message);
    }
}

bool
Communicator::IsDone(const RankState& state, const Duty& duty) const
{
    return state.hasBegun && state.posted == duty.sends && state.received == duty.receives &&
           (duty.receives > 0 || state.completed == duty.sends);
}

void
Communicator::EndStep(uint32_t rank)
{
    const RankState& state = m_ranks[rank];
    const Duty& duty = GetDuty(rank);
    const bool counts = duty.receives > 0 || duty.sends == 0;
    m_log.OnEnd(GetRecord(state.turn),
                rank,
                state.lastSender == UINT32_MAX ? std::nullopt : std::optional(state.lastSender),
                counts ? Now() : state.begunAt);
}

void
Communicator::EndStages(uint32_t rank)
{
    RankState& state = m_ranks[rank];
    while (IsDone(state, GetDuty(rank)))
    {
        const uint32_t stage = GetStage(state.turn);
        if (m_stepOf[stage] != m_stepOf[stage + 1])
        {
            EndStep(rank);
        }
        const uint32_t iteration = GetIteration(state.turn++);
        if (GetStage(state.turn) != 0)
        {
            EnterStage(rank);
            continue;
        }
        state.hasBegun = false;
        m_counts.ended += state.isOver ? 0 : 1;
        m_counts.lastEnd = std::max(m_counts.lastEnd, Now());
        if (iteration + 1 < m_plan.iterations)
        {
            m_engine.Schedule(Now() + m_plan.compute.GetPicoSeconds(),
                              FabricEngine::MakeOwner(m_target, BEGIN),
                              rank);
        }
    }
}

uint32_t
Communicator::AddPending(const Message& message, uint32_t link)
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_pending.size()));
        m_pending.emplace_back();
    }
    const uint32_t pending = m_free.back();
    m_free.pop_back();
    m_pending[pending] = {message, link};
    return pending;
}

Communicator::Pending
Communicator::TakePending(uint32_t pending)
{
    m_free.push_back(pending);
    return m_pending[pending];
}

void
Communicator::Post(uint32_t rank, const Message& message)
{
    if (m_ranks[rank].isOver)
    {
        return;
    }
    const RankMessage what = m_groups[message.group].plan->graph->Get(message.id);
    const uint32_t link = m_links.GetFirst(message.group) + what.connection;
    const uint32_t pending = AddPending(message, link);
    ++m_ranks[rank].posted;
    ++m_counts.posted;
    if (m_links.Get(link).isLocal)
    {
        SendLocally(rank, pending, what.bytes);
        return;
    }
    const Tick posting = FindPosting(rank, link, what.bytes);
    if (posting > Now() || m_posters)
    {
        m_engine.Schedule(posting, FabricEngine::MakeOwner(m_target, POST), pending);
        return;
    }
    PostToNic(pending);
}

Tick
Communicator::FindPosting(uint32_t rank, uint32_t link, uint64_t bytes)
{
    if (m_copies.HasCopies(link))
    {
        return m_copies.TakeOut(link, bytes, Now());
    }
    return m_posters ? m_posters.Take(Now(), rank, link) : Now();
}

void
Communicator::PostToNic(uint32_t pending)
{
    const auto& [message, link] = m_pending[pending];
    const RankMessage what = m_groups[message.group].plan->graph->Get(message.id);
    if (!m_links.Post(link, message.id, what, pending))
    {
        ++m_counts.failed;
        TakePending(pending);
    }
}

void
Communicator::SendLocally(uint32_t rank, uint32_t pending, uint64_t bytes)
{
    RankState& state = m_ranks[rank];
    state.freeAt =
        std::max(state.freeAt, Now()) + LinkTimes::GetLocalDuration(*m_plan.local, bytes);
    m_engine.Schedule(state.freeAt, FabricEngine::MakeOwner(m_target, DEPART), pending);
}

void
Communicator::OnSent(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        ++m_counts.failed; // Data and notification may have one id: it is not taken twice.
        return;
    }
    OnComplete(TakePending(static_cast<uint32_t>(completion.wrId)));
}

void
Communicator::OnComplete(const Pending& sent)
{
    const Message message = sent.message;
    const uint32_t rank = m_links.Get(sent.link).src;
    if (m_copies.HasCopies(sent.link))
    {
        m_copies.OnSent(sent.link, Now());
    }
    RankState& state = m_ranks[rank];
    state.completed += GetTurn(message) == state.turn ? 1 : 0;
    if (m_groups[message.group].hasSenderDependencies)
    {
        CountDependents(message, rank);
    }
    EndStages(rank);
}

void
Communicator::OnReceived(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        ++m_counts.failed;
        return;
    }
    const auto link = static_cast<uint32_t>(completion.wrId);
    m_links.PostReceive(link);
    Arrive(static_cast<uint32_t>(m_links.FindArrived(link)), completion.immediate);
}

void
Communicator::Arrive(uint32_t number, uint64_t id)
{
    CommunicatorLink& link = m_links.Get(number);
    ++m_counts.arrived;
    // A rank posts all messages of an iteration before the first one of the next.
    const auto iteration = static_cast<uint32_t>(link.arrived++ / link.messages);
    const Message message{link.group, iteration, id};
    const bool isCopied = m_copies.HasCopies(number);
    if (!isCopied && m_plan.processing.IsZero())
    {
        Process({message, number});
        return;
    }
    const RankMessage what = m_groups[link.group].plan->graph->Get(id);
    if (what.isControl)
    {
        Process({message, number});
        return;
    }
    const Tick copied = isCopied ? m_copies.TakeIn(number, what.bytes, Now()) : Now();
    m_engine.Schedule(copied + m_plan.processing.GetPicoSeconds(),
                      FabricEngine::MakeOwner(m_target, PROCESS),
                      AddPending(message, number));
}

void
Communicator::Process(const Pending& arrived)
{
    const Message& message = arrived.message;
    const CommunicatorLink& link = m_links.Get(arrived.link);
    CountDependents(message, link.dst);
    RankState& state = m_ranks[link.dst];
    const uint64_t turn = GetTurn(message);
    if (turn > state.turn || !state.hasBegun)
    {
        ++state.early[turn];
        return;
    }
    ++state.received;
    state.lastSender = link.src;
    EndStages(link.dst);
}

void
Communicator::CountDependents(const Message& message, uint32_t rank)
{
    const OperationGraph& graph = *m_groups[message.group].plan->graph;
    const std::vector<uint32_t>& members = m_groups[message.group].plan->members;
    graph.ForEachDependent(message.id, [&](uint64_t id) {
        const RankMessage what = graph.Get(id);
        if (members[what.src] == rank)
        {
            CountPredecessor({message.group, message.iteration, id}, what);
        }
    });
}

void
Communicator::CountPredecessor(const Message& message, const RankMessage& what)
{
    if (what.predecessors > 1)
    {
        const uint64_t key =
            GetTurn(message) * m_stageMessages + m_groups[message.group].firstMessage + message.id;
        const auto missing = m_missing.try_emplace(key, what.predecessors).first;
        if (--missing->second > 0)
        {
            return;
        }
        m_missing.erase(missing);
    }
    const uint32_t rank = m_groups[message.group].plan->members[what.src];
    RankState& state = m_ranks[rank];
    if (state.hasBegun && GetTurn(message) == state.turn)
    {
        Post(rank, message);
        return;
    }
    state.waiting.push_back(message);
}

std::optional<WaitingRank>
Communicator::FindLast() const
{
    std::optional<WaitingRank> last;
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const RankState& state = m_ranks[rank];
        const bool hasEnded =
            state.isOver || state.turn >= uint64_t{m_plan.iterations} * m_plan.stages.size();
        if (state.isHere && !hasEnded && (!last || state.turn < last->turn))
        {
            last = {state.turn, rank, UINT32_MAX};
        }
    }
    for (std::size_t number = 0; last && number < m_links.GetCount(); ++number)
    {
        const CommunicatorLink& link = m_links.Get(number);
        const bool isOfStage = m_groups[link.group].stage == GetStage(last->turn);
        const uint64_t expected = (last->turn / m_plan.stages.size() + 1) * link.messages;
        if (isOfStage && link.dst == last->rank && link.arrived < expected)
        {
            last->awaited = link.src;
            break;
        }
    }
    return last;
}

Tick
Communicator::FindBound() const
{
    std::vector<Tick> bounds(m_plan.stages.size(), 0);
    for (uint32_t number = 0; number < m_groups.size(); ++number)
    {
        const Group& group = m_groups[number];
        const LinkTimes times(m_plan, m_links, number, m_context);
        Tick& bound = bounds[group.stage];
        bound = std::max(bound, group.plan->graph->FindBound(times));
    }
    Tick sum = 0;
    for (const Tick bound : bounds)
    {
        sum += bound;
    }
    return sum;
}

} // namespace ns3::rdma
