// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-reservation-station.h"

#include "ns3/assert.h"

namespace ns3::rdma
{

namespace
{
/// Copies bytes into reusable storage, and changes the view to the copy.
void
Keep(ByteView& view, std::vector<uint8_t>& storage)
{
    storage.assign(view.GetData(), view.GetData() + view.GetSize());
    view = ByteView(storage);
}
} // namespace

KvReservationStation::KvReservationStation(uint32_t slots, uint32_t entries)
    : m_slots(slots),
      m_capacity(entries)
{
    NS_ASSERT_MSG(slots > 0 && (slots & (slots - 1)) == 0, "slots are a power of two");
    // All operations and one write-back per slot: entries never move.
    m_entries.reserve(std::size_t{entries} + slots);
}

uint32_t
KvReservationStation::NewEntry()
{
    if (m_free.empty())
    {
        m_entries.emplace_back();
        return static_cast<uint32_t>(m_entries.size() - 1);
    }
    const uint32_t entry = m_free.back();
    m_free.pop_back();
    return entry;
}

uint32_t
KvReservationStation::Add(const KvOperation& operation, uint64_t tag, uint64_t hash)
{
    NS_ASSERT_MSG(HasRoom(), "the reservation station is full");
    ++m_used;
    const uint32_t number = NewEntry();
    KvEntry& entry = m_entries[number];
    entry.operation = operation;
    Keep(entry.operation.key, entry.key);
    Keep(entry.operation.operand, entry.operand);
    entry.answer.clear();
    entry.status = KvStatus::OK;
    entry.tag = tag;
    entry.slot = static_cast<uint32_t>(hash & (m_slots.size() - 1));
    entry.next = NONE;
    entry.isWriteBack = false;
    return number;
}

uint32_t
KvReservationStation::AddWriteBack(uint32_t slot)
{
    const uint32_t number = NewEntry();
    KvEntry& entry = m_entries[number];
    const Slot& of = m_slots[slot];
    entry.operation = {};
    entry.operation.opcode = KvOpcode::PUT;
    entry.operation.key = ByteView(of.key);
    entry.operation.operand = ByteView(of.value);
    Keep(entry.operation.key, entry.key);
    Keep(entry.operation.operand, entry.operand);
    entry.answer.clear();
    entry.status = KvStatus::OK;
    entry.tag = 0;
    entry.slot = slot;
    entry.next = NONE;
    entry.isWriteBack = true;
    return number;
}

void
KvReservationStation::Remove(uint32_t entry)
{
    m_used -= m_entries[entry].isWriteBack ? 0 : 1;
    m_free.push_back(entry);
}

void
KvReservationStation::Append(uint32_t entry)
{
    Slot& slot = m_slots[m_entries[entry].slot];
    (slot.last == NONE ? slot.first : m_entries[slot.last].next) = entry;
    slot.last = entry;
}

uint32_t
KvReservationStation::TakeFirst(uint32_t number)
{
    Slot& slot = m_slots[number];
    const uint32_t entry = slot.first;
    if (entry != NONE)
    {
        slot.first = m_entries[entry].next;
        slot.last = slot.first == NONE ? NONE : slot.last;
        m_entries[entry].next = NONE;
    }
    return entry;
}

void
KvReservationStation::TakeAtCursor(uint32_t number)
{
    Slot& slot = m_slots[number];
    const uint32_t entry = slot.cursor;
    const uint32_t next = m_entries[entry].next;
    (slot.previous == NONE ? slot.first : m_entries[slot.previous].next) = next;
    slot.last = slot.last == entry ? slot.previous : slot.last;
    slot.cursor = next;
    m_entries[entry].next = NONE;
}

} // namespace ns3::rdma
