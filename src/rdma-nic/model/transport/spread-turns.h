// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPREAD_TURNS_H
#define RDMA_SPREAD_TURNS_H

#include "ns3/packet-path.h"
#include "ns3/queue-pair-table.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The turns of queue pairs that belong to a NIC, not to one of its ports: they have an
 * EntropySelector, and the NIC has several ports (QueuePair::hasAllPorts).
 *
 * Such a queue pair waits for its turn at each port, and a port that is free takes its next packet
 * with an entropy value of the port's plane (PlaneValues).  Queue pairs therefore share each port
 * equally, and a port that is busy, paused, limited or down delays only its own packets.
 */
class SpreadTurns final
{
  public:
    /// @param core, table, paths outlive this @param paths of all ports, in their order
    SpreadTurns(FabricCore& core, const QueuePairTable& table, std::vector<PacketPath*> paths);

    /// A queue pair was made.
    void Add(const QueuePair& queuePair);
    /// Its peer is set.
    void Connect(const QueuePair& queuePair);
    /// It is reset.
    void Forget(const QueuePair& queuePair);

    /// @return whether a queue pair is in the scheduler of a port, or in a turn there.
    bool IsScheduled(const QueuePair& queuePair, uint32_t port) const
    {
        return (m_states[m_table.GetPlace(queuePair.GetNumber())].scheduled >> port) & 1;
    }

    void SetScheduled(const QueuePair& queuePair, uint32_t port, bool isScheduled);

    /// A paced queue pair is not ready before a time, and no earlier one is expected.
    /// @return whether it must be activated then: if so, TakeReady() is called
    bool ExpectReady(const QueuePair& queuePair, Tick when);

    /// @return whether a time is the expected one, which is forgotten.
    bool TakeReady(const QueuePair& queuePair, Tick now);

    /// The part of PacketPath::Activate() at each port.
    void Activate(QueuePair& queuePair);

    /// @param up ports with a link that is up, one bit per port
    void SetUp(uint32_t up)
    {
        m_up = up;
    }

    /// @return ports with a link that is up, by which the destination can be reached; one bit per
    /// port.
    uint32_t GetPlanes(const QueuePair& queuePair) const;

  private:
    /// State of a queue pair; one bit per port.
    struct State
    {
        uint32_t common{0};       ///< Ports that its peer has, too.
        uint32_t scheduled{0};    ///< Ports where it is in the scheduler or in a turn.
        Tick readyAt{TICK_NEVER}; ///< Expected; then it is activated.
    };

    /// @param among ports, one bit per port
    /// @return that of them by which the selector would send the next packet; unset: any, or none
    /// is sent now.
    std::optional<uint32_t> FindPreferred(QueuePair& queuePair, uint32_t among) const;
    /// @return one bit per port of this NIC that a destination has, too.
    uint32_t FindCommon(uint32_t remote) const;

    FabricCore& m_core;
    const QueuePairTable& m_table;
    std::vector<PacketPath*> m_paths;
    std::vector<State> m_states; ///< By the places of queue pairs.
    uint32_t m_up{0};            ///< Ports whose links are up.
};

} // namespace ns3::rdma

#endif // RDMA_SPREAD_TURNS_H
