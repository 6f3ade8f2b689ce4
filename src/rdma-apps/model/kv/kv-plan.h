// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_PLAN_H
#define RDMA_KV_PLAN_H

#include "ns3/kv-counted-store.h"
#include "ns3/kv-filling.h"
#include "ns3/kv-function.h"
#include "ns3/kv-workload.h"
#include "ns3/traffic-times.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A workload of operations on key-value stores, checked.
struct KvPlan
{
    std::vector<uint32_t> clients; ///< Node ids.
    std::vector<uint32_t> servers; ///< Node ids; none of them is a client.
    std::vector<uint32_t> stores;  ///< Endpoint ids: each NIC of each server has a store.
    uint32_t cores{0};             ///< That serve each store; 0: KV-Direct does.
    KvWorkloadSettings workload;   ///< Its keys are those of all stores together.
    std::string function;    ///< TypeId name of the KvFunction of updates; empty: adds to bytes.
    uint64_t memoryBytes{0}; ///< Of each store.
    double utilization{0.5}; ///< Of the stores.
    bool isCounted{false};   ///< Stores count accesses without bytes.
    uint64_t warming{0};     ///< Operations per counted store that warm its DRAM without time.
    uint32_t batch{1};       ///< Operations in a message at most.
    bool isCompressed{true}; ///< Whether sizes and values are copied in batches.
    Time batchDelay;         ///< An operation of an open loop waits for others so long at most.
    uint32_t outstanding{1}; ///< Batches of a client under way at most.
    double operationsPerSecond{0}; ///< Of each client, at random times; 0: a closed loop.
    TrafficTimes times;            ///< Of operations; those after the warm-up are measured.
    uint64_t area{0};              ///< Added to addresses in the memory of servers.
    uint64_t seed{1};              ///< Of the workload.

    /// @return bytes of a message with a full batch of the workload's longest operations.
    uint32_t GetBatchBytes() const;

    /// @return bytes of the answers to it.
    uint32_t GetAnswerBytes() const;

    KvFilling GetFilling() const
    {
        const bool isByNumber = workload.popularity == KvPopularity::LATEST;
        return {workload.keyBytes, workload.valueBytes, utilization, seed, isByNumber};
    }

    /// @return place in stores of the one that has a key.
    std::size_t GetStore(uint64_t number) const
    {
        return GetFilling().GetPartition(number, stores.size());
    }

    /// @return the pairs of each counted store.
    KvPairsOfStore GetPairsOfStore() const
    {
        return {GetFilling().CountPairs(memoryBytes), workload.keyBytes, workload.valueBytes};
    }

    /// @return the function that updates name.
    Ptr<KvFunction> MakeFunction() const;

    /// @return how a store is made. @param nic of the server: each has memory of its own
    KvStoreSettings MakeStoreSettings(uint32_t nic) const;
};

} // namespace ns3::rdma

#endif // RDMA_KV_PLAN_H
