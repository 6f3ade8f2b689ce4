// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EVENT_CALENDAR_H
#define RDMA_EVENT_CALENDAR_H

#include "ns3/event-record.h"
#include "ns3/far-events.h"
#include "ns3/key-ranks.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Calendar queue of plain records (Brown 1988, "Calendar Queues").
 *
 * A ring of slots holds the near events unsorted; each slot covers a short interval, and is sorted
 * shortly before that interval begins.  Later events are in FarEvents, whose buckets are an eighth
 * of the ring.  The ring takes events up to the end of a bucket.  When it advances, the next bucket
 * moves to its slots before another event can be pushed there, so that equal events keep the order
 * of pushing.  A bitmap finds the next slot in use.
 *
 * Peek() gives access to the next LOOKAHEAD events, also across two adjacent slots in use, so that
 * the memory that they need can be prefetched.  The records of a slot are prefetched while events
 * of the slot before it are popped.
 *
 * A slot is a list of blocks, mostly of one.  Free blocks are kept in one stack, so that the memory
 * in use depends on the number of pending events, not on the length of the ring.
 *
 * The order of execution depends only on time, owner and the order of pushing within one owner.
 * Results are therefore the same for every distribution of owners over processes.
 */
class EventCalendar
{
  public:
    /// Number of next events that Peek() gives access to.
    static constexpr std::ptrdiff_t LOOKAHEAD{16};

    /**
     * @param slotShift a slot is 2^slotShift picoseconds; at most 31
     * @param slotCount power of two, at least 64
     */
    explicit EventCalendar(uint32_t slotShift = 10, uint32_t slotCount = 8192);
    EventCalendar(EventCalendar&&) = default;
    EventCalendar& operator=(EventCalendar&&) = default;

    /// @param event not earlier than the last one popped
    void Push(const EventRecord& event)
    {
        if (!TryPush(event.time, event.owner, event.argument))
        {
            PushElsewhere(event);
        }
    }

    /// As Push(), in the usual case: the event is in the ring, and its slot has a block with a free
    /// record. @return false: nothing was done.
    [[gnu::always_inline]] bool TryPush(Tick time, uint32_t owner, uint32_t argument)
    {
        const int64_t slot = time >> m_slotShift;
        if (static_cast<uint64_t>(slot - m_firstOpen) >= m_openCount)
        {
            return false;
        }
        Block& block = m_blocks[m_newest[static_cast<uint32_t>(slot) & m_mask]];
        const uint32_t record = block.count;
        if (record == BLOCK_RECORDS)
        {
            return false;
        }
        block.count = record + 1;
        block.sinceStart[record] = static_cast<uint32_t>(static_cast<uint64_t>(time) & m_slotMask);
        block.subjects[record].owner = owner;
        block.subjects[record].argument = argument;
        return true;
    }

    /// TryPush() returns false from now on: for an engine whose events are kept elsewhere.
    void Close()
    {
        m_openCount = 0;
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
        // The last event in order is followed by a record of TICK_NEVER.
        if (m_next->time >= limit && !HasBefore(limit))
        {
            return false;
        }
        event = *m_next++;
        if (m_next >= m_lookAheadFrom)
        {
            LookAhead();
        }
        return true;
    }

    /**
     * @brief Reads an event that is to come.
     *
     * The next LOOKAHEAD events are in order if the slots in use are adjacent.  At a position
     * beyond the events in order is one that was popped before, or zeros.
     *
     * @param ahead position after the next event, less than LOOKAHEAD
     */
    const EventRecord& Peek(std::ptrdiff_t ahead) const
    {
        return m_next[ahead];
    }

    /// @return the time of the earliest event; TICK_NEVER if there is none.
    Tick GetNextTime() const;

    bool IsEmpty() const;

    /// @return whether a function is true for any pending event; it gets owner and argument.
    /// Searches all events.
    bool HasAny(const std::function<bool(uint32_t owner, uint32_t argument)>& isMatch) const;

  private:
    /// What an event is, without its time.
    struct Subject
    {
        uint32_t owner;
        uint32_t argument;
    };

    static constexpr uint32_t BLOCK_RECORDS{20}; ///< A multiple of KeyRanks::LANES.
    static constexpr uint32_t NO_BLOCK{0};
    static constexpr uint32_t RANKED_SHIFT{23}; ///< Of the longest slots that are sorted by rank.
    static constexpr std::size_t LINE{64};
    static constexpr std::size_t USUAL_LINES{3}; ///< Of a block: 13 records.
    /// After this number of popped events, the remaining events in order, mostly LOOKAHEAD, move to
    /// the front of their memory: 4 KiB stay in the cache.
    static constexpr std::ptrdiff_t REUSED{256};

    /// Part of a slot: four cache lines.
    struct alignas(4 * LINE) Block
    {
        uint32_t older; ///< The block of the same slot that was filled before this one.
        uint32_t count;
        /// Picoseconds since the start of the slot.
        alignas(sizeof(KeyRanks::Vector)) uint32_t sinceStart[BLOCK_RECORDS];
        Subject subjects[BLOCK_RECORDS];
    };

    static_assert(sizeof(Block) == 4 * LINE, "a block fills its cache lines");

    /// @return whether there is an event before the limit; the events in order may have ended.
    bool HasBefore(Tick limit);

    /// Sets the end of the events in order.
    void SetEnd(EventRecord* end)
    {
        m_end = end;
        m_end->time = TICK_NEVER;
        const std::ptrdiff_t count = m_end - m_sorted.data();
        m_lookAheadFrom = m_end - std::min(LOOKAHEAD - 1, count);
    }

    /// Adds the next slot to the events in order, if it is in use.
    void LookAhead()
    {
        if (m_newest[static_cast<uint32_t>(m_firstOpen) & m_mask] != NO_BLOCK)
        {
            MakeCurrent(m_firstOpen);
        }
    }

    uint32_t AddBlock(uint32_t place);
    void PushElsewhere(const EventRecord& event);
    void PushInOrder(const EventRecord& event); ///< Among the events in order.
    /// Makes the next slot in use current; false if it starts at the limit or later.
    bool Advance(Tick limit);
    void MakeCurrent(int64_t slot);
    int64_t FindNextUsed() const; ///< @return absolute slot number, -1 if the ring is empty.
    void MoveFarEvents(int64_t endBucket); ///< Moves those in the buckets before this one.

    /// Makes room for further events in order.
    void MakeRoom(std::size_t count)
    {
        if (m_next - m_sorted.data() > REUSED ||
            static_cast<std::size_t>(m_sorted.data() + m_sorted.size() - m_end) < count + LOOKAHEAD)
        {
            MoveToFront(count);
        }
    }

    /// Moves the events in order over those already popped, and makes room for further ones.
    void MoveToFront(std::size_t count);
    void TakeSlot(uint32_t place); ///< Appends the slot's records to the events in order.
    /// As TakeSlot(), for a list of several blocks. @return the oldest
    uint32_t TakeBlocks(uint32_t newest);
    /// Writes the records of some blocks in order.
    template <typename ForEachBlock>
    void RankRecords(uint32_t count, ForEachBlock forEachBlock);
    /// Range is already sorted by time. The time of the record at last is overwritten.
    static void SortOwners(EventRecord* first, EventRecord* last);
    static void Insert(EventRecord* first, EventRecord* next); ///< [first, next) is in order.

    uint32_t m_slotShift;
    uint64_t m_slotMask;                   ///< Length of a slot in picoseconds, minus 1.
    uint32_t m_bucketShift;                ///< A bucket of m_far is 2^m_bucketShift slots.
    uint32_t m_mask;                       ///< Number of slots, minus 1.
    int64_t m_firstOpen{1};                ///< Absolute number of the first slot that takes events.
    uint64_t m_openCount;                  ///< Number of slots from there on that take events.
    EventRecord* m_next{nullptr};          ///< The next event, in m_sorted.
    EventRecord* m_end{nullptr};           ///< One past the last event in order, in m_sorted.
    EventRecord* m_lookAheadFrom{nullptr}; ///< From here on, fewer than LOOKAHEAD are in order.
    /// Events in order: of the slots before m_firstOpen. Never shrinks. LOOKAHEAD more can be read.
    std::vector<EventRecord> m_sorted;
    std::vector<uint32_t> m_newest; ///< By position in the ring: the block to append to.
    std::vector<Block> m_blocks;    ///< Block 0 is NO_BLOCK: it is always full.
    uint32_t m_freeBlock{NO_BLOCK}; ///< Top of the stack of free blocks, linked by Block::older.
    /// One bit per position in the ring: set if the slot holds records.
    std::vector<uint64_t> m_used;
    FarEvents m_far;
};

} // namespace ns3::rdma

#endif // RDMA_EVENT_CALENDAR_H
