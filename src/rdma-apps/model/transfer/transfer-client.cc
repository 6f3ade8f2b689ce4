// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/transfer-client.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// Of client 0's requests, then its times; away from the streams of other parts.
constexpr uint64_t FIRST_STREAM{0x6b76740000000000ULL};
constexpr uint32_t SLOT_BITS{32}; ///< Of a work request's id; above: the queue pair.
} // namespace

TransferClient::TransferClient(FabricEngine& engine,
                               const TransferPlan& plan,
                               uint32_t node,
                               QueuePairRenewals* renewals)
    : m_engine(engine),
      m_plan(plan),
      m_node(node),
      m_renewals(renewals),
      m_target(engine.Register(this)),
      m_random(plan.seed, FIRST_STREAM + 2 * uint64_t{node}),
      m_arrivals(plan.requestsPerSecond,
                 plan.times.until.GetPicoSeconds(),
                 RandomStream(plan.seed, FIRST_STREAM + 2 * uint64_t{node} + 1)),
      m_completions([this](const WorkCompletion& completion) { OnCompletion(completion); })
{
}

TransferClient::~TransferClient()
{
    m_engine.Unregister(m_target);
}

bool
TransferClient::HasArrival() const
{
    return !m_arrivals.IsOpenLoop() || m_arrivals.HasAny(m_plan.times.start.GetPicoSeconds());
}

void
TransferClient::Start()
{
    m_engine.Schedule(m_plan.times.start.GetPicoSeconds(),
                      FabricEngine::MakeOwner(m_target, START),
                      0);
}

void
TransferClient::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case START:
        if (m_arrivals.IsOpenLoop())
        {
            ScheduleArrival();
            return;
        }
        for (uint32_t request = 0; request < m_plan.concurrent; ++request)
        {
            Arrive();
        }
        return;
    case ARRIVE:
        Arrive();
        ScheduleArrival();
        return;
    case READY:
        OnReady(argument);
        return;
    case POST:
        m_isPosting = false;
        PostFirst();
        Pump();
        return;
    default:
        EndSlice(argument, false);
    }
}

void
TransferClient::ScheduleArrival()
{
    if (const auto at = m_arrivals.Next(m_engine.Now()))
    {
        m_engine.Schedule(*at, FabricEngine::MakeOwner(m_target, ARRIVE), 0);
    }
}

void
TransferClient::Arrive()
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_requests.size()));
        m_requests.emplace_back();
    }
    const uint32_t slot = m_free.back();
    m_free.pop_back();
    Request& request = m_requests[slot];
    request = Request();
    request.isUnderWay = true;
    request.server = m_random.NextBelow(static_cast<uint32_t>(m_plan.servers.size()));
    request.tokens =
        m_plan.prompts ? m_plan.prompts->GetQuantile(m_random.NextDouble()) : m_plan.promptTokens;
    const uint64_t slices = m_plan.CountBlocks(request.tokens) * m_plan.CountSlices();
    request.slicesLeft = slices * m_plan.layers;
    request.record.client = m_node;
    request.record.server = m_plan.servers[request.server];
    request.record.bytes = static_cast<uint32_t>(m_plan.GetBytes(request.tokens));
    request.record.probes = static_cast<uint32_t>(request.slicesLeft);
    m_book.Begin(request.record, m_engine.Now());
    m_engine.Schedule(m_engine.Now() + m_plan.layerTime,
                      FabricEngine::MakeOwner(m_target, READY),
                      slot);
}

void
TransferClient::OnReady(uint32_t slot)
{
    ++m_progress;
    Request& request = m_requests[slot];
    QueueLayer(slot);
    if (++request.layersReady < m_plan.layers)
    {
        m_engine.Schedule(m_engine.Now() + m_plan.layerTime,
                          FabricEngine::MakeOwner(m_target, READY),
                          slot);
    }
    Pump();
}

void
TransferClient::QueueLayer(uint32_t slot)
{
    Request& request = m_requests[slot];
    for (uint64_t block = 0; block < m_plan.CountBlocks(request.tokens); ++block)
    {
        for (uint64_t left = m_plan.GetBlockBytes(); left > 0;)
        {
            const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(left, m_plan.sliceBytes));
            const uint64_t turn = request.nextQueuePair++ % m_plan.queuePairs;
            m_slices.push_back(
                {slot, static_cast<uint32_t>(request.server * m_plan.queuePairs + turn), bytes});
            left -= bytes;
        }
    }
}

void
TransferClient::Pump()
{
    while (!m_isPosting && !m_slices.empty() &&
           m_queuePairs[m_slices.front().queuePair].underWay < m_plan.outstanding &&
           IsReady(m_queuePairs[m_slices.front().queuePair]))
    {
        if (m_plan.postTime > 0)
        {
            m_isPosting = true;
            m_engine.Schedule(m_engine.Now() + m_plan.postTime,
                              FabricEngine::MakeOwner(m_target, POST),
                              0);
            return;
        }
        PostFirst();
    }
}

void
TransferClient::PostFirst()
{
    // Not at once: a closed loop would go on for ever at this time if a queue pair is broken.
    constexpr Tick BACK_OFF{1'000'000};
    const Slice slice = m_slices.front();
    m_slices.pop_front();
    QueuePair& queuePair = m_queuePairs[slice.queuePair];
    if (m_renewals)
    {
        ++queuePair.underWay;
        queuePair.unfinished.push_back(slice);
        if (IsReady(queuePair) && !TryPost(slice))
        {
            m_renewals->OnError(queuePair.end);
        }
        return;
    }
    if (TryPost(slice))
    {
        ++queuePair.underWay;
        return;
    }
    m_engine.Schedule(m_engine.Now() + BACK_OFF,
                      FabricEngine::MakeOwner(m_target, FAIL),
                      slice.slot);
}

bool
TransferClient::TryPost(const Slice& slice)
{
    const QueuePair& queuePair = m_queuePairs[slice.queuePair];
    SendWorkRequest request;
    request.wrId = uint64_t{slice.queuePair} << SLOT_BITS | slice.slot;
    request.opcode = m_plan.opcode;
    request.sgList = {{0, slice.bytes, 0}};
    return queuePair.nic->PostSend(queuePair.number, request) == PostResult::OK;
}

bool
TransferClient::IsReady(const QueuePair& queuePair) const
{
    return !m_renewals || m_renewals->IsReady(queuePair.end);
}

void
TransferClient::RenewLast(uint32_t end, const std::optional<QueuePairInit>& init)
{
    m_queuePairs.back().end = end;
    m_queuePairOf[end] = static_cast<uint32_t>(m_queuePairs.size() - 1);
    if (init)
    {
        m_renewals->Watch(end, *init, *this);
    }
}

void
TransferClient::OnRenewed(uint32_t end, uint64_t)
{
    const std::deque<Slice>& unfinished = m_queuePairs[m_queuePairOf.at(end)].unfinished;
    m_renewals->GetCounts().repeated += unfinished.size();
    const bool arePosted = std::all_of(unfinished.begin(),
                                       unfinished.end(),
                                       [this](const Slice& slice) { return TryPost(slice); });
    if (!arePosted)
    {
        m_renewals->OnError(end);
    }
    Pump();
}

void
TransferClient::OnCompletion(const WorkCompletion& completion)
{
    QueuePair& queuePair = m_queuePairs[completion.wrId >> SLOT_BITS];
    if (m_renewals && completion.status != WcStatus::SUCCESS)
    {
        m_renewals->OnError(queuePair.end);
        return;
    }
    if (m_renewals)
    {
        queuePair.unfinished.pop_front();
    }
    --queuePair.underWay;
    EndSlice(static_cast<uint32_t>(completion.wrId), completion.status == WcStatus::SUCCESS);
    Pump();
}

void
TransferClient::EndSlice(uint32_t slot, bool isOk)
{
    ++m_progress;
    Request& request = m_requests[slot];
    request.hasFailed |= !isOk;
    if (--request.slicesLeft == 0)
    {
        End(slot);
    }
}

void
TransferClient::End(uint32_t slot)
{
    Request& request = m_requests[slot];
    m_book.End(request.record,
               request.hasFailed ? RpcStatus::FAILED : RpcStatus::OK,
               m_engine.Now());
    request.isUnderWay = false;
    m_free.push_back(slot);
    if (!m_arrivals.IsOpenLoop() && m_engine.Now() < m_plan.times.until.GetPicoSeconds())
    {
        Arrive();
    }
}

void
TransferClient::Finish(RpcStatus status)
{
    for (Request& request : m_requests)
    {
        if (request.isUnderWay)
        {
            request.isUnderWay = false;
            m_book.Abandon(request.record, status);
        }
    }
}

} // namespace ns3::rdma
