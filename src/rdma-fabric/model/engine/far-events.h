// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FAR_EVENTS_H
#define RDMA_FAR_EVENTS_H

#include "ns3/event-record.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief The events of an EventCalendar that lie beyond its ring, mostly timers.
 *
 * They are kept in buckets of equal length in the order in which they were pushed.  A bucket is
 * taken as a whole, so that an event costs no search and no comparison.
 */
class FarEvents
{
  public:
    static constexpr int64_t NONE{std::numeric_limits<int64_t>::max()};

    FarEvents() = default;
    FarEvents(FarEvents&&) = default;
    FarEvents& operator=(FarEvents&&) = default;

    /// @param bucket of the event: later ones have larger numbers
    void Push(int64_t bucket, const EventRecord& event)
    {
        if (bucket != m_lastBucket)
        {
            Find(bucket);
        }
        m_last->push_back(event);
    }

    /// @return the number of the first bucket; NONE: there are no events.
    int64_t GetFirstBucket() const
    {
        return m_firstBucket;
    }

    /// @return the time of the earliest event. Only if there is one.
    Tick GetEarliestTime() const;

    /// @return whether a function is true for any event.
    bool HasAny(const std::function<bool(const EventRecord&)>& isMatch) const;

    /// Removes the first bucket. Only if there is one.
    /// @return its events in the order in which they were pushed; valid until the next call.
    const std::vector<EventRecord>& TakeFirst();

  private:
    using Events = std::vector<EventRecord>;

    void Find(int64_t bucket); ///< Sets m_last.

    std::map<int64_t, Events> m_buckets;
    int64_t m_firstBucket{NONE};
    int64_t m_lastBucket{NONE}; ///< To which the last event was pushed; NONE: none, or taken since.
    Events* m_last{nullptr};    ///< Its events.
    Events m_taken;
};

} // namespace ns3::rdma

#endif // RDMA_FAR_EVENTS_H
