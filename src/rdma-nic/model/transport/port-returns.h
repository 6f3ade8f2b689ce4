// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_RETURNS_H
#define RDMA_PORT_RETURNS_H

#include "ns3/fabric-core.h"
#include "ns3/path-selector.h"
#include "ns3/queue-pair-table.h"

#include <vector>

namespace ns3::rdma
{

class NicPorts;

/**
 * @ingroup rdma-nic
 * @brief The ports that queue pairs began with, and when they return there.
 *
 * The PathSelector says after how much time (PathSelector::GetReturnDelay()).  Packets in flight by
 * the other port may arrive after those of the return; loss recovery treats them as on any route.
 */
class PortReturns final : private EventTarget
{
  public:
    /// All outlive this. @param ports of the NIC; have a PathSelector
    PortReturns(FabricCore& core, const QueuePairTable& table, NicPorts& ports);
    ~PortReturns() override;

    /// A queue pair was made: it begins with the port that it has.
    void Add(const QueuePair& queuePair);
    /// The PathSelector has moved a queue pair.
    void OnLeft(const QueuePair& queuePair);
    /// The link of a port failed, or works again.
    void OnLinkChange();

  private:
    struct State
    {
        uint32_t begin{0};         ///< The port that it began with.
        Tick returnAt{TICK_NEVER}; ///< Of the event that counts.
    };

    /// @param number of a queue pair
    void HandleEvent(uint32_t, uint32_t number) override;
    State& GetState(const QueuePair& queuePair);
    void Expect(const QueuePair& queuePair, ReturnCause cause);

    FabricCore& m_core;
    const QueuePairTable& m_table;
    NicPorts& m_ports;
    std::vector<State> m_states; ///< By place.
    uint64_t m_up;               ///< Ports whose link is up, one bit per port.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_PORT_RETURNS_H
