// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_PATH_H
#define RDMA_PACKET_PATH_H

#include "ns3/fabric-device.h"
#include "ns3/frame-maker.h"
#include "ns3/port-owner.h"
#include "ns3/queue-pair-traces.h"

namespace ns3::rdma
{

class SendScheduler;

/**
 * @ingroup rdma-nic
 * @brief The datapath of one port of a NIC, between the port and the NIC's transport: it decides
 * when packets are handled and sent, the transport decides which answers and state changes follow.
 */
class PacketPath : public PortOwner
{
  public:
    /// A transmitter has a queue pair to pick. @param classes the bit of its priority
    virtual void OnReady(Tick now, uint8_t classes) = 0;

    /// Queue pairs of a class will send by this port. Called once per class.
    /// @param classNumber as of QueuePair, not 0 @param scheduler of the class
    virtual void AddClass(uint32_t classNumber, const Ptr<SendScheduler>& scheduler) = 0;

    /// A queue pair that sends by this port may have a packet to send. It has a requester.
    virtual void Activate(QueuePair& queuePair) = 0;

    /// The host has posted work requests to a queue pair and rings one doorbell.
    /// @param requests at least 1
    virtual void OnPosted(QueuePair& queuePair, uint32_t requests) = 0;

    /// The chip itself has posted a work request to a queue pair: no doorbell, nothing to fetch.
    virtual void OnPostedOnChip(QueuePair& queuePair) = 0;

    /// The same at one of the ports of a queue pair that has all, for NicPorts::ActivateAll().
    /// @param isSooner as Requester::ConsumeEarlierSendTime() has returned
    virtual void ActivateHere(QueuePair& queuePair, bool isSooner) = 0;

    /// Grants credit to the peer of a queue pair. @param granted as Frame::grantedCredit
    virtual void SendCredit(const QueuePair& queuePair, uint32_t granted) = 0;

    /// Tells the peer of a queue pair which ports of this NIC are usable. @param up one bit per
    /// port
    virtual void SendPorts(const QueuePair& queuePair, uint32_t up) = 0;

    /// Sends a probe by this port.
    virtual void SendProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now) = 0;

    /// The queue pair is reset: its pending work is dropped.
    virtual void Forget(const QueuePair& queuePair) = 0;

    /// The queue pair is destroyed, or starts to send by another port.
    virtual void Leave(const QueuePair& queuePair) = 0;

    /// The queue pair starts to send by this port. All posted work requests are visible here.
    virtual void Enter(QueuePair& queuePair) = 0;

    /// Doorbells in flight do not announce work requests that are posted later.
    virtual void ForgetDoorbells(const QueuePair& queuePair) = 0;

    /// Connects the trace sources of its queue pairs. @param traces outlives this
    virtual void SetTraces(QueuePairTraces& traces) = 0;

    virtual const FrameStyle& GetFrameStyle() const = 0;
    virtual Ptr<FabricDevice> GetDevice() const = 0;

    /// @return data frames sent, retransmissions and READ responses included.
    virtual uint64_t GetDataFrames() const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_PATH_H
