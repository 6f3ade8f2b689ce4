// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_PORTS_H
#define RDMA_NIC_PORTS_H

#include "ns3/nic-chip.h"
#include "ns3/path-selector.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The ports of a NIC, each with a chip, and the queue pairs' ways from one to another.
 *
 * A queue pair is at one port at a time.  It goes to another
 *
 * - when the PathSelector says so: when the link of its port has gone down, or its retransmission
 *   timer has expired; the peer's port of the same number is its destination from then on
 * - when its peer has gone: a request packet, sent after the queue pair last went, comes in at
 *   another port than its own, which it uses from then on to the port that the packet came from.
 *
 * That is InfiniBand's automatic path migration (IBTA Vol. 1, Section 17.2.8): the time of sending
 * stands for the MigReq bit, and the alternate path is loaded again at once.  What was in flight is
 * sent again by loss recovery.  Congestion control goes on as it was.
 *
 * Not modelled: the message that would ask for a new alternate path (LAP).
 */
class NicPorts final : private PathKeeper
{
  public:
    NicPorts();
    ~NicPorts() override;

    /// @param selector answers for all queue pairs
    void Start(Ptr<const PathSelector> selector);

    /// Adds a port. All before the first queue pair. @param device of the port
    void Add(std::unique_ptr<NicChip> chip, Ptr<FabricDevice> device);

    /// All ports are there. Watches their links, and lets chips ask, if there are several.
    void Join();

    /// Gives the ports back to their devices.
    void Clear();

    bool IsEmpty() const
    {
        return m_ports.empty();
    }

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    NicChip& GetChip(uint32_t port) const
    {
        return *m_ports[port].chip;
    }

    const Ptr<FabricDevice>& GetDevice(uint32_t port) const
    {
        return m_ports[port].device;
    }

    /// @return the port that a queue pair is at; 0 if there is none of that number.
    uint32_t FindPort(uint32_t queuePair) const;

    NicChip& FindChip(uint32_t queuePair) const
    {
        return GetChip(FindPort(queuePair));
    }

    /// @param number that it shall have; unset: the next one
    QueuePair& Create(uint32_t port, std::optional<uint32_t> number);
    void Destroy(uint32_t queuePair);

    /// What is under way for a queue pair at any port is dropped.
    void Forget(uint32_t queuePair);

    uint32_t CountQueuePairs() const;
    PortStates GetStates() const;

    /// @return the port that a new connection uses, as PathSelector::ChoosePort(), checked.
    uint32_t Choose(uint64_t connection) const;

  private:
    struct Port
    {
        std::unique_ptr<NicChip> chip;
        Ptr<FabricDevice> device;
    };

    QueuePair* Adopt(const Frame& frame) override;
    bool MoveAfterExpiry(QueuePair& queuePair) override;
    void OnLinkChange();
    bool MoveIfSelected(uint32_t number, uint32_t port, uint32_t expiries);
    /// @param remote endpoint id that its frames go to
    QueuePair& Move(uint32_t number, uint32_t from, uint32_t to, uint32_t remote);
    uint32_t GetEndpoint(uint32_t port) const;

    std::vector<Port> m_ports;
    Ptr<const PathSelector> m_selector;
    uint32_t m_made{0}; ///< Queue pairs that were given numbers, of a NIC with several ports.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_PORTS_H
