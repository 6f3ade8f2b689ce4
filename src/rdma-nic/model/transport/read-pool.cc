// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/read-pool.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

ReadPool::ReadPool(std::shared_ptr<FabricEngine> engine, uint32_t capacity)
    : m_engine(std::move(engine)),
      m_capacity(capacity)
{
}

void
ReadPool::Take(Holder holder)
{
    NS_ASSERT_MSG(HasRoom(holder), "all entries are in use");
    if (m_kept.erase(holder) == 0)
    {
        ++m_used;
    }
}

void
ReadPool::Release(uint32_t entries)
{
    NS_ASSERT_MSG(entries <= m_used, "more than were taken");
    m_used -= entries;
    while (m_used < m_capacity && !m_line.empty())
    {
        const Waiting next = m_line.front();
        m_line.pop_front();
        m_areInLine.erase(next.holder);
        m_kept.insert(next.holder);
        ++m_used;
        m_engine->Schedule(m_engine->Now(), next.owner, next.queuePair);
    }
}

void
ReadPool::End(uint32_t entries)
{
    Release(entries);
}

void
ReadPool::OnPlaced(Tick)
{
}

bool
ReadPool::NeedsOnPlaced() const
{
    return false;
}

void
ReadPool::Wait(Holder holder, uint32_t owner, uint32_t queuePair)
{
    if (m_areInLine.insert(holder).second)
    {
        m_line.push_back({holder, owner, queuePair});
    }
}

void
ReadPool::Leave(Holder holder)
{
    if (m_areInLine.erase(holder) > 0)
    {
        m_line.erase(std::find_if(m_line.begin(), m_line.end(), [holder](const Waiting& waiting) {
            return waiting.holder == holder;
        }));
    }
    if (m_kept.erase(holder) > 0)
    {
        Release(1);
    }
}

PlacedReadPool::PlacedReadPool(std::shared_ptr<FabricEngine> engine, uint32_t capacity)
    : ReadPool(std::move(engine), capacity),
      m_target(GetEngine().Register(this))
{
}

PlacedReadPool::~PlacedReadPool()
{
    GetEngine().Unregister(m_target);
}

void
PlacedReadPool::End(uint32_t entries)
{
    // The path of the last packet's payload is known when the chip has handled that packet.
    GetEngine().Schedule(GetEngine().Now(), FabricEngine::MakeOwner(m_target, ARRIVED), entries);
}

void
PlacedReadPool::OnPlaced(Tick at)
{
    m_placedUntil = at;
}

bool
PlacedReadPool::NeedsOnPlaced() const
{
    return true;
}

void
PlacedReadPool::HandleEvent(uint32_t kind, uint32_t entries)
{
    if (kind == ARRIVED && m_placedUntil > GetEngine().Now())
    {
        GetEngine().Schedule(m_placedUntil, FabricEngine::MakeOwner(m_target, LEFT), entries);
        return;
    }
    Release(entries);
}

} // namespace ns3::rdma
