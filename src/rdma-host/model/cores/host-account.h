// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_ACCOUNT_H
#define RDMA_HOST_ACCOUNT_H

#include "ns3/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/// Task on which a thread spends core time.
enum class HostTask : uint8_t
{
    POST,     ///< Writes work requests to a queue.
    LIST,     ///< Finds memory for work requests and links them.
    DOORBELL, ///< Rings the doorbell for posted requests.
    POLL,     ///< Polls the completion queue, also if it is empty.
    ARM,      ///< Requests a notification.
    EVENT,    ///< Blocks, wakes up, gets a notification: system calls and the kernel's scheduler.
    ACK,      ///< Acknowledges a notification.
    CHECK,    ///< Checks immediate data and flags the block.
    SEARCH,   ///< Finds the data of a completion's queue pair.
    COPY,     ///< Moves payload.
    SAMPLE,   ///< See SelfMeasurement.
    SWITCH,   ///< Context switch, and reloads of displaced cache lines.
    COUNT
};

constexpr std::size_t HOST_TASKS = static_cast<std::size_t>(HostTask::COUNT);

/// @return the name, for example "post".
const char* GetHostTaskName(HostTask task);

/// Core time by task.
struct HostAccount
{
    Tick& operator[](HostTask task)
    {
        return busy[static_cast<std::size_t>(task)];
    }

    Tick operator[](HostTask task) const
    {
        return busy[static_cast<std::size_t>(task)];
    }

    Tick GetTotal() const;

    std::array<Tick, HOST_TASKS> busy{};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_ACCOUNT_H
