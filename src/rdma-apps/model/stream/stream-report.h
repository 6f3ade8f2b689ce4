// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_REPORT_H
#define RDMA_STREAM_REPORT_H

#include "ns3/host-account.h"
#include "ns3/measured-goodput.h"
#include "ns3/result-part.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Which end of streams a thread or a host is.
enum class StreamRole : uint8_t
{
    SENDER,
    RECEIVER,
};

/// @return "sender" or "receiver".
const char* GetStreamRoleName(StreamRole role);

/// One queue pair of a stream. Counts are of the whole run but for measuredBytes.
struct StreamRecord
{
    uint64_t stream{0}; ///< Number, from 0.
    uint32_t src{0};    ///< Node id.
    uint32_t dst{0};    ///< Node id.
    uint32_t messageBytes{0};
    uint64_t sent{0};          ///< Messages posted.
    uint64_t received{0};      ///< Messages that the receiving program has taken.
    uint64_t bytes{0};         ///< Of these.
    uint64_t measuredBytes{0}; ///< That arrived in the measured time, whether or not taken then.
    uint64_t missing{0};       ///< Blocks that immediate data show to be missing.
    uint64_t wholeRegions{0};
    uint64_t incompleteRegions{0};
    uint64_t retransmitted{0}; ///< Packets that were sent again.
    uint64_t due{0};    ///< Messages whose deadline was within the run; 0: there is no deadline.
    uint64_t inTime{0}; ///< Of these, taken by the receiving program before it.
};

/// One thread. Times are of the measured time, in ps.
struct StreamThreadRecord
{
    uint32_t server{0}; ///< Node id.
    uint32_t thread{0}; ///< Of the server's, from 0.
    uint32_t core{0};
    StreamRole role{StreamRole::SENDER};
    uint32_t streams{0}; ///< That it serves.
    std::array<int64_t, HOST_TASKS> busyPs{};
    int64_t usePs{0};
    int64_t interruptPs{0};  ///< In handlers of interrupts for it, no part of its use.
    uint64_t sleeps{0};      ///< Of the whole run.
    uint64_t switches{0};    ///< Likewise.
    uint64_t emptyQueues{0}; ///< Times that its receive or send queue was empty, likewise.
    /// Of its own measurements in the measured time; unset: fewer than two.
    std::optional<GoodputRange> measured;
};

/// All threads of a role of a server in one interval.
struct StreamSample
{
    int64_t endPs{0};
    uint32_t server{0}; ///< Node id.
    StreamRole role{StreamRole::SENDER};
    uint32_t leastFill{0}; ///< Least in any of their queues when they looked; none: UINT32_MAX.
    uint64_t bytes{0};     ///< Of messages that have ended, or have arrived.
    int64_t usePs{0};
    uint64_t emptyQueues{0};
    /// Bytes by the threads' own measurements; unset: a thread has not measured all of it.
    std::optional<double> measuredBytes;
};

/// All streams of a run.
struct StreamReport
{
    int64_t fromPs{0};     ///< The end of the warm-up.
    int64_t untilPs{0};    ///< The beginning of the cool-down.
    int64_t intervalPs{0}; ///< Of samples.
    std::vector<StreamRecord> streams;
    std::vector<StreamThreadRecord> threads;
    std::vector<StreamSample> samples;
    std::vector<std::string> troubles; ///< One line each.

    /// Puts everything into the order of the files.
    void Sort();

    /// @return payload that arrived in the measured time, Gb/s, of all streams.
    double GetGoodput() const;

    /// @return as "2 streams, 97.6 Gb/s, 0 of 1000 messages lost".
    std::string Describe() const;
};

/// @return the part "streams": streams.csv, threads.csv, samples.csv, sums. @param report sorted
ResultPart MakeStreamPart(StreamReport report);

} // namespace ns3::rdma

#endif // RDMA_STREAM_REPORT_H
