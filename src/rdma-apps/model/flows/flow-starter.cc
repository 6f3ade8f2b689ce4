// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-starter.h"

#include "ns3/flow-number.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

FlowStarter::FlowStarter(FabricEngine& engine,
                         FlowSource& source,
                         std::size_t workloads,
                         Tick beginAt,
                         StartHandler onStart)
    : m_engine(engine),
      m_source(source),
      m_beginAt(beginAt),
      m_onStart(std::move(onStart)),
      m_target(engine.Register(this)),
      m_startedOf(workloads, 0)
{
}

FlowStarter::~FlowStarter()
{
    m_engine.Unregister(m_target);
}

void
FlowStarter::Start()
{
    m_next = m_source.Next();
    ScheduleNext();
}

Tick
FlowStarter::GetPostTime(const FlowArrival& arrival) const
{
    return std::max(arrival.startPs, m_beginAt);
}

void
FlowStarter::ScheduleNext()
{
    if (m_next)
    {
        m_engine.Schedule(GetPostTime(*m_next), FabricEngine::MakeOwner(m_target, 0), 0);
    }
}

void
FlowStarter::HandleEvent(uint32_t, uint32_t)
{
    ++m_events;
    while (m_next && GetPostTime(*m_next) <= m_engine.Now())
    {
        const uint64_t number = m_startedOf[m_next->workload]++;
        m_onStart(flow_number::Make(m_next->workload, number), *m_next);
        m_next = m_source.Next();
    }
    ScheduleNext();
}

} // namespace ns3::rdma
