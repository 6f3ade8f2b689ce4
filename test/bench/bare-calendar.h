// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARE_CALENDAR_H
#define RDMA_BARE_CALENDAR_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace ns3::rdma
{

/// An event of the bare loop: 16 bytes.
struct BareEvent
{
    int64_t time;
    uint32_t port;
    uint32_t frame;
};

/**
 * @brief The calendar queue of BareLoop: a ring of short arrays, each sorted when its time comes.
 *
 * The ring is as long as the longest usual delay.  What does not fit into a slot's array, or comes
 * later than the ring reaches, waits in a heap.  Events of one time come in order of pushing, but
 * for those of the heap.
 */
class BareCalendar
{
  public:
    /// @param eventsPerPs expected; @param horizonPs the longest usual delay
    BareCalendar(double eventsPerPs, int64_t horizonPs)
        : m_current(CAPACITY)
    {
        constexpr double EVENTS_PER_SLOT{20}; // Best of 10 to 64.
        const long shift = std::lround(std::log2(EVENTS_PER_SLOT / eventsPerPs));
        m_shift = static_cast<uint32_t>(std::clamp(shift, 0L, MAX_SHIFT));
        m_slotCount = static_cast<uint32_t>(horizonPs >> m_shift) + 2;
        m_counts.resize(m_slotCount);
        m_events.resize(static_cast<size_t>(m_slotCount) * CAPACITY);
    }

    /// @param time not before that of the event popped last
    void Push(int64_t time, uint32_t port, uint32_t frame)
    {
        PushIf(true, time, port, frame);
    }

    /// Writes the event in any case but counts it only if it is wanted: no branch to mispredict.
    void PushIf(bool isWanted, int64_t time, uint32_t port, uint32_t frame)
    {
        const auto ahead = static_cast<uint64_t>((time >> m_shift) - m_slot);
        if (ahead - 1 < m_slotCount - 1)
        {
            const uint32_t place = GetPlace(ahead);
            const uint32_t count = m_counts[place];
            if (count < CAPACITY)
            {
                // Field by field: g++ makes a temporary of an aggregate, whose wide reload waits
                // for its narrow stores.
                BareEvent& event = m_events[static_cast<size_t>(place) * CAPACITY + count];
                event.time = time;
                event.port = port;
                event.frame = frame;
                m_counts[place] = static_cast<uint16_t>(count + isWanted);
                return;
            }
        }
        if (isWanted)
        {
            PushElsewhere({time, port, frame}, ahead == 0);
        }
    }

    /// @return whether the current slot held another event
    bool Pop(BareEvent& event)
    {
        if (m_read == m_count)
        {
            return false;
        }
        event = m_current[m_read++];
        return true;
    }

    /// Makes the next slot current.
    void Advance()
    {
        ++m_slot;
        m_place = GetPlace(1);
        SortSlot(&m_events[static_cast<size_t>(m_place) * CAPACITY], m_counts[m_place]);
        m_counts[m_place] = 0;
        while (!m_far.empty() && m_far.top().time < GetSlotEnd())
        {
            InsertIntoCurrent(m_far.top());
            m_far.pop();
        }
    }

    /// @return end of the current slot.
    int64_t GetSlotEnd() const
    {
        return (m_slot + 1) << m_shift;
    }

    /// Calls a function with each event that the slot after the current one holds so far.
    template <typename Function>
    void ForEachOfNextSlot(Function function) const
    {
        const uint32_t place = GetPlace(1);
        const BareEvent* event = &m_events[static_cast<size_t>(place) * CAPACITY];
        for (uint32_t left = m_counts[place]; left > 0; --left, ++event)
        {
            function(*event);
        }
    }

    /// @param event within the current slot
    void InsertIntoCurrent(const BareEvent& event)
    {
        uint32_t place = m_count++;
        m_current.resize(std::max<size_t>(m_current.size(), m_count));
        for (; place > m_read && m_current[place - 1].time > event.time; --place)
        {
            m_current[place] = m_current[place - 1];
        }
        m_current[place] = event;
    }

  private:
    /// 576 bytes, nine lines of the cache: an odd number spreads the slots over all its sets.
    static constexpr uint32_t CAPACITY{36};
    static constexpr long MAX_SHIFT{22}; ///< A key below is 31 bits.

    struct IsLater
    {
        bool operator()(const BareEvent& a, const BareEvent& b) const
        {
            return a.time > b.time;
        }
    };

    uint32_t GetPlace(uint64_t ahead) const
    {
        const uint32_t place = m_place + static_cast<uint32_t>(ahead);
        return place >= m_slotCount ? place - m_slotCount : place;
    }

    /// The place of each is the number of those before it: a loop without branches, which g++
    /// turns into vector instructions.
    void SortSlot(const BareEvent* events, uint32_t count)
    {
        int32_t keys[CAPACITY + 4];
        const int64_t start = m_slot << m_shift;
        for (uint32_t i = 0; i < count; ++i)
        {
            keys[i] = static_cast<int32_t>(static_cast<uint32_t>(events[i].time - start) << 8 | i);
        }
        uint32_t padded = count;
        for (; padded % 4 != 0; ++padded)
        {
            keys[padded] = std::numeric_limits<int32_t>::max();
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            int32_t rank = 0;
            for (uint32_t other = 0; other < padded; ++other)
            {
                rank += keys[other] < keys[i];
            }
            m_current[static_cast<uint32_t>(rank)] = events[i];
        }
        m_read = 0;
        m_count = count;
    }

    [[gnu::noinline]] void PushElsewhere(const BareEvent& event, bool isCurrent)
    {
        isCurrent ? InsertIntoCurrent(event) : m_far.push(event);
    }

    uint32_t m_shift; ///< A slot is 2^m_shift picoseconds.
    uint32_t m_slotCount;
    int64_t m_slot{0};                ///< Number of the current slot.
    uint32_t m_place{0};              ///< Its place in the ring.
    std::vector<uint16_t> m_counts;   ///< By place.
    std::vector<BareEvent> m_events;  ///< CAPACITY for each slot.
    std::vector<BareEvent> m_current; ///< The current slot, sorted.
    uint32_t m_read{0};
    uint32_t m_count{0};
    std::priority_queue<BareEvent, std::vector<BareEvent>, IsLater> m_far;
};

} // namespace ns3::rdma

#endif // RDMA_BARE_CALENDAR_H
