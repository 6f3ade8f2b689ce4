// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-teardown.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr Tick DELAY{1'000'000};          ///< 1 us: of the order of a completion through PCIe.
constexpr uint32_t MAX_DELAYS{1'000'000}; ///< 1 s in total.

bool
IsLater(const TeardownNotice& left, const TeardownNotice& right)
{
    return left.at != right.at ? left.at > right.at : left.flow > right.flow;
}
} // namespace

FlowTeardown::FlowTeardown(FabricEngine& engine,
                           const std::vector<Ptr<RdmaNic>>& nics,
                           ReceivedQuery isReceived)
    : m_engine(engine),
      m_nics(nics),
      m_isReceived(std::move(isReceived)),
      m_target(engine.Register(this))
{
}

FlowTeardown::~FlowTeardown()
{
    m_engine.Unregister(m_target);
}

void
FlowTeardown::Expect(const TeardownNotice& notice)
{
    m_heap.push_back(notice);
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    m_engine.Schedule(notice.at, FabricEngine::MakeOwner(m_target, 0), 0);
}

void
FlowTeardown::HandleEvent(uint32_t, uint32_t)
{
    while (!m_heap.empty() && m_heap.front().at <= m_engine.Now())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        const TeardownNotice notice = m_heap.back();
        m_heap.pop_back();
        End(notice);
    }
}

void
FlowTeardown::End(const TeardownNotice& notice)
{
    const bool isLate = m_isReceived && notice.isCompleted && !m_isReceived(notice.flow);
    if (isLate && notice.delays < MAX_DELAYS)
    {
        // The hardware has not delivered the receiver's completion yet.
        TeardownNotice later = notice;
        later.at = m_engine.Now() + DELAY;
        ++later.delays;
        Expect(later);
        return;
    }
    if (isLate)
    {
        m_violations.push_back({m_engine.Now(), notice.flow, "completed, but not at its receiver"});
    }
    RdmaNic& nic = *m_nics[notice.dst];
    if (notice.isCompleted)
    {
        const Responder* responder = nic.FindQueuePair(notice.dstQp)->responder;
        const uint64_t placed = responder ? responder->GetPlacedBytes() : 0;
        if (placed != notice.bytes)
        {
            m_violations.push_back({m_engine.Now(),
                                    notice.flow,
                                    "completed with " + std::to_string(placed) + " of " +
                                        std::to_string(notice.bytes) + " bytes placed"});
        }
    }
    nic.DestroyQueuePair(notice.dstQp);
}

const std::vector<Violation>&
FlowTeardown::GetViolations() const
{
    return m_violations;
}

} // namespace ns3::rdma
