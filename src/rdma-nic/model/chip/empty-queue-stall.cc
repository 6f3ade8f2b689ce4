// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/empty-queue-stall.h"

#include "ns3/log.h"
#include "ns3/opcode.h"

#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("EmptyQueueStall");

EmptyQueueStall::EmptyQueueStall(FabricCore& core,
                                 const QueuePairTable& table,
                                 NicHardware& hardware,
                                 Handler handler)
    : m_core(core),
      m_table(table),
      m_wqes(hardware.GetReceiveWqeCache()),
      m_handler(std::move(handler)),
      m_timeout(m_wqes.GetEmptyTimeout()),
      m_target(core.engine->Register(this))
{
}

EmptyQueueStall::~EmptyQueueStall()
{
    m_core.engine->Unregister(m_target);
}

bool
EmptyQueueStall::LacksRequest(FrameIndex index) const
{
    const Frame& frame = m_core.pool[index];
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool takesRequest = (info.kind == OpcodeKind::SEND && info.isFirst) ||
                              (info.kind == OpcodeKind::WRITE && info.hasImmediate);
    if (!takesRequest || opcode::GetService(frame.opcode) == Service::RC)
    {
        return false;
    }
    const QueuePair* queuePair = m_table.Find(frame.dstQp);
    if (!queuePair || !queuePair->HasSetup())
    {
        return false; // It has been destroyed or was never connected: the transport drops it.
    }
    const Ptr<ReceiveQueue>& queue = queuePair->GetSetup().receiveQueue;
    return queue && queue->IsEmpty();
}

bool
EmptyQueueStall::Hold(FrameIndex index)
{
    if (m_held.empty())
    {
        if (!LacksRequest(index))
        {
            return false;
        }
        NS_LOG_INFO("endpoint " << m_core.pool[index].dst << ", queue pair "
                                << m_core.pool[index].dstQp << ": no receive request for PSN "
                                << m_core.pool[index].psn << ", arriving packets are held");
        Begin(m_core.engine->Now());
    }
    m_held.push_back(index);
    return true;
}

void
EmptyQueueStall::Begin(Tick now)
{
    m_wqes.CountWait();
    m_since = now;
    LookAgain(now);
}

void
EmptyQueueStall::LookAgain(Tick now)
{
    m_core.engine->Schedule(m_wqes.Look(now), FabricEngine::MakeOwner(m_target, 0), 0);
}

void
EmptyQueueStall::Release()
{
    const FrameIndex index = m_held.front();
    m_held.pop_front();
    m_handler(index);
}

void
EmptyQueueStall::HandleEvent(uint32_t, uint32_t)
{
    const Tick now = m_core.engine->Now();
    if (LacksRequest(m_held.front()))
    {
        if (now - m_since < m_timeout)
        {
            LookAgain(now);
            return;
        }
        m_wqes.CountTimeout();
    }
    Release();
    while (!m_held.empty())
    {
        if (LacksRequest(m_held.front()))
        {
            Begin(now);
            return;
        }
        Release();
    }
}

} // namespace ns3::rdma
