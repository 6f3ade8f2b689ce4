// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-sender.h"

#include "ns3/credit-account.h"
#include "ns3/policy-error.h"

#include <algorithm>

namespace ns3::rdma
{

CreditSender::CreditSender(FabricCore& core,
                           NicPorts& ports,
                           Ptr<CreditScheduler> scheduler,
                           uint64_t windowBytes)
    : m_core(core),
      m_ports(ports),
      m_scheduler(scheduler),
      m_windowUnits(static_cast<uint32_t>(windowBytes / CREDIT_UNIT)),
      m_target(core.engine->Register(this))
{
}

CreditSender::~CreditSender()
{
    m_core.engine->Unregister(m_target);
}

void
CreditSender::OnPacket(const QueuePair& queuePair, const Frame& frame)
{
    CreditDemand demand{};
    demand.queuePair = queuePair.GetNumber();
    demand.target = frame.creditTarget;
    demand.isTrimmed = (frame.flags & frame_flag::TRIMMED) != 0;
    demand.isLastHop = (frame.flags & frame_flag::LAST_HOP) != 0;
    demand.isMarked = (frame.flags & frame_flag::CE) != 0;
    demand.now = ToTime(m_core.engine->Now());
    Credit& credit = m_credits[queuePair.GetNumber()];
    if (static_cast<int32_t>(frame.creditTarget - credit.target) > 0)
    {
        credit.target = frame.creditTarget;
    }
    m_idleGrants = 0;
    CallPolicy(*m_scheduler, "OnDemand()", [&] { m_scheduler->OnDemand(demand); });
    if (!m_isPausing)
    {
        m_isPausing = true;
        m_core.engine->Schedule(m_core.engine->Now(), FabricEngine::MakeOwner(m_target, 0), 0);
    }
}

void
CreditSender::Forget(const QueuePair& queuePair)
{
    m_credits.erase(queuePair.GetNumber());
    CallPolicy(*m_scheduler, "Forget()", [&] { m_scheduler->Forget(queuePair.GetNumber()); });
}

void
CreditSender::Check(const CreditGrant& grant)
{
    constexpr Tick LONGEST{1'000'000'000'000}; // 1 s.
    const auto fail = [this](const std::string& expected, const std::string& got) {
        FailPolicy(*m_scheduler, "GetNext()", expected, got);
    };
    const Tick pause = ToTick(grant.pause);
    if (pause <= 0 || pause > LONGEST)
    {
        fail("a pause above zero and at most 1 s", DescribeTick(pause));
    }
    const std::string sender = "queue pair " + std::to_string(grant.queuePair);
    const auto found = m_credits.find(grant.queuePair);
    if (found == m_credits.end())
    {
        fail("a queue pair that has asked for credit", sender);
    }
    Credit& credit = found->second;
    const auto growth = static_cast<int32_t>(grant.granted - credit.granted);
    if (growth < 0)
    {
        fail("for " + sender + " at least " + std::to_string(credit.granted) + " units, as before",
             std::to_string(grant.granted));
    }
    const auto ahead = static_cast<int32_t>(credit.granted - credit.target);
    m_idleGrants += growth == 0 || ahead > static_cast<int32_t>(m_windowUnits);
    if (m_idleGrants > 2 * m_credits.size())
    {
        fail("after a demand at most two grants per queue pair that has all it needs", "one more");
    }
    credit.granted = grant.granted;
}

void
CreditSender::HandleEvent(uint32_t, uint32_t)
{
    m_isPausing = false;
    const Time now = ToTime(m_core.engine->Now());
    const auto grant =
        CallPolicy(*m_scheduler, "GetNext()", [&] { return m_scheduler->GetNext(now); });
    if (!grant)
    {
        return;
    }
    Check(*grant);
    const Tick pause = ToTick(grant->pause);
    if (const QueuePair* queuePair = m_ports.Find(m_ports.GetEndpoint(0), grant->queuePair))
    {
        m_ports.FindPath(*queuePair).SendCredit(*queuePair, grant->granted);
    }
    m_isPausing = true;
    m_core.engine->Schedule(m_core.engine->Now() + pause, FabricEngine::MakeOwner(m_target, 0), 0);
}

} // namespace ns3::rdma
