// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_SCHEDULE_H
#define RDMA_STREAM_SCHEDULE_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief Due times and deadlines of the messages of a paced stream.
 *
 * A telescope's antennas produce data at a constant rate, also while earlier data are unsent.  A
 * receiver buffers a short window (thesis, section 2.1.1).  List n of a stream is due at start + n
 * intervals, and in time if the receiving program handles it within the deadline.
 */
struct StreamSchedule
{
    Tick start{0};      ///< Of the first list.
    Tick interval{0};   ///< Between two lists; 0: no schedule.
    Tick deadline{0};   ///< After a message's due time; 0: none.
    Tick until{0};      ///< Messages whose deadline is later are not counted.
    uint32_t linked{1}; ///< Messages of a list.
    uint64_t first{0};  ///< Number of the first message, below linked.

    /// @return whether messages can be late.
    bool HasDeadline() const
    {
        return interval > 0 && deadline > 0;
    }

    /// @param number at least first
    /// @return the due time of a message
    Tick GetDue(uint64_t number) const
    {
        return start + static_cast<Tick>(number / linked) * interval;
    }

    /// @return whether a message counts, and is in time if it is handled now.
    bool IsInTime(uint64_t number, Tick now) const
    {
        const Tick limit = GetDue(number) + deadline;
        return limit <= until && now <= limit;
    }

    /// @return the number of messages that count. Only if HasDeadline().
    uint64_t CountDue() const
    {
        const Tick last = until - deadline - start;
        return last < 0 ? 0 : static_cast<uint64_t>(last / interval + 1) * linked - first;
    }
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_SCHEDULE_H
