// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-slab-stack.h"

#include "ns3/assert.h"

namespace ns3::rdma
{

NicSlabStack::NicSlabStack(uint32_t type)
    : m_type(type)
{
}

uint32_t
NicSlabStack::Pop()
{
    if (!IsOpen())
    {
        NS_ASSERT_MSG(m_count > 0, "the stack is empty");
        const SlabEntry entry = SlabEntry::Decode(m_ring[m_left++]);
        --m_count;
        m_openUnit = entry.unit;
        m_openEnd = entry.unit + entry.CountUnits();
    }
    const uint32_t unit = m_openUnit;
    m_openUnit += 1U << m_type;
    return unit;
}

void
NicSlabStack::Push(const SlabEntry& entry)
{
    NS_ASSERT_MSG(m_count < ROOM, "the stack is full");
    m_ring[--m_left] = entry.Encode();
    ++m_count;
}

void
NicSlabStack::PopRight(uint32_t* codes, uint32_t count)
{
    NS_ASSERT_MSG(count <= m_count, "the stack has fewer entries");
    m_count -= count;
    for (uint32_t i = 0; i < count; ++i)
    {
        codes[i] = m_ring[static_cast<uint8_t>(m_left + m_count + i)];
    }
}

void
NicSlabStack::PushRight(const uint32_t* codes, uint32_t count)
{
    NS_ASSERT_MSG(count <= ROOM - m_count, "the stack is full");
    for (uint32_t i = 0; i < count; ++i)
    {
        m_ring[static_cast<uint8_t>(m_left + m_count + i)] = codes[i];
    }
    m_count += count;
}

void
NicSlabStack::Close()
{
    while (IsOpen())
    {
        const SlabEntry entry = SlabEntry::Largest(m_openUnit, m_openEnd, SlabEntry::MAX_TYPE);
        Push(entry);
        m_openUnit += entry.CountUnits();
    }
}

uint64_t
NicSlabStack::GetSlabBytes() const
{
    uint64_t units = m_openEnd - m_openUnit;
    for (uint32_t i = 0; i < m_count; ++i)
    {
        units += SlabEntry::Decode(m_ring[static_cast<uint8_t>(m_left + i)]).CountUnits();
    }
    return units * SlabEntry::UNIT_BYTES;
}

} // namespace ns3::rdma
