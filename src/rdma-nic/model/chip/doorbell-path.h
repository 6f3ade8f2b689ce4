// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DOORBELL_PATH_H
#define RDMA_DOORBELL_PATH_H

#include "ns3/nic-hardware.h"
#include "ns3/pending-events.h"
#include "ns3/timed-send-path.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The path of a doorbell from the host's core over PCIe to the chip, which makes posted work
 * requests visible to the chip.
 */
class DoorbellPath : private EventTarget
{
  public:
    /// All outlive this.
    DoorbellPath(FabricEngine& engine,
                 const QueuePairTable& table,
                 NicTransmitter& transmitter,
                 WorkReporter& reporter,
                 TimedSendPath& sendPath,
                 NicHardware& hardware);
    ~DoorbellPath() override;

    /// The host has posted work requests to a queue pair, and rings one doorbell for them.
    void Ring(QueuePair& queuePair, uint32_t requests);

    /// Makes the posted packets before `postedEnd` visible to the chip.
    /// @param isHere whether the chip has their work requests, too
    void MakeKnown(QueuePair& queuePair, uint64_t postedEnd, bool isHere);

    /// Doorbells in flight do not announce work requests that are posted later.
    void Forget(uint32_t queuePair);

  private:
    /// A doorbell in flight to the NIC.
    struct Doorbell
    {
        uint32_t queuePair;
        bool isPushed;      ///< It carries the only work request.
        uint64_t postedEnd; ///< End of the requester's queue when the host rang.
    };

    void HandleEvent(uint32_t, uint32_t place) override;

    FabricEngine& m_engine;
    const QueuePairTable& m_table;
    NicTransmitter& m_transmitter;
    WorkReporter& m_reporter;
    TimedSendPath& m_sendPath;
    NicHardware& m_hardware;
    PendingEvents<Doorbell> m_doorbells;
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_DOORBELL_PATH_H
