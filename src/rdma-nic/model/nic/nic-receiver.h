// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_RECEIVER_H
#define RDMA_NIC_RECEIVER_H

#include "ns3/fabric-device.h"
#include "ns3/nic-transmitter.h"
#include "ns3/receive-engine.h"
#include "ns3/slow-path.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The receiving side of a NIC: shows each frame to the half of the queue pair that it is
 * for, and sends the answers.
 *
 * Acknowledgments and CNPs go to the port at once; READ responses, and what must not overtake them,
 * leave when the transmitter takes them.  Frames of other protocols go to the device.
 *
 * With hardware timing, packets come and acknowledgments leave through a ReceiveEngine, and losses
 * go through a SlowPath.
 */
class NicReceiver : public PortOwner
{
  public:
    /// @param cnpInterval shortest time between two CNPs of a queue pair
    /// @param parts, factory, transmitter outlive this
    NicReceiver(NicParts& parts,
                const TransportFactory& factory,
                NicTransmitter& transmitter,
                Tick cnpInterval);

    /// A frame has arrived; from here on it belongs to the receiver.
    void Receive(FrameIndex index) override;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        Receive(frame);
    }

    bool IsDestination() const override
    {
        return true;
    }

    void OnDequeue(FabricPort&, Frame&) override
    {
    }

    PulledFrame Pull(FabricPort&) override
    {
        return m_transmitter.Pull();
    }

    /// Packets take time from here on. @param engine outlives this
    void SetEngine(ReceiveEngine* engine, SlowPath* slowPath);

    /// A RoCE frame has passed the chip, or there is none; from here on it is the receiver's.
    void Handle(FrameIndex index);

    /// An answer comes back from the slow path. @param activates whether the queue pair may send
    /// what it asks for at once
    /// @return whether it asks for something to be sent again
    bool HandleAnswer(FrameIndex index, bool activates);

    /// The slow path has put packets into a retry queue.
    void Activate(uint32_t queuePair);

    /// Acknowledges what the slow path found. @param expected the first PSN that is missing
    /// @param sendTime of the packet that showed it
    void Acknowledge(uint32_t queuePair, Psn expected, Tick sendTime);

    uint64_t GetCnpsSent() const
    {
        return m_cnpsSent;
    }

  private:
    Completions ReceiveResponse(QueuePair& queuePair,
                                const Frame& frame,
                                const FrameDetail* detail);
    Answer Accept(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    Tick Place(QueuePair& queuePair, const Frame& frame);

    void SendControl(FrameIndex index)
    {
        m_engine ? m_engine->SendControl(index) : m_parts.port.Enqueue(index);
    }

    /// @return whether there may be something to report.
    bool ReceiveRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    void ReceiveUnreliable(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    Completions ReceiveAnswer(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    Completions ReceiveReadStream(QueuePair& queuePair,
                                  const Frame& frame,
                                  const FrameDetail* detail);
    void HandleResponses(QueuePair& queuePair);
    /// The frame carries CE.
    void NotifyOfCongestion(QueuePair& queuePair, const Frame& frame);
    void CountDrop(const Frame& frame, DropReason reason);

    NicParts& m_parts;
    NicTransmitter& m_transmitter;
    ReceiveEngine* m_engine{nullptr}; ///< Null: hardware takes no time.
    SlowPath* m_slowPath{nullptr};    ///< Likewise.
    const TransportFactory& m_factory;
    Tick m_cnpInterval;
    uint64_t m_cnpsSent{0};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_RECEIVER_H
