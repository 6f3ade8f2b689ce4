// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DCQCN_H
#define RDMA_DCQCN_H

#include "ns3/alpha-rules.h"
#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief The sender's part of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1 and Figure 7).
 *
 * CNPs cut the rate by alpha / 2; an AlphaRule decides how they change alpha and when they cut.  A
 * timer and a byte counter produce increase events: while neither has counted past
 * FastRecoverySteps the rate moves half way to the target (Eq. 3); when one has, the target first
 * rises by AdditiveIncrease (Eq. 4); when both have, by HyperIncrease. The byte counter has one
 * event per ByteCounter bytes: several for a longer packet, and a packet's remainder counts towards
 * the next event. Without a byte counter (ByteCounter 0) the timer's first event past
 * FastRecoverySteps raises the target by AdditiveIncrease, further events by HyperIncrease, as in
 * HPCC's simulator.
 *
 * With FastRecoverySteps 0 the rate recovers by additive increase only: a cut then lowers the
 * target to the rate after it.  With CutsOnRetransmission the sender treats a retransmission as a
 * CNP; with ReleasesAtLineRate the next CNP of a flow that has reached the line rate counts as its
 * first.  docs/models/congestion-control.md states which of these are documented and which are
 * inferred from measurements of ConnectX-5.
 *
 * Alpha is computed when it is needed, without a timer.  The other two parts of DCQCN are the
 * switch's marking (EcnMarker) and the receiver's paced CNPs (RdmaNic, attribute CnpInterval).
 * With CnpsInAcks there are no CNP frames: an acknowledgment that echoes CE counts as one, as in
 * HPCC's simulator.
 *
 * The defaults are the parameter set DEFAULT_DCQCN_SET (parameter-sets.h).
 *
 * Not modelled: the firmware's rate quantisation, rate limits shared by queue
 * pairs.
 */
class Dcqcn : public Forks<Dcqcn, CongestionControl>
{
  public:
    static TypeId GetTypeId();
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

    /// @return the congestion estimate alpha at a time.
    double GetAlpha(Time now) const;
    DataRate GetTargetRate() const;

  private:
    struct Parameters : public AlphaParameters
    {
        Ptr<const AlphaRule> alphaRule;
        Time increasePeriod;
        uint64_t byteCounter{0}; ///< 0: no byte counter.
        uint32_t fastRecoverySteps{0};
        DataRate additiveIncrease;
        DataRate hyperIncrease;
        DataRate minRate;
        bool clampsTargetRate{false};
        bool takesEchoes{false}; ///< Echoes of CE in acknowledgments count as CNPs.
        bool cutsOnRetransmission{false};
        bool restartsOnTimeout{false};
        bool releasesAtLineRate{false};
    };

    void SetAlphaRule(TypeId type);
    TypeId GetAlphaRule() const;
    void Cut(Time now);
    void Increase();
    /// @return the amount by which the current increase event raises the target.
    DataRate GetTargetStep() const;

    Time m_cutTime{Time::Max()};      ///< When a CNP's cut is due.
    Time m_increaseTime{Time::Max()}; ///< When the increase timer expires; off at line rate.
    uint64_t m_bytesLeft{0};          ///< Bytes until the byte counter's next event.
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
