// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PER_FLOW_QUEUE_PAIRS_H
#define RDMA_PER_FLOW_QUEUE_PAIRS_H

#include "ns3/flow-services.h"
#include "ns3/polled-queue.h"
#include "ns3/queue-pair-numbers.h"
#include "ns3/queue-pair-provider.h"
#include "ns3/traffic-class.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief A queue pair for each flow, made at both ends when the flow starts.
 *
 * The sender's end is destroyed when the flow ends, the receiver's by FlowTeardown.
 */
class PerFlowQueuePairs : public QueuePairProvider
{
  public:
    /// @param endpoints, nics (by endpoint id), numbers, services, gpuMemory outlive this; the last
    /// two may be null
    /// @param isHere whether this rank simulates an endpoint
    /// @param pathBase added to the number of a flow for its path
    /// @param operation of flows: RDMA_WRITE, RDMA_READ or SEND
    /// @param trafficClass of flows that have no priority of their own
    PerFlowQueuePairs(FlowEndpoints& endpoints,
                      const std::vector<Ptr<RdmaNic>>& nics,
                      std::function<bool(uint32_t endpoint)> isHere,
                      QueuePairNumbers& numbers,
                      uint64_t pathBase,
                      WrOpcode operation,
                      const TrafficClass& trafficClass,
                      FlowServices* services,
                      FlowGpuMemory* gpuMemory);

    FlowQueuePair Open(uint64_t flow, const FlowArrival& arrival) override;
    bool Post(uint64_t flow,
              const FlowQueuePair& queuePair,
              uint64_t bytes,
              uint64_t wrId) override;
    void Close(uint64_t flow, uint32_t srcEndpoint, uint32_t srcQp) override;
    WrOpcode GetOperation(uint64_t flow) const override;
    RequesterStats TakeStats(uint64_t flow, uint32_t srcEndpoint, uint32_t srcQp) override;

  private:
    /// One end of a queue pair.
    struct End
    {
        uint32_t endpoint;
        uint32_t number;
        uint32_t server; ///< Node id.
        uint32_t peer;   ///< Node id of the other end.
    };

    void Make(const End& end, const Ptr<ProtectionDomain>& domain, const Connection& connection);
    /// Makes the end that receives a SEND, and posts its receive request.
    void MakeReceiver(const End& end, const Connection& connection, uint64_t bytes);
    void Attach(const End& end, const Connection& connection);
    /// Reads the class of a flow, for the queue pairs that are made next.
    void UseClass(const FlowArrival& arrival);

    FlowEndpoints& m_endpoints;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    std::function<bool(uint32_t endpoint)> m_isHere;
    QueuePairNumbers& m_numbers;
    uint64_t m_pathBase;
    WrOpcode m_operation;
    TrafficClass m_trafficClass;
    QueuePairAttributes m_attributes; ///< Of the queue pairs that are made next.
    /// Discards the completions of receivers of SENDs, by endpoint.
    std::map<uint32_t, std::unique_ptr<PolledQueue>> m_received;
    FlowServices* m_services;
    FlowGpuMemory* m_gpuMemory;
};

} // namespace ns3::rdma

#endif // RDMA_PER_FLOW_QUEUE_PAIRS_H
