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
    uint32_t owner;    ///< Target and kind of event (FabricEngine::MakeOwner); breaks ties of time.
    uint32_t argument; ///< Its meaning is defined by the target, for example the index of a frame.
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
 * A ring of slots holds the near events unsorted; each slot covers a short interval, and is sorted
 * shortly before that interval begins.  Events beyond the ring are in a heap.  When the ring
 * advances, they move to its new slots before another event can be pushed there, so that equal
 * events keep the order of pushing.  A bitmap finds the next slot in use.
 *
 * Peek() gives access to the next LOOKAHEAD events, also across two adjacent slots in use, so that
 * the memory that they need can be prefetched.  The records of a slot are prefetched while events
 * of earlier slots are popped.
 *
 * A slot is a list of blocks of two cache lines.  Free blocks are kept in one stack, so that the
 * memory in use depends on the number of pending events, not on the length of the ring.
 *
 * The order of execution depends only on time, owner and the order of pushing within one owner.
 * Results are therefore the same for every distribution of owners over processes.
 */
class EventCalendar
{
  public:
    /// Number of next events that are kept in order if the slots in use are adjacent.
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
     * @brief Removes the earliest event.
     * @param[out] event unchanged if there is none
     * @return whether there was one
     */
    bool Pop(EventRecord& event)
    {
        return PopBefore(TICK_NEVER, event);
    }

    /**
     * @brief Removes the earliest event if it is before a limit.
     *
     * In both cases, events at the limit and later may still be pushed.
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

    /// @return the number of next events that are in order: Peek() gives access to them.
    std::ptrdiff_t GetInOrder() const
    {
        return m_end - m_next;
    }

    /// @param ahead position after the next event, less than GetInOrder()
    const EventRecord& Peek(std::ptrdiff_t ahead) const
    {
        return m_next[ahead];
    }

    /// @return the time of the earliest event; TICK_NEVER if there is none.
    Tick GetNextTime() const;

    bool IsEmpty() const;

  private:
    /// A record in a slot, with its time relative to the slot.
    struct Packed
    {
        uint32_t sinceStart; ///< Picoseconds since the start of the slot.
        uint32_t owner;
        uint32_t argument;
    };

    static constexpr uint32_t BLOCK_RECORDS{10};
    static constexpr uint32_t NO_BLOCK{0};
    static constexpr uint32_t RANKED{60}; ///< Most events of a slot that are sorted by rank.
    static constexpr std::size_t LINE{64};
    /// After this number of popped events, the remaining events in order, mostly LOOKAHEAD, move to
    /// the front of their memory: 4 KiB stay in the cache.
    static constexpr std::ptrdiff_t REUSED{256};

    /// Part of a slot: two cache lines.
    struct alignas(2 * LINE) Block
    {
        uint32_t older; ///< The block of the same slot that was filled before this one.
        uint32_t count;
        Packed records[BLOCK_RECORDS];
    };

    struct FarRecord
    {
        EventRecord event;
        uint64_t sequence; ///< Order of pushing: a heap alone is not stable.
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

    /// Adds the next slot to the events in order, if it is in use.
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
    /// Makes the next slot in use current; false if it starts at the limit or later.
    bool Advance(Tick limit);
    void MakeCurrent(int64_t slot);
    int64_t FindNextUsed() const; ///< @return absolute slot number, -1 if the ring is empty.
    void MoveFarEvents();
    void MakeRoom(std::size_t count); ///< Makes room for further events in order.
    void MoveToFront();               ///< Moves the events in order over those already popped.
    void TakeSlot(uint32_t place);    ///< Appends the slot's records to the events in order.
    uint32_t CountRecords(uint32_t newest) const; ///< Counts the records of a list of blocks.
    void CopyRecords(uint32_t newest, EventRecord* to, uint32_t count) const;
    void RankRecords(uint32_t newest, EventRecord* to, uint32_t count) const;
    static void Sort(EventRecord* first, EventRecord* last);
    /// Range is already sorted by time.
    static void SortOwners(EventRecord* first, EventRecord* last);
    static void Insert(EventRecord* first, EventRecord* next); ///< [first, next) is in order.
    static bool IsLater(const FarRecord& left, const FarRecord& right);

    uint32_t m_slotShift;
    uint64_t m_slotMask;          ///< Length of a slot in picoseconds, minus 1.
    int64_t m_mask;               ///< Number of slots, minus 1.
    int64_t m_current{0};         ///< Absolute number of the last slot whose events are in order.
    EventRecord* m_next{nullptr}; ///< The next event, in m_sorted.
    EventRecord* m_end{nullptr};  ///< One past the last event in order, in m_sorted.
    uint32_t m_fetched{NO_BLOCK}; ///< The block of the next slot that was prefetched last.
    /// Events in order: of m_current and earlier slots. Never shrinks.
    std::vector<EventRecord> m_sorted;
    std::vector<uint32_t> m_newest; ///< By position in the ring: the block to append to.
    std::vector<Block> m_blocks;    ///< Block 0 is unused: NO_BLOCK.
    uint32_t m_freeBlock{NO_BLOCK}; ///< Top of the stack of free blocks, linked by Block::older.
    /// One bit per position in the ring: set if the slot holds records.
    std::vector<uint64_t> m_used;
    std::vector<FarRecord> m_far; ///< Heap, earliest on top.
    uint64_t m_farSequence{0};
};

} // namespace ns3::rdma

#endif // RDMA_EVENT_CALENDAR_H
