// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_SCHEDULE_H
#define RDMA_STREAM_SCHEDULE_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief When the messages of a paced stream are there to be sent, and until when each is of use.
 *
 * A telescope's data come at the rate of its antennas, whether or not earlier data have been sent,
 * and a receiver buffers a short window (thesis, section 2.1.1): list n of a stream is due at start
 * + n intervals, and in time if the receiving program has taken it within the deadline.
 */
struct StreamSchedule
{
    Tick start{0};      ///< Of the first list.
    Tick interval{0};   ///< Between two lists; 0: there is no schedule.
    Tick deadline{0};   ///< From a message's due time; 0: there is none.
    Tick until{0};      ///< Messages whose deadline is later are not counted.
    uint32_t linked{1}; ///< Messages of a list.
    uint64_t first{0};  ///< Number of the first message, below linked.

    /// @return whether messages can be late.
    bool HasDeadline() const
    {
        return interval > 0 && deadline > 0;
    }

    /// @return when a message is due. @param number from first on
    Tick GetDue(uint64_t number) const
    {
        return start + static_cast<Tick>(number / linked) * interval;
    }

    /// @return whether a message counts, and is in time if it is taken now.
    bool IsInTime(uint64_t number, Tick now) const
    {
        const Tick limit = GetDue(number) + deadline;
        return limit <= until && now <= limit;
    }

    /// @return messages that count: all that should have been taken until the end.
    uint64_t CountDue() const
    {
        const Tick last = until - deadline - start;
        return last < 0 ? 0 : static_cast<uint64_t>(last / interval + 1) * linked - first;
    }
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_SCHEDULE_H
