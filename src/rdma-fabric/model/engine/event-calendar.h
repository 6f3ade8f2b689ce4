// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EVENT_CALENDAR_H
#define RDMA_EVENT_CALENDAR_H

#include "ns3/tick.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// One pending event, 16 bytes: who is to be told what, and when.
struct EventRecord
{
    Tick time;
    uint32_t owner; ///< Receiver and kind of event (FabricEngine::MakeOwner); breaks ties of time.
    uint32_t argument; ///< Meaning is the receiver's, e.g. the index of a frame.
};

/// Order of execution; equal records keep the order in which they were pushed.
inline bool
operator<(const EventRecord& left, const EventRecord& right)
{
    return left.time != right.time ? left.time < right.time : left.owner < right.owner;
}

/**
 * @ingroup rdma-engine
 * @brief Calendar queue of plain records (Brown 1988, "Calendar Queues").
 *
 * A ring of slots, each a short stretch of time, holds the near events unsorted; a slot is sorted
 * when it becomes current.  Events beyond the ring wait in a heap and move over as the ring
 * advances, before anything else can be pushed for the same stretch, so that the order among equals
 * stays the order of pushing.  A bitmap finds the next slot in use.
 *
 * A slot is a list of cache lines with three records each, taken from and given back to one stack:
 * the memory in use is that of the events under way, however long the ring is.
 *
 * Order never depends on who pushed first in the whole simulation, only on (time, owner, order
 * within the owner): results are the same however the owners are spread over processes.
 */
class EventCalendar
{
  public:
    /**
     * @param slotShift a slot is 2^slotShift picoseconds; at most 31
     * @param slotCount power of two, at least 64
     */
    explicit EventCalendar(uint32_t slotShift = 10, uint32_t slotCount = 8192);

    /// @param event not earlier than the last one popped
    void Push(const EventRecord& event)
    {
        const int64_t slot = event.time >> m_slotShift;
        const int64_t ahead = slot - m_current;
        if (ahead > 0 && ahead <= m_mask)
        {
            PushToSlot(static_cast<uint32_t>(slot) & static_cast<uint32_t>(m_mask), event);
        }
        else
        {
            PushElsewhere(event, ahead);
        }
    }

    /**
     * @brief Takes the earliest event out.
     * @param[out] event left alone if there is none
     * @return whether there was one
     */
    bool Pop(EventRecord& event)
    {
        if (m_read == m_count && !Advance())
        {
            return false;
        }
        event = Unpack(m_sorted[m_read++]);
        return true;
    }

    /// @return whether the event popped last was the first of its slot.
    bool IsAtSlotStart() const
    {
        return m_read == 1;
    }

    /// @param[out] event the one so many places after the next, left alone if the slot ends before
    bool Peek(std::size_t ahead, EventRecord& event) const
    {
        if (m_read + ahead >= m_count)
        {
            return false;
        }
        event = Unpack(m_sorted[m_read + ahead]);
        return true;
    }

    bool IsEmpty() const;

  private:
    /// A record within its slot: one comparison orders it.
    struct Packed
    {
        uint64_t key; ///< Time since the start of the slot, 32 bits, then owner.
        uint32_t argument;
    };

    static constexpr uint32_t LINE_RECORDS{3};
    static constexpr uint32_t NO_LINE{0};
    static constexpr uint32_t SLOT_PARTS{32}; ///< A slot is split into these before it is sorted.

    /// Part of a slot: one cache line.
    struct alignas(64) Line
    {
        Packed records[LINE_RECORDS];
        uint32_t older; ///< Line of the same slot that was filled before.
        uint32_t count;
    };

    struct FarRecord
    {
        EventRecord event;
        uint64_t sequence; ///< A heap is not stable: order of pushing, explicitly.
    };

    Packed Pack(const EventRecord& event) const
    {
        const auto sinceStart = static_cast<uint64_t>(event.time) & m_slotMask;
        return {(sinceStart << 32) | event.owner, event.argument};
    }

    EventRecord Unpack(const Packed& packed) const
    {
        return {m_slotStart + static_cast<Tick>(packed.key >> 32),
                static_cast<uint32_t>(packed.key),
                packed.argument};
    }

    void PushToSlot(uint32_t place, const EventRecord& event)
    {
        uint32_t& newest = m_newest[place];
        if (newest == NO_LINE || m_lines[newest].count == LINE_RECORDS)
        {
            AddLine(place);
        }
        Line& line = m_lines[newest];
        line.records[line.count++] = Pack(event);
    }

    /// @return which part of its slot a record lies in.
    uint32_t GetPart(const Packed& packed) const
    {
        return static_cast<uint32_t>((packed.key >> 32) * SLOT_PARTS >> m_slotShift);
    }

    void AddLine(uint32_t place);
    void PushElsewhere(const EventRecord& event, int64_t ahead);
    bool Advance();               ///< Makes the next slot in use current; false if none.
    int64_t FindNextUsed() const; ///< @return absolute slot number, -1 if the ring is empty.
    void MoveFarEventsInto(int64_t current);
    void TakeSlot(uint32_t place); ///< Moves its records to m_sorted, in order of pushing.
    void Sort();
    static bool IsLater(const FarRecord& left, const FarRecord& right);

    uint32_t m_slotShift;
    uint64_t m_slotMask;            ///< Picoseconds of a slot - 1.
    int64_t m_mask;                 ///< Slot count - 1.
    int64_t m_current{0};           ///< Absolute number of the current slot.
    Tick m_slotStart{0};            ///< Of the current slot.
    std::size_t m_read{0};          ///< Next record of m_sorted.
    std::size_t m_count{0};         ///< Records of m_sorted, which only ever grows.
    std::vector<Packed> m_sorted;   ///< The current slot.
    std::vector<uint32_t> m_newest; ///< By place in the ring: the line to append to.
    std::vector<Line> m_lines;      ///< The first is never used.
    uint32_t m_freeLine{NO_LINE};   ///< Stack, linked by Line::older.
    std::vector<uint64_t> m_used;   ///< One bit per place that holds records.
    std::vector<FarRecord> m_far;   ///< Heap, earliest on top.
    uint64_t m_farSequence{0};
};

} // namespace ns3::rdma

#endif // RDMA_EVENT_CALENDAR_H
