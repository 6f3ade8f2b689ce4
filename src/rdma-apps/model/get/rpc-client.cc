// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-client.h"

namespace ns3::rdma
{

namespace
{
/// Of client 0's keys, then its times; away from the streams of other parts.
constexpr uint64_t FIRST_STREAM{0x7270630000000000ULL};
} // namespace

RpcClient::RpcClient(FabricEngine& engine,
                     const RpcPlan& plan,
                     const KeyDistribution& keys,
                     uint32_t node)
    : m_engine(engine),
      m_plan(plan),
      m_keys(keys),
      m_node(node),
      m_target(engine.Register(this)),
      m_keyRandom(plan.seed, FIRST_STREAM + 2 * uint64_t{node}),
      m_arrivals(plan.requestsPerSecond,
                 plan.times.until.GetPicoSeconds(),
                 RandomStream(plan.seed, FIRST_STREAM + 2 * uint64_t{node} + 1)),
      m_method(FindRpcMethod(plan.request)
                   .make(engine,
                         plan,
                         plan.outstanding,
                         [this](uint32_t slot, const RpcLook& look) { OnLook(slot, look); })),
      m_requests(plan.outstanding)
{
    for (uint32_t slot = plan.outstanding; slot > 0; --slot)
    {
        m_free.push_back(slot - 1);
    }
}

RpcClient::~RpcClient()
{
    m_engine.Unregister(m_target);
}

void
RpcClient::Start()
{
    m_engine.Schedule(m_plan.times.start.GetPicoSeconds(),
                      FabricEngine::MakeOwner(m_target, START),
                      0);
}

void
RpcClient::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case START:
        if (m_arrivals.IsOpenLoop())
        {
            ScheduleArrival();
            return;
        }
        for (uint32_t i = 0; i < m_plan.outstanding; ++i)
        {
            Arrive();
        }
        return;
    case ARRIVE:
        Arrive();
        ScheduleArrival();
        return;
    default:
        End(argument, RpcStatus::FAILED);
    }
}

bool
RpcClient::HasArrival() const
{
    return !m_arrivals.IsOpenLoop() || m_arrivals.HasAny(m_plan.times.start.GetPicoSeconds());
}

void
RpcClient::ScheduleArrival()
{
    if (const auto at = m_arrivals.Next(m_engine.Now()))
    {
        m_engine.Schedule(*at, FabricEngine::MakeOwner(m_target, ARRIVE), 0);
    }
}

void
RpcClient::Arrive()
{
    Request request;
    const bool isAbsent = m_plan.absent > 0 && m_keyRandom.NextDouble() < m_plan.absent;
    request.number = m_keys.Draw(m_keyRandom) + (isAbsent ? m_plan.keys : 0);
    request.server = m_plan.GetServer(request.number);
    request.record.client = m_node;
    request.record.server = m_plan.servers[request.server];
    m_book.Begin(request.record, m_engine.Now());
    m_waiting.push_back(request);
    BeginWaiting();
}

void
RpcClient::BeginWaiting()
{
    while (!m_waiting.empty() && !m_free.empty())
    {
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        m_requests[slot] = m_waiting.front();
        m_requests[slot].isUnderWay = true;
        m_waiting.pop_front();
        Post(slot);
    }
}

void
RpcClient::Post(uint32_t slot)
{
    Request& request = m_requests[slot];
    const uint64_t key = RpcPlan::MakeKey(request.number);
    const uint32_t probe = request.record.probes++;
    if (!m_method->Look(slot, m_connections[request.server], key, probe))
    {
        ScheduleFailure(slot);
    }
}

void
RpcClient::ScheduleFailure(uint32_t slot)
{
    // Not at once: with the queue pair broken for good, a closed loop would go on for ever at this
    // time.
    constexpr Tick BACK_OFF{1'000'000};
    m_engine.Schedule(m_engine.Now() + BACK_OFF, FabricEngine::MakeOwner(m_target, FAIL), slot);
}

bool
RpcClient::IsAbsent(const Request& request) const
{
    return request.number >= m_plan.keys;
}

RpcStatus
RpcClient::Classify(const Request& request, const RpcLook& look) const
{
    switch (look.result)
    {
    case RpcLook::Result::FOUND: {
        const bool isRight =
            !IsAbsent(request) && look.value == m_plan.MakeValue(RpcPlan::MakeKey(request.number));
        return isRight ? RpcStatus::OK : RpcStatus::WRONG;
    }
    case RpcLook::Result::REFUSED:
        return RpcStatus::REFUSED;
    default:
        return IsAbsent(request) ? RpcStatus::NOT_FOUND : RpcStatus::WRONG;
    }
}

void
RpcClient::OnLook(uint32_t slot, const RpcLook& look)
{
    ++m_looks;
    if (look.result == RpcLook::Result::FAILED)
    {
        ScheduleFailure(slot);
        return;
    }
    Request& request = m_requests[slot];
    const uint32_t maxProbes = m_connections[request.server].store->GetIndex().GetMaxProbes();
    if (look.result == RpcLook::Result::NOT_HERE && request.record.probes < maxProbes)
    {
        Post(slot);
        return;
    }
    request.record.bytes = static_cast<uint32_t>(look.value.size());
    End(slot, Classify(request, look));
}

void
RpcClient::End(uint32_t slot, RpcStatus status)
{
    ++m_looks;
    Request& request = m_requests[slot];
    m_book.End(request.record, status, m_engine.Now());
    request.isUnderWay = false;
    m_free.push_back(slot);
    if (!m_arrivals.IsOpenLoop() && m_engine.Now() < m_plan.times.until.GetPicoSeconds())
    {
        Arrive();
    }
    BeginWaiting();
}

void
RpcClient::Finish(RpcStatus status)
{
    for (const Request& request : m_requests)
    {
        if (request.isUnderWay)
        {
            m_book.Abandon(request.record, status);
        }
    }
    for (const Request& request : m_waiting)
    {
        m_book.Abandon(request.record, status);
    }
    m_waiting.clear();
}

} // namespace ns3::rdma
