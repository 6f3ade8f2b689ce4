// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HPCC_H
#define RDMA_HPCC_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/int-history.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief HPCC: a window computed from the bytes in flight on each link of the path, as measured by
 * INT.
 *
 * Li et al. 2019, Algorithm 1.  Each answer gives, per hop, u = min(qlen, qlen before) / (B T) +
 * txRate / B (Eq. 2); the largest u is averaged over T (lines 1 to 9).  The window is the reference
 * window divided by U / eta, if U is eta or more or MaxStage RTTs have passed without that, plus
 * W_ai; else the reference window plus W_ai (lines 10 to 18).  The reference window is updated by
 * one answer per RTT (lines 20 to 27), so that answers within an RTT do not react repeatedly.
 * Packets are paced at W / T.  The window starts at the bandwidth-delay product and never exceeds
 * it.
 *
 * Not modelled: PINT, windows per hop (the simulator's MULTI_RATE), reaction to loss (left to loss
 * recovery).  Windows count payload; the ports' byte counts include all bytes on the wire.
 */
class Hpcc : public Forks<Hpcc, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    bool UsesOwnPath() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return U, the average of the normalized bytes in flight on the most utilized link.
    double GetUtilization() const;

  private:
    struct Parameters
    {
        double eta{0};
        uint32_t maxStage{0};
        uint32_t stepBytes{0};
        DataRate minRate;
        bool isWindowed{true};
        bool usesOwnRtt{false};
    };

    void Measure(const IntStack& path);

    DataRate m_lineRate;
    double m_rttPs{0}; ///< T.
    double m_u{1};     ///< U.
    double m_windowBytes{0};
    double m_reference{0}; ///< W_c, bytes.
    double m_minBytes{0};
    double m_maxBytes{0};
    uint32_t m_stage{0};      ///< incStage.
    uint64_t m_ackedBytes{0}; ///< Total.
    uint64_t m_updateEnd{0};  ///< m_ackedBytes beyond which the next answer is an RTT later.
    IntHistory m_hops;        ///< L: the hops of the last answer.
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_HPCC_H
