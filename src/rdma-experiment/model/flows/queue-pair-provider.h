// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_PROVIDER_H
#define RDMA_QUEUE_PAIR_PROVIDER_H

#include "ns3/flow-endpoints.h"
#include "ns3/flow-gpu-memory.h"
#include "ns3/flow-source.h"
#include "ns3/requester.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The queue pair of a flow.
struct FlowQueuePair
{
    ConnectionEnds ends;
    uint32_t srcQp;
    uint32_t dstQp;
    bool isShared{false};          ///< It outlives the flow.
    std::optional<GpuPlace> place; ///< In GPU memory; unset: in memory without a place.
};

/**
 * @ingroup rdma-scenario
 * @brief Provides the queue pairs of flows: one per flow, or persistent ones.
 *
 * All ranks open the queue pairs of all flows in the same order, so that they agree on their
 * numbers.
 */
class QueuePairProvider
{
  public:
    virtual ~QueuePairProvider() = default;

    /// Makes the ends of a starting flow's queue pair that are on this rank.
    /// @param flow number
    virtual FlowQueuePair Open(uint64_t flow, const FlowArrival& arrival) = 0;

    /// Makes the receiver of a flow ready, if Open() has not done it. On its rank.
    virtual void Expect(uint64_t)
    {
    }

    /// Posts the flow's work request. On the rank of its sender. @param wrId of its completion
    /// @return false if the queue pair is in error
    virtual bool Post(uint64_t flow,
                      const FlowQueuePair& queuePair,
                      uint64_t bytes,
                      uint64_t wrId) = 0;

    /// The flow has ended at its sender: destroys the sender's queue pair, unless it is shared.
    virtual void Close(uint64_t flow, uint32_t srcEndpoint, uint32_t srcQp) = 0;

    /// @return the number that fixes the path of a flow. Default: its own.
    virtual uint64_t GetPathNumber(uint64_t flow) const
    {
        return flow;
    }

    /// @return the operation of a flow. Default: a plain WRITE.
    virtual WrOpcode GetOperation(uint64_t) const
    {
        return WrOpcode::RDMA_WRITE;
    }

    /// @return counters of the flow alone. Once, before Close().
    virtual RequesterStats TakeStats(uint64_t flow, uint32_t srcEndpoint, uint32_t srcQp) = 0;

    /// @return payload that is acknowledged or read on shared queue pairs of this rank's senders.
    /// Default: none.
    virtual uint64_t GetSharedBytes() const
    {
        return 0;
    }

    /// @return bytes acknowledged on shared queue pairs of this rank's senders, and packets of READ
    /// responses: constant in a stall. Default: none.
    virtual uint64_t MeasureSharedProgress() const
    {
        return 0;
    }
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_PROVIDER_H
