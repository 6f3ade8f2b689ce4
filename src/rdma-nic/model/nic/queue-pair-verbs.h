// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_VERBS_H
#define RDMA_QUEUE_PAIR_VERBS_H

#include "ns3/nic-ports.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Makes queue pairs on the ports of a NIC and takes them from state to state.
 */
class QueuePairVerbs
{
  public:
    /// Both outlive this. @param chipRtt what the chips at both ends add to a round trip
    QueuePairVerbs(NicPorts& ports, const TransportFactory& factory, Tick chipRtt);

    // As in RdmaNic.
    uint32_t Create(const QueuePairInit& init, std::optional<uint32_t> number, uint32_t port);
    bool Modify(uint32_t queuePair, QpState state, const QueuePairAttributes& attributes);

  private:
    /// @return what the fabric has of the path to the peer.
    PathFacts FindOwnPath(const NicChip& chip, const Connection& connection) const;

    NicPorts& m_ports;
    const TransportFactory& m_factory;
    Tick m_chipRtt;
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_VERBS_H
