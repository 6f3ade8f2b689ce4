// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-farewell.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
bool
IsLater(const Farewell& left, const Farewell& right)
{
    return left.at != right.at ? left.at > right.at : left.flow > right.flow;
}
} // namespace

FlowFarewell::FlowFarewell(FabricEngine& engine, const std::vector<Ptr<RdmaNic>>& nics)
    : m_engine(engine),
      m_nics(nics),
      m_target(engine.Register(this))
{
}

FlowFarewell::~FlowFarewell()
{
    m_engine.Unregister(m_target);
}

void
FlowFarewell::Expect(const Farewell& farewell)
{
    m_heap.push_back(farewell);
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    m_engine.Schedule(farewell.at, FabricEngine::MakeOwner(m_target, 0), 0);
}

void
FlowFarewell::HandleEvent(uint32_t, uint32_t)
{
    while (!m_heap.empty() && m_heap.front().at <= m_engine.Now())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        const Farewell farewell = m_heap.back();
        m_heap.pop_back();
        End(farewell);
    }
}

void
FlowFarewell::End(const Farewell& farewell)
{
    RdmaNic& nic = *m_nics[farewell.dst];
    if (farewell.isCompleted)
    {
        const auto& responder = nic.FindQueuePair(farewell.dstQp)->responder;
        const uint64_t placed = responder ? responder->GetPlacedBytes() : 0;
        if (placed != farewell.bytes)
        {
            m_violations.push_back({m_engine.Now(),
                                    farewell.flow,
                                    "completed with " + std::to_string(placed) + " of " +
                                        std::to_string(farewell.bytes) + " bytes placed"});
        }
    }
    nic.DestroyQueuePair(farewell.dstQp);
}

const std::vector<Violation>&
FlowFarewell::GetViolations() const
{
    return m_violations;
}

} // namespace ns3::rdma
