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
IsBefore(const TeardownNotice& left, const TeardownNotice& right)
{
    return left.at != right.at ? left.at < right.at : left.flow < right.flow;
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
    // Nearly all notices take the same time, and so arrive in the order in which they are sent.
    const bool isLast = m_notices.empty() || IsBefore(m_notices.back(), notice);
    m_notices.insert(isLast
                         ? m_notices.end()
                         : std::upper_bound(m_notices.begin(), m_notices.end(), notice, IsBefore),
                     notice);
    m_engine.Schedule(notice.at, FabricEngine::MakeOwner(m_target, 0), 0);
}

void
FlowTeardown::HandleEvent(uint32_t, uint32_t)
{
    while (!m_notices.empty() && m_notices.front().at <= m_engine.Now())
    {
        const TeardownNotice notice = m_notices.front();
        m_notices.pop_front();
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
