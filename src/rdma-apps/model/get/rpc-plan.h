// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_PLAN_H
#define RDMA_RPC_PLAN_H

#include "ns3/attribute-values.h"
#include "ns3/random-stream.h"
#include "ns3/traffic-times.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A workload of GETs, checked.
struct RpcPlan
{
    std::vector<uint32_t> clients; ///< Node ids.
    std::vector<uint32_t> servers; ///< Node ids; none of them is a client.
    std::string request;           ///< Name of an RpcMethod.
    std::string kernel;            ///< TypeId name of the kernel that is called, if one is.
    uint32_t outstanding{1};       ///< Requests of a client under way; of an open loop at most.
    double requestsPerSecond{0};   ///< Of each client, at random times; 0: a closed loop.
    uint64_t keys{0};              ///< On all servers together.
    double zipf{0};                ///< Exponent of the keys' popularity; 0: all alike.
    double absent{0};              ///< Share of requests for keys that are nowhere.
    uint32_t valueBytes{0};        ///< Of each value.
    double occupancy{0};           ///< Of the servers' hash tables.
    uint32_t cores{1};             ///< Of each host that serve requests in software.
    AttributeValues costs;         ///< Of KernelTcp and SoftwareCosts.
    TrafficTimes times;            ///< Of requests; those after the warm-up are measured.
    uint64_t area{0};              ///< Added to addresses in the memory of servers.
    uint64_t seed{1};              ///< Of the workload.

    /// @return place in servers of the one that has a key, or would have it. @param number from 0
    std::size_t GetServer(uint64_t number) const
    {
        return number % servers.size();
    }

    /// @return keys of one server. @param server place in servers
    uint64_t CountKeys(std::size_t server) const
    {
        return (keys + servers.size() - 1 - server) / servers.size();
    }

    /// @return the 8 bytes of a key, never 0. @param number from 0; from `keys` on: of absent ones
    static uint64_t MakeKey(uint64_t number)
    {
        return RandomStream::Scramble(number + 1); // One to one, and only of 0 it is 0.
    }

    /// @return the value of a key.
    std::vector<uint8_t> MakeValue(uint64_t key) const;
};

} // namespace ns3::rdma

#endif // RDMA_RPC_PLAN_H
