// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_REPORT_H
#define RDMA_MESSAGE_REPORT_H

#include "ns3/rank-group.h"
#include "ns3/result-part.h"
#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// The messages of one queue pair of a workload of messages.
struct MessageRow
{
    uint32_t client{0};    ///< Node id.
    uint32_t server{0};    ///< Node id.
    uint32_t queuePair{0}; ///< Number at the client.
    uint64_t ended{0};     ///< Messages that ended in the measured time.
    uint64_t timed{0};     ///< Messages that were posted in it, and ended.
    int64_t latencySum{0}; ///< Of timed, picoseconds.
    int64_t latencyMax{0}; ///< Of timed, picoseconds.
};

/**
 * @ingroup rdma-metrics
 * @brief What a run reports of a workload of messages.
 *
 * A message takes 8 bytes, for the percentiles.
 */
class MessageReport
{
  public:
    /// @param bytes of each message @param from the end of the warm-up @param until when clients
    /// stop
    MessageReport(uint32_t bytes, Tick from, Tick until);

    /// Adds a queue pair of this rank. @return its place
    uint32_t Add(const MessageRow& row);

    void OnPosted(uint32_t count)
    {
        m_counts.posted += count;
    }

    /// A message ends. @param place of its queue pair
    void OnEnd(uint32_t place, Tick postedAt, Tick now, bool isGood);

    uint64_t GetPosted() const
    {
        return m_counts.posted;
    }

    uint64_t GetEnded() const
    {
        return m_counts.completed + m_counts.failed;
    }

    Tick GetLastEnd() const
    {
        return m_lastEnd;
    }

    void SetStalled()
    {
        m_isStalled = true;
    }

    /// Collects the rows of all ranks at the first rank. @return the part "messages"
    ResultPart MakePart(RankGroup& ranks);

  private:
    struct Counts
    {
        uint64_t posted{0};
        uint64_t completed{0};
        uint64_t failed{0};
    };

    void Collect(RankGroup& ranks);

    uint32_t m_bytes;
    Tick m_from;
    Tick m_until;
    Tick m_lastEnd{0};
    bool m_isStalled{false};
    Counts m_counts;
    std::vector<MessageRow> m_rows;
    std::vector<int64_t> m_latencies; ///< Of all messages that count in MessageRow::timed.
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_REPORT_H
