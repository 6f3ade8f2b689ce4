// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/class-schedulers.h"

#include "ns3/register-type.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ClassScheduler);
RDMA_REGISTER_CLASS(StrictScheduler, ClassScheduler, "RdmaNic");
NS_OBJECT_ENSURE_REGISTERED(WeightedScheduler);

TypeId
ClassScheduler::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::ClassScheduler").SetParent<SendScheduler>().SetGroupName("RdmaNic"))
            .Add("Classes",
                 Member(&ClassScheduler::m_classes, 2, 1, 8),
                 "Number of classes; the class of a queue pair is its number modulo "
                 "this (2: our choice)");
    return tid;
}

RoundRobinLine&
ClassScheduler::GetLine(uint32_t queuePair)
{
    if (m_lines.empty())
    {
        m_lines = std::vector<RoundRobinLine>(m_classes);
    }
    return m_lines[queuePair % m_lines.size()];
}

void
ClassScheduler::Add(uint32_t queuePair, Tick readyAt, Tick now)
{
    GetLine(queuePair).Add(queuePair, readyAt, now);
}

void
ClassScheduler::Advance(uint32_t queuePair, Tick readyAt)
{
    GetLine(queuePair).Advance(queuePair, readyAt);
}

std::optional<uint32_t>
ClassScheduler::Pick(Tick now)
{
    return GetNextReady(now) == now ? m_lines[DoSelect(now)].Pick(now) : std::nullopt;
}

Tick
ClassScheduler::GetNextReady(Tick now) const
{
    Tick next = TICK_NEVER;
    for (const RoundRobinLine& line : m_lines)
    {
        next = std::min(next, line.GetNextReady(now));
    }
    return next;
}

uint32_t
StrictScheduler::DoSelect(Tick now)
{
    uint32_t selected = 0;
    while (!IsReady(selected, now))
    {
        ++selected;
    }
    return selected;
}

TypeId
WeightedScheduler::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<WeightedScheduler, ClassScheduler>("ns3::rdma::WeightedScheduler",
                                                              "RdmaNic")
            .Add("Ratio",
                 Member(&WeightedScheduler::m_ratio, 2, 1, 64),
                 "Turns of a class per turn of the next one (2: our choice)");
    return tid;
}

uint64_t
WeightedScheduler::GetWeight(uint32_t classNumber) const
{
    uint64_t weight = 1;
    for (uint32_t i = classNumber + 1; i < GetClasses(); ++i)
    {
        weight *= m_ratio;
    }
    return weight;
}

uint32_t
WeightedScheduler::DoSelect(Tick now)
{
    while (m_used >= GetWeight(m_current) || !IsReady(m_current, now))
    {
        m_current = m_current + 1 == GetClasses() ? 0 : m_current + 1;
        m_used = 0;
    }
    ++m_used;
    return m_current;
}

} // namespace ns3::rdma
