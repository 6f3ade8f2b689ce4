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

/// How a program detects completions.
enum class PollingMode : uint8_t
{
    EVENT,      ///< Sleeps until it is notified, then polls until the queue is empty.
    BUSY,       ///< Polls continuously.
    INTERVAL,   ///< Polls until the queue is empty, then sleeps for an interval.
    EVENT_ONCE, ///< As EVENT, but polls all completions once per notification: qperf.
};

/// Settings of both ends of message streams; defaults: thesis, Table B.1.
struct StreamSettings
{
    Service service{Service::UC}; ///< UC or RC.
    uint32_t messageBytes{16384};
    uint32_t linked{10};         ///< Work requests of a list, also at the receiver.
    bool isSolicited{false};     ///< The last message of each list requests a solicited event.
    uint32_t signaledEvery{1};   ///< Messages per send completion.
    uint32_t regions{10};        ///< Of each queue pair, with one block per request of a list.
    uint32_t sendQueue{1000};    ///< Requests; also the capacity of its completion queue.
    uint32_t receiveQueue{1000}; ///< The same; also for a shared receive queue.
    PollingMode polling{PollingMode::EVENT}; ///< Of both ends.
    Tick pollInterval{0};                    ///< For INTERVAL.
    bool isRefilled{true};                   ///< Whether receivers post receive requests again.
    Tick copyTime{0};                        ///< Fixed time of a receiver's copy of a message.
    DataRate copyRate{0};                    ///< Of the same copy; 0: bytes take no time.
    Tick listInterval{0};    ///< Between two lists of a queue pair; 0: when the queue has room.
    Tick measureInterval{0}; ///< Between two samples of SelfMeasurement; 0: none.
    Tick until{TICK_NEVER};  ///< Senders begin no list at this time or later.
};

/// Fill of a program's work queue since the last TakeFill().
struct QueueFill
{
    uint32_t least{UINT32_MAX}; ///< Least number of requests in it at a poll.
    uint64_t empty{0};          ///< Number of times that it became empty.
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_SETTINGS_H
