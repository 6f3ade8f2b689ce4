// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EVENT_CALENDAR_H
#define RDMA_EVENT_CALENDAR_H

#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// One pending event, 16 bytes: target, argument and time.
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
 * when its time has nearly come.  Events beyond the ring wait in a heap and move over as the ring
 * advances, before anything else can be pushed for the same stretch, so that the order among equals
 * stays the order of pushing.  A bitmap finds the next slot in use.
 *
 * The coming LOOKAHEAD events can be seen with Peek(), across the border of two slots in use, so
 * that what they need can be fetched from memory in time; a slot's own records are fetched while
 * the slots before it are emptied.
 *
 * A slot is a list of blocks of two cache lines, taken from and given back to one stack: the memory
 * in use is that of the events under way, however long the ring is.
 *
 * Order never depends on the order of pushes in the whole simulation, only on (time, owner, order
 * within the owner): results are the same however the owners are spread over processes.
 */
class EventCalendar
{
  public:
    /// How many coming events are in order, if the slots in use are close to each other.
    static constexpr std::ptrdiff_t LOOKAHEAD{16};

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
        return PopBefore(TICK_NEVER, event);
    }

    /**
     * @brief Takes the earliest event out if it is before a limit.
     *
     * Whatever the answer, events of the limit and later may still be pushed.
     */
    bool PopBefore(Tick limit, EventRecord& event)
    {
        if (m_next == m_end && !Advance(limit))
        {
            return false;
        }
        if (m_next->time >= limit)
        {
            return false;
        }
        event = *m_next++;
        if (m_end - m_next < LOOKAHEAD)
        {
            LookAhead();
        }
        if (m_fetched != NO_BLOCK)
        {
            FetchOlder();
        }
        return true;
    }

    /// @return how many of the coming events are in order: they can be seen with Peek().
    std::ptrdiff_t GetInOrder() const
    {
        return m_end - m_next;
    }

    /// @return the event so many places after the next. @param ahead less than GetInOrder()
    const EventRecord& Peek(std::ptrdiff_t ahead) const
    {
        return m_next[ahead];
    }

    /// @return when the earliest event comes; TICK_NEVER if there is none.
    Tick GetNextTime() const;

    bool IsEmpty() const;

  private:
    /// A record within its slot.
    struct Packed
    {
        uint32_t sinceStart; ///< Of the slot.
        uint32_t owner;
        uint32_t argument;
    };

    static constexpr uint32_t BLOCK_RECORDS{10};
    static constexpr uint32_t NO_BLOCK{0};
    static constexpr uint32_t RANKED{60}; ///< Up to so many events of a slot are sorted by rank.
    static constexpr std::size_t LINE{64};
    /// After so many events the memory of those in order is used again: 4 KiB stay in the cache.
    /// What moves is short then, LOOKAHEAD events mostly.
    static constexpr std::ptrdiff_t REUSED{256};

    /// Part of a slot: two cache lines.
    struct alignas(2 * LINE) Block
    {
        uint32_t older; ///< Block of the same slot that was filled before.
        uint32_t count;
        Packed records[BLOCK_RECORDS];
    };

    struct FarRecord
    {
        EventRecord event;
        uint64_t sequence; ///< A heap is not stable: order of pushing, explicitly.
    };

    void PushToSlot(uint32_t place, const EventRecord& event)
    {
        uint32_t newest = m_newest[place];
        if (newest == NO_BLOCK || m_blocks[newest].count == BLOCK_RECORDS)
        {
            newest = AddBlock(place);
        }
        Block& block = m_blocks[newest];
        block.records[block.count++] = {
            static_cast<uint32_t>(static_cast<uint64_t>(event.time) & m_slotMask),
            event.owner,
            event.argument};
    }

    bool IsUsed(uint32_t place) const
    {
        return ((m_used[place >> 6] >> (place & 63)) & 1) != 0;
    }

    /// The next slot joins the events in order, if it is in use: others come in time.
    void LookAhead()
    {
        if (IsUsed(static_cast<uint32_t>(m_current + 1) & static_cast<uint32_t>(m_mask)))
        {
            MakeCurrent(m_current + 1);
        }
    }

    void FetchOlder()
    {
        m_fetched = m_blocks[m_fetched].older;
        Fetch();
    }

    [[gnu::always_inline]] void Fetch() const
    {
        __builtin_prefetch(&m_blocks[m_fetched]);
        __builtin_prefetch(&m_blocks[m_fetched].records[BLOCK_RECORDS - 1]);
    }

    uint32_t AddBlock(uint32_t place);
    void PushElsewhere(const EventRecord& event, int64_t ahead);
    bool Advance(Tick limit); ///< Makes the next slot in use current; false if none before it.
    void MakeCurrent(int64_t slot);
    int64_t FindNextUsed() const; ///< @return absolute slot number, -1 if the ring is empty.
    void MoveFarEvents();
    void MakeRoom(std::size_t count);             ///< For so many more events in order.
    void MoveToFront();                           ///< The events in order, over those handled.
    void TakeSlot(uint32_t place);                ///< Moves its records behind those in order.
    uint32_t CountRecords(uint32_t newest) const; ///< Of a list of blocks.
    void CopyRecords(uint32_t newest, EventRecord* to, uint32_t count) const;
    void RankRecords(uint32_t newest, EventRecord* to, uint32_t count) const;
    static void Sort(EventRecord* first, EventRecord* last);
    static void SortOwners(EventRecord* first, EventRecord* last); ///< @param first by time already
    static void Insert(EventRecord* first, EventRecord* next); ///< @param first in order up to next
    static bool IsLater(const FarRecord& left, const FarRecord& right);

    uint32_t m_slotShift;
    uint64_t m_slotMask;          ///< Picoseconds of a slot - 1.
    int64_t m_mask;               ///< Slot count - 1.
    int64_t m_current{0};         ///< Absolute number of the last slot whose events are in order.
    EventRecord* m_next{nullptr}; ///< In m_sorted.
    EventRecord* m_end{nullptr};  ///< Likewise: one past the last event in order.
    uint32_t m_fetched{NO_BLOCK}; ///< Block of the coming slot that was fetched last.
    std::vector<EventRecord>
        m_sorted; ///< Only ever grows. Events in order: those of m_current and before.
    std::vector<uint32_t> m_newest; ///< By place in the ring: the block to append to.
    std::vector<Block> m_blocks;    ///< The first is never used.
    uint32_t m_freeBlock{NO_BLOCK}; ///< Stack, linked by Block::older.
    std::vector<uint64_t> m_used;   ///< One bit per place that holds records.
    std::vector<FarRecord> m_far;   ///< Heap, earliest on top.
    uint64_t m_farSequence{0};
};

} // namespace ns3::rdma

#endif // RDMA_EVENT_CALENDAR_H
