// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_SENDER_H
#define RDMA_CREDIT_SENDER_H

#include "ns3/credit-scheduler.h"
#include "ns3/nic-ports.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Sends the credits that a CreditScheduler grants to the peers of a NIC's queue pairs.
 */
class CreditSender : private EventTarget
{
  public:
    /// @param core, ports outlive this @param scheduler of this NIC, started
    CreditSender(FabricCore& core, NicPorts& ports, Ptr<CreditScheduler> scheduler);
    ~CreditSender() override;

    /// A request packet has arrived.
    void OnPacket(const QueuePair& queuePair, const Frame& frame);

    /// The queue pair ends.
    void Forget(const QueuePair& queuePair);

  private:
    void HandleEvent(uint32_t kind, uint32_t argument) override;

    FabricCore& m_core;
    NicPorts& m_ports;
    Ptr<CreditScheduler> m_scheduler;
    uint32_t m_target;
    bool m_isPausing{false}; ///< An event is scheduled.
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_SENDER_H
