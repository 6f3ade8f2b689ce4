// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-stacks.h"

#include "ns3/assert.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <type_traits>

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

HostSlabStack::HostSlabStack(PayloadMemory& memory, uint64_t address, uint32_t room)
    : m_memory(memory),
      m_address(address),
      m_room(room)
{
}

template <bool IS_WRITE, typename CODE>
void
HostSlabStack::Copy(uint32_t place,
                    CODE* codes,
                    uint32_t count,
                    bool isBackground,
                    KvAccesses* accesses)
{
    while (count > 0)
    {
        const uint32_t part = std::min(count, m_room - place);
        const uint64_t address = m_address + uint64_t{place} * SlabEntry::BYTES;
        const uint32_t bytes = part * SlabEntry::BYTES;
        // Hosts are little-endian, as is the machine of the simulation (boost::endian elsewhere).
        static_assert(boost::endian::order::native == boost::endian::order::little);
        if constexpr (IS_WRITE)
        {
            m_memory.Write(address, reinterpret_cast<const uint8_t*>(codes), bytes);
        }
        else
        {
            m_memory.Read(address, reinterpret_cast<uint8_t*>(codes), bytes);
        }
        if (accesses != nullptr)
        {
            accesses->push_back(
                {address, bytes, IS_WRITE, KvAccess::Cause::ALLOCATOR, isBackground});
        }
        place = 0;
        codes += part;
        count -= part;
    }
}

void
HostSlabStack::Count(const uint32_t* codes, uint32_t count, bool isAdded)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint64_t units = SlabEntry::Decode(codes[i]).CountUnits();
        m_units = isAdded ? m_units + units : m_units - units;
    }
    m_count = isAdded ? m_count + count : m_count - count;
}

void
HostSlabStack::PopLeft(uint32_t* codes, uint32_t count, bool isBackground, KvAccesses& accesses)
{
    NS_ASSERT_MSG(count <= m_count, "the stack has fewer entries");
    Copy<false>(m_left, codes, count, isBackground, &accesses);
    m_left = (m_left + count) % m_room;
    Count(codes, count, false);
}

void
HostSlabStack::PushLeft(const uint32_t* codes,
                        uint32_t count,
                        bool isBackground,
                        KvAccesses& accesses)
{
    NS_ASSERT_MSG(count <= m_room - m_count, "the stack is full");
    m_left = (m_left + m_room - count) % m_room;
    Copy<true>(m_left, codes, count, isBackground, &accesses);
    Count(codes, count, true);
}

std::vector<uint32_t>
HostSlabStack::PopRight(uint32_t count)
{
    NS_ASSERT_MSG(count <= m_count, "the stack has fewer entries");
    std::vector<uint32_t> codes(count);
    const auto place = static_cast<uint32_t>((uint64_t{m_left} + m_count - count) % m_room);
    Copy<false>(place, codes.data(), count, true, nullptr);
    Count(codes.data(), count, false);
    return codes;
}

void
HostSlabStack::PushRight(const std::vector<uint32_t>& codes)
{
    const auto count = static_cast<uint32_t>(codes.size());
    NS_ASSERT_MSG(count <= m_room - m_count, "the stack is full");
    const auto place = static_cast<uint32_t>((uint64_t{m_left} + m_count) % m_room);
    Copy<true>(place, codes.data(), count, true, nullptr);
    Count(codes.data(), count, true);
}

} // namespace ns3::rdma
