// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_HARDWARE_H
#define RDMA_TIMED_HARDWARE_H

#include "ns3/nic-receiver.h"
#include "ns3/send-engine.h"
#include "ns3/under-way.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Puts a NIC's hardware between its verbs, its transports and its port: the engines, and the
 * doorbells on their way to the chip.
 *
 * A NIC whose hardware is off has none.
 */
class TimedHardware : private EventTarget
{
  public:
    /// All outlive this.
    TimedHardware(FabricCore& core,
                  FabricPort& port,
                  NicHardware& hardware,
                  QueuePairTable& table,
                  NicTransmitter& transmitter,
                  NicReceiver& receiver,
                  WorkReporter& reporter);
    ~TimedHardware() override;

    /// The host has posted work requests to a queue pair, and rings once for them.
    void Ring(QueuePair& queuePair, uint32_t requests);

    /// The queue pair is reset, or is about to be destroyed.
    void Forget(uint32_t queuePair);

    /// Doorbells on their way are not for what is posted from here on.
    void ForgetDoorbells(uint32_t queuePair);

    SendEngine& GetSendEngine()
    {
        return m_sendEngine;
    }

    ReceiveEngine& GetReceiveEngine()
    {
        return m_receiveEngine;
    }

    SlowPath& GetSlowPath()
    {
        return m_slowPath;
    }

  private:
    /// A doorbell on its way to the NIC.
    struct Doorbell
    {
        uint32_t queuePair;
        bool isPushed;      ///< It carries the only work request.
        uint64_t postedEnd; ///< Requester::GetPostedEnd() when the host rang.
    };

    void HandleEvent(uint32_t kind, uint32_t place) override;

    FabricCore& m_core;
    NicHardware& m_hardware;
    QueuePairTable& m_table;
    NicTransmitter& m_transmitter;
    WorkReporter& m_reporter;
    SendEngine m_sendEngine;
    ReceiveEngine m_receiveEngine;
    SlowPath m_slowPath;
    UnderWay<Doorbell> m_doorbells;
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_HARDWARE_H
