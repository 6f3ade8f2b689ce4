// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_PORTS_H
#define RDMA_NIC_PORTS_H

#include "ns3/packet-path.h"
#include "ns3/path-selector.h"
#include "ns3/queue-pair-table.h"

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
 * It sends by one port at a time.  That port changes
 *
 * - when the PathSelector says so: when the link of its port has gone down, or its retransmission
 *   timer has expired; the peer's port of the same number is its destination from then on
 * - when its peer has changed its port: a request packet, sent after the queue pair's own last
 *   change, comes in at another port; the queue pair sends by that port from then on, to the port
 *   that the packet came from.
 *
 * That is InfiniBand's automatic path migration (IBTA Vol. 1, Section 17.2.8): the time of sending
 * stands for the MigReq bit, and the alternate path is loaded again at once.  What was in flight is
 * sent again by loss recovery.  Congestion control goes on as it was.
 *
 * Not modelled: the message that would ask for a new alternate path (LAP).
 */
class NicPorts final
{
  public:
    /// @param core, table outlive this @param selector answers for all queue pairs
    NicPorts(FabricCore& core, QueuePairTable& table, Ptr<const PathSelector> selector);
    ~NicPorts();

    /// Adds a port. All before the first queue pair.
    void Add(std::unique_ptr<PacketPath> path);

    /// All ports are there. Watches their links, if there are several.
    void Join();

    /// Gives the ports back to their devices.
    void Clear();

    /// @return what all ports of the fabric share.
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
        return GetPath(queuePair.port);
    }

    /// @param endpoint of one of the ports @return null if there is none of that number (any more)
    QueuePair* Find(uint32_t endpoint, uint32_t number) const
    {
        auto* likely = static_cast<QueuePair*>(m_core.destinations.Get(endpoint, number));
        return likely && likely->number == number ? likely : m_table.Find(number);
    }

    /// @param port by which it sends @param number that it shall have; unset: the next one
    QueuePair& Create(uint32_t port, std::optional<uint32_t> number);
    void Destroy(QueuePair& queuePair);

    /// The queue pair is reset: what is under way for it at any port is dropped.
    void Forget(const QueuePair& queuePair);

    PortStates GetStates() const;

    /// @return the port that a new connection uses, as PathSelector::ChoosePort(), checked.
    uint32_t Choose(uint64_t connection) const;

    /// A frame has come in at a port by which its queue pair does not send.
    void OnOtherPort(QueuePair& queuePair, const Frame& frame, uint32_t port);

    /// The retransmission timer of a queue pair has expired, and it goes on.
    /// @return whether it sends by another port now, where it has been activated
    bool MoveAfterExpiry(QueuePair& queuePair);

  private:
    /// What only a NIC with several ports has.
    struct Several
    {
        std::vector<std::unique_ptr<PacketPath>> others; ///< But for the first.
        std::vector<Tick> movedAt; ///< When a queue pair last changed its port, by its place.
    };

    void OnLinkChange();
    bool MoveIfSelected(QueuePair& queuePair, uint32_t expiries);
    /// @param remote endpoint id that its frames go to; @param now packets sent before are too old
    /// to change the port again
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
