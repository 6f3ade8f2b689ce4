// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PROGRAM_CONNECTOR_H
#define RDMA_PROGRAM_CONNECTOR_H

#include "ns3/flow-endpoints.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/run-traffic.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Numbers of the first connections of workloads: they differ from those of flows and of other
/// workloads, so that paths differ.
namespace first_connection
{
constexpr uint64_t REQUESTS{uint64_t{1} << 48};
constexpr uint64_t STREAMS{uint64_t{1} << 49};
constexpr uint64_t OTHERS{uint64_t{1} << 50};
constexpr uint64_t COLLECTIVES{uint64_t{1} << 51};
constexpr uint64_t MESSAGES{uint64_t{1} << 52};
} // namespace first_connection

/// One end of a connection between programs.
struct ProgramEnd
{
    uint32_t endpoint{0};
    uint32_t queuePair{0}; ///< Its number.
    uint32_t server{0};    ///< Node id.
    uint32_t peer{0};      ///< Node id of the other end.
    Connection connection; ///< To the other end.
    Ptr<RdmaNic> nic;
    bool isHere{false}; ///< Whether this rank simulates it.
};

/// Both ends.
struct ProgramConnection
{
    ProgramEnd src;
    ProgramEnd dst;
};

/**
 * @ingroup rdma-scenario
 * @brief The connections between the programs of a workload, which last for the run.
 *
 * Each rank adds all connections in the same order, so that all ranks agree on their numbers; it
 * makes the queue pairs of its own servers.
 */
class ProgramConnector
{
  public:
    /// @param context outlives this @param firstNumber of a connection, above the context's stream
    /// key
    ProgramConnector(const TrafficContext& context, uint64_t firstNumber);

    /// Called before many connections are added. @throws InputError if this machine's memory has no
    /// room for so many queue pairs
    static void CheckRoom(uint64_t queuePairs);

    /// Adds a connection between the endpoints that the sender's PathSelector chooses.
    /// @param src, dst node ids
    ProgramConnection Add(uint32_t src, uint32_t dst);

    /// Adds a connection between given endpoints.
    ProgramConnection Add(uint32_t src, uint32_t dst, const ConnectionEnds& ends);

    /// Makes the queue pair of an end. On its rank.
    /// @param attributes without a class, which is that of the workload
    void Make(const ProgramEnd& end,
              const QueuePairInit& init,
              QueuePairAttributes attributes = {}) const;

    /// Destroys the queue pair of an end, which may be made again. On its rank.
    void Unmake(const ProgramEnd& end);

    /// As Make(), but payload of a reliable connection passes the services in the slots of its NIC.
    void MakeServed(const ProgramEnd& end, QueuePairInit init) const;

    /// Adds the payload that has arrived at this rank's ends. @param[in,out] bytes by workload
    void AddDelivered(std::vector<uint64_t>& bytes) const;

    /// @return queue pairs that were added, by node.
    const std::vector<uint32_t>& CountQueuePairs() const
    {
        return m_queuePairs;
    }

  private:
    static uint64_t GetDelivered(const RdmaNic& nic, uint32_t queuePair);

    const TrafficContext& m_context;
    FlowEndpoints m_endpoints;
    TrafficClass m_trafficClass;
    uint64_t m_nextNumber;
    std::vector<uint32_t> m_made;       ///< By node: queue pairs of earlier workloads.
    std::vector<uint32_t> m_queuePairs; ///< By node: own ones.
    /// Ends of this rank: NIC and number of the queue pair.
    std::vector<std::pair<const RdmaNic*, uint32_t>> m_ends;
    uint64_t m_deliveredBefore{0}; ///< Payload that arrived at queue pairs that are destroyed.
};

} // namespace ns3::rdma

#endif // RDMA_PROGRAM_CONNECTOR_H
