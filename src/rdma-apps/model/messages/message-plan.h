// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_PLAN_H
#define RDMA_MESSAGE_PLAN_H

#include "ns3/opcode.h"
#include "ns3/traffic-times.h"
#include "ns3/work-request.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// What a workload of messages does.
struct MessagePlan
{
    std::vector<uint32_t> clients; ///< Node ids, as those of servers.
    std::vector<uint32_t> servers;
    WrOpcode operation{WrOpcode::RDMA_WRITE};
    Service service{Service::RC};
    uint32_t bytes{0};               ///< Of each message.
    uint32_t queuePairs{1};          ///< Of each client to each server.
    uint32_t outstanding{1};         ///< Messages under way on each queue pair.
    uint32_t linked{1};              ///< Work requests posted together; at most outstanding.
    uint64_t memoryBytes{0};         ///< Of each queue pair at each end; 0: a place of one message.
    uint32_t receives{256};          ///< Receive requests of each queue pair.
    int64_t receiveDelay{0};         ///< Ticks until a used one is posted again.
    std::optional<uint8_t> rnrTimer; ///< Code of IBTA Vol. 1, Table 45; unset: the NIC's.
    TrafficTimes times;
    uint64_t area{0}; ///< Added to addresses.
    uint64_t seed{1};
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_PLAN_H
