// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DCQCN_H
#define RDMA_DCQCN_H

#include "ns3/congestion-control.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief The sender's part of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1 and Figure 7).
 *
 * A CNP cuts the rate by alpha / 2 and raises alpha (Eq. 1); without CNPs alpha decays once per
 * AlphaPeriod (Eq. 2).  Increase events come from a timer and from a byte counter: while neither
 * has counted past FastRecoverySteps the rate goes half way back to the target (Eq. 3); when one
 * has, the target rises by AdditiveIncrease first (Eq. 4); when both have, by HyperIncrease.
 *
 * Alpha's decay is computed when it is needed, not ticked.  The other two parts of DCQCN are the
 * switch's marking (EcnMarker) and the receiver's paced CNPs (RdmaNic, attribute CnpInterval).
 *
 * The defaults are the timers of NVIDIA ConnectX-4 and later, as HPCC's simulator uses them at 100
 * Gb/s. Other parameter sets are listed in docs/congestion-control.md.
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
    void OnCnp(Time now) override;
    bool OnSent(uint32_t wireBytes, Time now) override;
    void OnDeadline(Time now) override;
    SendLimit GetLimit() const override;

    /// @return the congestion estimate at that time.
    double GetAlpha(Time now) const;
    DataRate GetTargetRate() const;

  private:
    struct Parameters
    {
        double gain{0};
        double initialAlpha{1};
        Time alphaPeriod;
        Time decreasePeriod;
        Time increasePeriod;
        uint64_t byteCounter{0};
        uint32_t fastRecoverySteps{0};
        DataRate additiveIncrease;
        DataRate hyperIncrease;
        DataRate minRate;
        bool clampsTargetRate{false};
    };

    void Increase();

    Time m_deadline{Time::Max()}; ///< Of the increase timer; off at line rate.
    uint64_t m_bytesLeft{0};      ///< Until the byte counter's next event.
    double m_rate{0};             ///< R_C, bit/s, as are the next two.
    double m_targetRate{0};       ///< R_T.
    double m_lineRate{0};
    double m_alpha{1};           ///< After the last cut; it decays from there.
    Time m_lastCut{Time::Min()}; ///< Min: no CNP yet.
    uint32_t m_timerSteps{0};
    uint32_t m_byteSteps{0};
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_DCQCN_H
