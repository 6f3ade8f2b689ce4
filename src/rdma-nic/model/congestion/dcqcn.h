// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DCQCN_H
#define RDMA_DCQCN_H

#include "ns3/alpha-rule.h"
#include "ns3/congestion-control.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief The sender's part of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1 and Figure 7).
 *
 * CNPs cut the rate by alpha / 2; how they move alpha, and when they cut, is an AlphaRule. Increase
 * events come from a timer and from a byte counter: while neither has counted past
 * FastRecoverySteps the rate goes half way back to the target (Eq. 3); when one has, the target
 * rises by AdditiveIncrease first (Eq. 4); when both have, by HyperIncrease. The byte counter has
 * one event per ByteCounter bytes: several for a longer packet, and a packet's remainder counts
 * towards the next event. Without a byte counter
 * (ByteCounter 0) the timer's first event past FastRecoverySteps adds, and further ones by
 * HyperIncrease, as in HPCC's simulator.
 *
 * FastRecoverySteps 0 leaves no way back but additive increase: a cut then lowers the target to the
 * rate after it.  With CutsOnRetransmission the sender treats a retransmission as a CNP; with
 * ReleasesAtLineRate a flow that has reached the line rate is new to its next CNP.  What of these
 * is documented, and what is inferred from measurements of ConnectX-5: docs/congestion-control.md.
 *
 * Alpha is computed when it is needed, not ticked.  The other two parts of DCQCN are the switch's
 * marking (EcnMarker) and the receiver's paced CNPs (RdmaNic, attribute CnpInterval).  With
 * CnpsInAcks there are no CNP frames: an acknowledgment that echoes CE counts as one, as in HPCC's
 * simulator.
 *
 * The defaults are the parameter set DEFAULT_DCQCN_SET (parameter-sets.h).
 *
 * Not modelled: the firmware's rate quantisation, rate limits shared by queue
 * pairs.
 */
class Dcqcn : public CongestionControl
{
  public:
    static TypeId GetTypeId();
    Ptr<CongestionControl> Fork() const override;
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    void OnCnp(Time now) override;
    void OnLoss(const LossEvent& loss) override;
    void OnTimeout(const LossEvent& loss) override;
    bool OnSent(uint32_t wireBytes, Time now) override;
    bool NeedsOnSent() const override;
    void OnDeadline(Time now) override;
    SendLimit GetLimit() const override;

    /// @return the congestion estimate at that time.
    double GetAlpha(Time now) const;
    DataRate GetTargetRate() const;

  private:
    struct Parameters : public AlphaParameters
    {
        Ptr<const AlphaRule> alphaRule;
        Time increasePeriod;
        uint64_t byteCounter{0}; ///< 0: there is none.
        uint32_t fastRecoverySteps{0};
        DataRate additiveIncrease;
        DataRate hyperIncrease;
        DataRate minRate;
        bool clampsTargetRate{false};
        bool takesEchoes{false}; ///< Echoes of CE in acknowledgments are the CNPs.
        bool cutsOnRetransmission{false};
        bool releasesAtLineRate{false};
    };

    void SetAlphaRule(TypeId type);
    TypeId GetAlphaRule() const;
    void Cut(Time now);
    void Increase();
    /// @return by how much the increase event that was just counted raises the target.
    DataRate GetTargetStep() const;

    Time m_cutTime{Time::Max()};      ///< When a CNP's cut is due.
    Time m_increaseTime{Time::Max()}; ///< Of the increase timer; off at line rate.
    uint64_t m_bytesLeft{0};          ///< Until the byte counter's next event.
    double m_rate{0};                 ///< R_C, bit/s, as are the next two.
    double m_targetRate{0};           ///< R_T.
    double m_lineRate{0};
    AlphaState m_alpha;
    uint32_t m_timerSteps{0};
    uint32_t m_byteSteps{0};
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_DCQCN_H
