// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_PORTS_H
#define RDMA_NIC_PORTS_H

#include "ns3/packet-path.h"
#include "ns3/path-selector.h"
#include "ns3/port-returns.h"
#include "ns3/queue-pair-table.h"
#include "ns3/spread-turns.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The ports of a NIC, each with its datapath, and the port by which each queue pair sends.
 *
 * A queue pair receives by all ports, and answers go back by the port that the packet came in at.
 *
 * With an EntropySelector a queue pair sends by all ports (SpreadTurns).  READ responses without
 * acknowledgments, doorbells and timers use one port, which changes if its link fails.
 *
 * Without one it sends by one port at a time.  That port changes
 *
 * - if the PathSelector chooses another one: it is called when the link of its port has failed or
 *   its retransmission timer has expired; the destination is then the peer's port of that number
 * - if its peer has changed its port: a request packet, sent after the queue pair's own last
 *   change, arrives at another port; the queue pair then sends by that port, to the source port of
 *   the packet
 * - if the PathSelector lets it return to the port that it began with (PortReturns).
 *
 * This is InfiniBand's automatic path migration (IBTA Vol. 1, Section 17.2.8): the time of sending
 * replaces the MigReq bit, and a new alternate path is loaded at once.  Loss recovery retransmits
 * the packets in flight.  Congestion control keeps its state.
 *
 * Not modelled: the message that requests a new alternate path (LAP).
 */
class NicPorts final
{
  public:
    /// @param core, table outlive this @param selector is called for all queue pairs
    NicPorts(FabricCore& core, QueuePairTable& table, Ptr<const PathSelector> selector);
    ~NicPorts();

    /// Adds a port. Called before the first queue pair is made.
    void Add(std::unique_ptr<PacketPath> path);

    /// Called when all ports are added. Watches their links, if there are several.
    /// @param sprays whether queue pairs send by all ports (EntropySelector)
    void Join(bool sprays = false);

    /// Gives the ports back to their devices.
    void Clear();

    /// @return the state that all ports of the fabric share.
    FabricCore& GetFabric() const
    {
        return m_core;
    }

    const PathSelector& GetSelector() const
    {
        return *m_selector;
    }

    uint32_t GetCount() const
    {
        return m_several ? 1 + static_cast<uint32_t>(m_several->others.size()) : m_first != nullptr;
    }

    PacketPath& GetPath(uint32_t port) const
    {
        return port == 0 ? *m_first : *m_several->others[port - 1];
    }

    Ptr<FabricDevice> GetDevice(uint32_t port) const
    {
        return GetPath(port).GetDevice();
    }

    uint32_t GetEndpoint(uint32_t port) const
    {
        return GetPath(port).GetFrameStyle().endpoint;
    }

    /// @return the datapath by which a queue pair sends.
    PacketPath& FindPath(const QueuePair& queuePair) const
    {
        return GetPath(queuePair.GetPort());
    }

    /// @param endpoint of one of the ports @return null if no queue pair has that number
    QueuePair* Find(uint32_t endpoint, uint32_t number) const
    {
        auto* likely = static_cast<QueuePair*>(m_core.destinations.Get(endpoint, number));
        return likely && likely->GetNumber() == number ? likely : m_table.Find(number);
    }

    /// @param port by which it sends @param number of the queue pair; unset: the next free one
    QueuePair& Create(uint32_t port, std::optional<uint32_t> number);
    void Destroy(QueuePair& queuePair);

    /// The queue pair is reset: its pending work is dropped at all ports.
    void Forget(const QueuePair& queuePair);

    /// The queue pair changes its class: it leaves the schedulers of the former one.
    void LeaveSchedulers(QueuePair& queuePair);

    PortStates GetStates() const;

    /// @return the port that a new connection uses: the checked result of
    /// PathSelector::ChoosePort().
    uint32_t Choose(uint64_t connection) const;

    /// @return null: each queue pair sends by one port at a time.
    SpreadTurns* FindTurns() const
    {
        return m_several ? m_several->turns.get() : nullptr;
    }

    /// As FindTurns(), for a queue pair that has all ports.
    SpreadTurns& GetTurns() const
    {
        return *m_several->turns;
    }

    /// The destination of a frame becomes its port of a plane, if it has one.
    void Address(Frame& frame, uint32_t plane) const
    {
        const uint32_t remote = m_core.endpoints.FindPort(frame.dst, plane);
        frame.dst = remote == EndpointMap::NONE ? frame.dst : remote;
    }

    /// A queue pair has got its peer. It leaves a port whose link is down, and the peer learns
    /// which ports are usable unless all have always been.
    void OnConnected(QueuePair& queuePair);

    /// A frame has arrived at a port by which its queue pair does not send.
    void OnOtherPort(QueuePair& queuePair, const Frame& frame, uint32_t port);

    /// A queue pair sends by a port from now on, if its peer has that port, too.
    /// @return whether it has
    bool MoveTo(QueuePair& queuePair, uint32_t port);

    /// The retransmission timer of a queue pair has expired, and the connection is not broken.
    /// @return whether the queue pair now sends by another port; it has been activated there
    bool MoveAfterExpiry(QueuePair& queuePair);

  private:
    /// State of a NIC with several ports.
    struct Several
    {
        std::vector<std::unique_ptr<PacketPath>> others; ///< All but the first.
        std::vector<Tick> movedAt; ///< When a queue pair last changed its port, by its place.
        std::unique_ptr<PortReturns> returns; ///< Null: queue pairs send by all ports.
        // If queue pairs send by all ports; else null and unset.
        std::unique_ptr<SpreadTurns> turns;
        uint32_t up{0};         ///< Ports whose links are up.
        bool hasChanged{false}; ///< A link is or was down.
    };

    void OnLinkChange();
    /// The same if queue pairs send by all ports.
    void OnLinkChangeOfSpray();
    /// Reads which links are up.
    void ReadLinks();
    /// A queue pair leaves a port whose link is down. Only if another one is up.
    void LeaveDeadPort(QueuePair& queuePair);
    bool MoveIfSelected(QueuePair& queuePair, uint32_t expiries);
    /// @param remote endpoint id of the destination
    /// @param now packets sent before this time cannot change the port again
    void Move(QueuePair& queuePair, uint32_t to, uint32_t remote, Tick now);
    /// @return when a queue pair last changed its port; 0: never.
    Tick GetMoveTime(const QueuePair& queuePair) const;
    void SetMoveTime(const QueuePair& queuePair, Tick when);
    void ForgetMoveTime(const QueuePair& queuePair);

    FabricCore& m_core;
    QueuePairTable& m_table;
    Ptr<const PathSelector> m_selector;
    std::unique_ptr<PacketPath> m_first;
    std::unique_ptr<Several> m_several; ///< Null: there is one port.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_PORTS_H
