// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EVENT_CALENDAR_H
#define RDMA_EVENT_CALENDAR_H

#include "ns3/tick.h"

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
 * Order never depends on who pushed first in the whole simulation, only on (time, owner, order
 * within the owner): results are the same however the owners are spread over processes.
 */
class EventCalendar
{
  public:
    /**
     * @param slotShift a slot is 2^slotShift picoseconds
     * @param slotCount power of two, at least 64
     */
    explicit EventCalendar(uint32_t slotShift = 10, uint32_t slotCount = 8192);

    /// @param event not earlier than the last one popped
    void Push(const EventRecord& event)
    {
        const int64_t slot = event.time >> m_slotShift;
        const int64_t ahead = slot - m_current;
        if (ahead > 0 && ahead < static_cast<int64_t>(m_slots.size()))
        {
            PushToSlot(slot, event);
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
        if (m_read == m_sorted->size() && !Advance())
        {
            return false;
        }
        event = (*m_sorted)[m_read++];
        return true;
    }

    /// @return the record that is so many places after the next one, null if its slot ends before.
    const EventRecord* Peek(std::size_t ahead) const
    {
        const std::size_t place = m_read + ahead;
        return place < m_sorted->size() ? &(*m_sorted)[place] : nullptr;
    }

    bool IsEmpty() const;

  private:
    struct FarRecord
    {
        EventRecord event;
        uint64_t sequence; ///< A heap is not stable: order of pushing, explicitly.
    };

    void PushToSlot(int64_t slot, const EventRecord& event)
    {
        const auto index = static_cast<uint32_t>(slot) & m_mask;
        m_slots[index].push_back(event);
        m_used[index >> 6] |= uint64_t{1} << (index & 63);
    }

    void PushElsewhere(const EventRecord& event, int64_t ahead);
    bool Advance();               ///< Makes the next slot in use current; false if none.
    int64_t FindNextUsed() const; ///< @return absolute slot number, -1 if the ring is empty.
    void MoveFarEventsInto(int64_t current);
    static void Sort(std::vector<EventRecord>& events);
    static bool IsLater(const FarRecord& left, const FarRecord& right);

    uint32_t m_slotShift;
    uint32_t m_mask;                               ///< Slot count - 1.
    int64_t m_current{0};                          ///< Absolute number of the current slot.
    std::vector<EventRecord>* m_sorted;            ///< The current slot.
    std::size_t m_read{0};                         ///< Next record of the current slot.
    std::vector<std::vector<EventRecord>> m_slots; ///< By absolute number modulo count.
    std::vector<uint64_t> m_used;                  ///< One bit per slot that holds records.
    std::vector<FarRecord> m_far;                  ///< Heap, earliest on top.
    uint64_t m_farSequence{0};
};

} // namespace ns3::rdma

#endif // RDMA_EVENT_CALENDAR_H
