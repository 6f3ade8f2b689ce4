// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_SENDER_H
#define RDMA_CREDIT_SENDER_H

#include "ns3/credit-scheduler.h"
#include "ns3/nic-ports.h"

#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Sends the credits that a CreditScheduler grants to the peers of a NIC's queue pairs.
 *
 * It checks each grant, so that no scheduler grants without end: see CreditScheduler::GetNext().
 */
class CreditSender : private EventTarget
{
  public:
    /// @param core, ports outlive this @param scheduler of this NIC, started
    /// @param windowBytes as in CreditScheduler::Start()
    CreditSender(FabricCore& core,
                 NicPorts& ports,
                 Ptr<CreditScheduler> scheduler,
                 uint64_t windowBytes);
    ~CreditSender() override;

    /// A request packet has arrived.
    void OnPacket(const QueuePair& queuePair, const Frame& frame);

    /// The queue pair ends.
    void Forget(const QueuePair& queuePair);

  private:
    /// Credit of one sender, CREDIT_UNIT, modulo 2^32.
    struct Credit
    {
        uint32_t target{0};
        uint32_t granted{0};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Check(const CreditGrant& grant);

    FabricCore& m_core;
    NicPorts& m_ports;
    Ptr<CreditScheduler> m_scheduler;
    uint32_t m_windowUnits;
    uint32_t m_target;
    std::unordered_map<uint32_t, Credit> m_credits; ///< By queue pair. Never iterated.
    /// Since the last demand: grants without growth, or to a sender with a window beyond its
    /// demand.
    std::size_t m_idleGrants{0};
    bool m_isPausing{false}; ///< An event is scheduled.
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_SENDER_H
