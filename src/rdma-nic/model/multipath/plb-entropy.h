// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PLB_ENTROPY_H
#define RDMA_PLB_ENTROPY_H

#include "ns3/entropy-selector.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief PLB: one value at a time, replaced by a random one after several congested round trips.
 *
 * A round lasts one base RTT of feedback.  It is congested if MarkedShare of its feedback or more
 * reports congestion.  After IdleRounds congested rounds in a row the value is replaced once
 * nothing is in flight, after ForcedRounds in any case.  A timeout replaces it at once and suspends
 * the rounds for SuspendTime up to twice as long.
 *
 * Source: Linux, Documentation/networking/ip-sysctl.rst, tcp_plb_*; Qureshi et al. 2022, "PLB:
 * Congestion Signals are Simple and Effective for Network Load Balancing".
 *
 * Not modelled: rounds that end with the acknowledgment of a sequence number, weights of feedback
 * by packets.
 */
class PlbEntropy : public Forks<PlbEntropy, EntropySelector>
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

  private:
    void EndRound(Time now);
    void Replace();

    double m_markedShare{0};
    uint32_t m_idleRounds{0};
    uint32_t m_forcedRounds{0};
    Time m_suspendTime;

    uint32_t m_value{0};
    uint32_t m_congestedRounds{0}; ///< In a row.
    uint32_t m_reports{0};         ///< Of this round.
    uint32_t m_congested{0};       ///< Part of m_reports.
    Time m_roundEnd;
    Time m_suspendedUntil;
    Time m_baseRtt;
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_PLB_ENTROPY_H
