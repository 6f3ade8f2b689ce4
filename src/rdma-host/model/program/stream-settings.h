// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_SETTINGS_H
#define RDMA_STREAM_SETTINGS_H

#include "ns3/completion-queue.h"
#include "ns3/data-rate.h"
#include "ns3/opcode.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// How a program learns about completions.
enum class PollingMode : uint8_t
{
    EVENT,      ///< Sleeps until it is notified, then polls until there are none.
    BUSY,       ///< Polls all the time.
    INTERVAL,   ///< Polls until there are none, then sleeps for an interval.
    EVENT_ONCE, ///< As EVENT, but polls once per notification, for all that there are: qperf.
};

/// How streams of messages are sent and received; defaults: thesis, Table B.1.
struct StreamSettings
{
    Service service{Service::UC}; ///< UC or RC.
    uint32_t messageBytes{16384};
    uint32_t linked{10};         ///< Work requests of a list, at the receiver too.
    bool isSolicited{false};     ///< The last of each list requests a solicited event.
    uint32_t signaledEvery{1};   ///< Messages per send completion.
    uint32_t regions{10};        ///< Of each queue pair, with a block for each request of a list.
    uint32_t sendQueue{1000};    ///< Requests; its completion queue has as many.
    uint32_t receiveQueue{1000}; ///< Likewise; the shared one's, too.
    PollingMode polling{PollingMode::EVENT}; ///< Of both ends.
    Tick pollInterval{0};                    ///< INTERVAL.
    bool isRefilled{true};                   ///< Whether receivers post receive requests again.
    Tick copyTime{0};                        ///< That a receiver copies a message, and
    DataRate copyRate{0};                    ///< the rate of its bytes; 0: they take no time.
    Tick listInterval{0};    ///< Between the posts of two lists of a queue pair; 0: as they fit.
    Tick measureInterval{0}; ///< Between two measurements of a thread by itself; 0: none.
    Tick until{TICK_NEVER};  ///< When senders stop.
};

/// What a program's queues have been through since they were looked at last.
struct QueueFill
{
    uint32_t least{UINT32_MAX}; ///< Requests in the queue, when the program looked.
    uint64_t empty{0};          ///< Times that it had become empty.
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_SETTINGS_H
