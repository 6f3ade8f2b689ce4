// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-returns.h"

#include "ns3/nic-ports.h"
#include "ns3/policy-error.h"

#include <string>

namespace ns3::rdma
{

PortReturns::PortReturns(FabricCore& core, const QueuePairTable& table, NicPorts& ports)
    : m_core(core),
      m_table(table),
      m_ports(ports),
      m_up(ports.GetStates().up),
      m_target(core.engine->Register(this))
{
}

PortReturns::~PortReturns()
{
    m_core.engine->Unregister(m_target);
}

PortReturns::State&
PortReturns::GetState(const QueuePair& queuePair)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    if (place >= m_states.size())
    {
        m_states.resize(place + 1);
    }
    return m_states[place];
}

void
PortReturns::Add(const QueuePair& queuePair)
{
    GetState(queuePair) = {queuePair.GetPort(), TICK_NEVER};
}

void
PortReturns::OnLeft(const QueuePair& queuePair)
{
    const uint32_t begin = GetState(queuePair).begin;
    if (queuePair.GetPort() != begin && m_ports.GetStates().IsUp(begin))
    {
        Expect(queuePair, ReturnCause::RETRY);
    }
}

void
PortReturns::OnLinkChange()
{
    const uint64_t up = m_ports.GetStates().up;
    const uint64_t cameUp = up & ~m_up;
    m_up = up;
    if (cameUp == 0)
    {
        return;
    }
    for (const uint32_t number : m_table.GetNumbers())
    {
        const QueuePair& queuePair = *m_table.Find(number);
        const uint32_t begin = GetState(queuePair).begin;
        if (queuePair.GetPort() != begin && ((cameUp >> begin) & 1) != 0)
        {
            Expect(queuePair, ReturnCause::LINK_UP);
        }
    }
}

void
PortReturns::Expect(const QueuePair& queuePair, ReturnCause cause)
{
    const PathSelector& selector = m_ports.GetSelector();
    const auto delay =
        CallPolicy(selector, "GetReturnDelay()", [&] { return selector.GetReturnDelay(cause); });
    if (!delay)
    {
        return;
    }
    if (delay->IsStrictlyNegative())
    {
        FailPolicy(selector,
                   "GetReturnDelay()",
                   "a time of 0 or more",
                   std::to_string(delay->GetNanoSeconds()) + " ns");
    }
    const Tick returnAt = m_core.engine->Now() + ToTick(*delay);
    GetState(queuePair).returnAt = returnAt;
    m_core.engine->Schedule(returnAt, FabricEngine::MakeOwner(m_target, 0), queuePair.GetNumber());
}

void
PortReturns::HandleEvent(uint32_t, uint32_t number)
{
    QueuePair* queuePair = m_table.Find(number);
    if (!queuePair || GetState(*queuePair).returnAt != m_core.engine->Now())
    {
        return; // Destroyed, or expected at another time by now.
    }
    State& state = GetState(*queuePair);
    state.returnAt = TICK_NEVER;
    if (queuePair->GetPort() != state.begin && m_ports.GetStates().IsUp(state.begin))
    {
        m_ports.MoveTo(*queuePair, state.begin);
    }
}

} // namespace ns3::rdma
