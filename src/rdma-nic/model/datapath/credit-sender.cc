// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-sender.h"

#include "ns3/policy-error.h"

namespace ns3::rdma
{

CreditSender::CreditSender(FabricCore& core, NicPorts& ports, Ptr<CreditScheduler> scheduler)
    : m_core(core),
      m_ports(ports),
      m_scheduler(scheduler),
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
    const bool isTrimmed = (frame.flags & frame_flag::TRIMMED) != 0;
    CallPolicy(*m_scheduler, "OnDemand()", [&] {
        m_scheduler->OnDemand(queuePair.number, frame.creditTarget, isTrimmed);
    });
    if (!m_isPausing)
    {
        m_isPausing = true;
        m_core.engine->Schedule(m_core.engine->Now(), FabricEngine::MakeOwner(m_target, 0), 0);
    }
}

void
CreditSender::Forget(const QueuePair& queuePair)
{
    CallPolicy(*m_scheduler, "Forget()", [&] { m_scheduler->Forget(queuePair.number); });
}

void
CreditSender::HandleEvent(uint32_t, uint32_t)
{
    m_isPausing = false;
    const auto grant =
        CallPolicy(*m_scheduler, "GetNext()", [&] { return m_scheduler->GetNext(); });
    if (!grant)
    {
        return;
    }
    const Tick pause = ToTick(grant->pause);
    if (pause <= 0)
    {
        FailPolicy(*m_scheduler, "GetNext()", "a pause above zero", DescribeTick(pause));
    }
    if (const QueuePair* queuePair = m_ports.Find(m_ports.GetEndpoint(0), grant->queuePair))
    {
        m_ports.FindPath(*queuePair).SendCredit(*queuePair, grant->granted);
    }
    m_isPausing = true;
    m_core.engine->Schedule(m_core.engine->Now() + pause, FabricEngine::MakeOwner(m_target, 0), 0);
}

} // namespace ns3::rdma
