// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUND_ROBIN_CREDITS_H
#define RDMA_ROUND_ROBIN_CREDITS_H

#include "ns3/credit-scheduler.h"
#include "ns3/oversubscribed-rate.h"

#include <deque>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief RCCC's pacer (Ultra Ethernet 1.0.3, 3.6.14; its ancestor is EQDS): a grant of a few
 * packets at a time, senders in turn, at slightly less than the rate of the NIC.
 *
 * A sender whose target is met becomes idle.  While no sender wants credit, idle ones get it in
 * turn, up to a window beyond their target, so that new data need not wait for a round trip.
 *
 * In an oversubscribed fabric OversubscribedRate reduces the rate.
 */
class RoundRobinCredits : public CreditScheduler
{
  public:
    static TypeId GetTypeId();
    void Start(const CreditFacts& facts) override;
    void OnDemand(const CreditDemand& demand) override;
    std::optional<CreditGrant> GetNext(Time now) override;
    void Forget(uint32_t queuePair) override;

  private:
    struct Sender
    {
        uint32_t granted{0};
        uint32_t target{0};
        bool isActive{false};
        bool isIdle{false}; ///< In m_idle.
    };

    CreditGrant Grant(uint32_t queuePair, const Sender& sender, uint32_t units, Time now);

    uint32_t m_packets{0};
    double m_share{0};
    double m_oversubscription{0};
    double m_markTarget{0};
    double m_rateIncrease{0};
    double m_rateDecrease{0};
    double m_markWeight{0};
    std::optional<OversubscribedRate> m_control; ///< Unset: the fabric is not oversubscribed.
    DataRate m_rate;
    uint32_t m_unitsPerGrant{0};
    uint32_t m_slowUnits{0};
    std::unordered_map<uint32_t, Sender> m_senders; ///< By queue pair. Never iterated.
    std::deque<uint32_t> m_active;
    std::deque<uint32_t> m_idle;
};

} // namespace ns3::rdma

#endif // RDMA_ROUND_ROBIN_CREDITS_H
