// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_STARTS_H
#define RDMA_STREAM_STARTS_H

#include "ns3/stream-group.h"
#include "ns3/tick.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// @return time between two lists of one queue pair of a group, ps; 0 if the group has no rate.
/// @param linked messages of a list
Tick GetListInterval(const StreamGroup& group, uint32_t linked);

/**
 * @ingroup rdma-stream
 * @brief When the senders of each server begin.
 *
 * Without a given interval, the n senders of a server with a rate begin at equal parts of the time
 * between two lists: the server then posts at its rate from the start on, not one list of each
 * queue pair at once.  Senders without a rate begin 1 us after each other (our choice).
 *
 * Senders of different servers begin together; the patterns give each another first receiver.
 */
class StreamStarts
{
  public:
    static constexpr Tick DEFAULT_INTERVAL{1'000'000}; ///< 1 us, of senders without a rate.

    /// @param groups all of a workload @param interval between two senders of a server, if given
    StreamStarts(const std::vector<StreamGroup>& groups, std::optional<Tick> interval);

    /// @return start of the next sender of a server, from the start of the workload. At most once
    /// for each queue pair of the groups. @param listInterval of this sender; 0: it has no rate
    Tick TakeNext(uint32_t server, Tick listInterval);

    /// @return whether the lists of paced senders are spread over their interval.
    bool IsSpread() const
    {
        return !m_interval;
    }

  private:
    struct Count
    {
        uint64_t all{0};
        uint64_t taken{0};
    };

    std::optional<Tick> m_interval;
    std::map<uint32_t, Count> m_counts; ///< By server.
};

/// Payload of paced streams.
struct PacedPayload
{
    double asked{0};  ///< Bytes that the rates ask for.
    double posted{0}; ///< Bytes of the lists that are due, if no sender is late.
    Tick longest{0};  ///< The longest time between two lists of a queue pair, ps.
};

/// @return what is asked and due in [from, until). @param interval as StreamStarts has it
PacedPayload ComputePacedPayload(const std::vector<StreamGroup>& groups,
                                 uint32_t linked,
                                 std::optional<Tick> interval,
                                 Tick from,
                                 Tick until);

} // namespace ns3::rdma

#endif // RDMA_STREAM_STARTS_H
