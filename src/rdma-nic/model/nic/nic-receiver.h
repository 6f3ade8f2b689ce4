// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_RECEIVER_H
#define RDMA_NIC_RECEIVER_H

#include "ns3/fabric-device.h"
#include "ns3/nic-transmitter.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The receiving side of a NIC: shows each frame to the half of the queue pair that it is
 * for, and sends the answers.
 *
 * Acknowledgments and CNPs go to the port at once; READ responses, and what must not overtake them,
 * leave when the transmitter takes them.  Frames of other protocols go to the device.
 */
class NicReceiver
{
  public:
    /// @param cnpInterval shortest time between two CNPs of a queue pair
    NicReceiver(FabricCore& core,
                FabricDevice& device,
                QueuePairTable& table,
                TransportFactory& factory,
                FrameMaker& frames,
                WorkReporter& reporter,
                NicTransmitter& transmitter,
                Tick cnpInterval);

    /// A frame has arrived; from here on it belongs to the receiver.
    void Receive(FrameIndex index);

    uint64_t GetCnpsSent() const
    {
        return m_cnpsSent;
    }

  private:
    void ReceiveRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    void ReceiveUnreliable(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    Completions ReceiveAnswer(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    Completions ReceiveReadStream(QueuePair& queuePair,
                                  const Frame& frame,
                                  const FrameDetail* detail);
    void HandleResponses(QueuePair& queuePair);
    /// The frame carries CE.
    void NotifyOfCongestion(QueuePair& queuePair, const Frame& frame);
    void CountDrop(const Frame& frame, DropReason reason);

    FabricCore& m_core;
    FabricDevice& m_device;
    FabricPort& m_port;
    QueuePairTable& m_table;
    TransportFactory& m_factory;
    FrameMaker& m_frames;
    WorkReporter& m_reporter;
    NicTransmitter& m_transmitter;
    Tick m_cnpInterval;
    uint64_t m_cnpsSent{0};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_RECEIVER_H
