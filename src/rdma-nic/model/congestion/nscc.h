// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NSCC_H
#define RDMA_NSCC_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/median-filter.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief NSCC: the window of Ultra Ethernet's senders, from marks, round trips and trimmed packets.
 *
 * Ultra Ethernet Specification 1.0.3, section 3.6.13.  A report without CE raises the window: in
 * proportion to the distance from the target delay while the delay is below it, else by a fair
 * share; after a window of reports without delay, by a share of the received bytes.  A report
 * with CE and a delay above the target multiplies the window, once per round trip, by the averaged
 * delay's excess.  A trimmed packet takes its size.  Quick adapt sets the window to the bytes that
 * arrived in the last round trip and target, if they are few after a trimmed packet or a large
 * delay; the reports of the packets then in flight do not change the window further.
 *
 * The class repeats uet-htsim (commit 40ccb05) to the byte: comparisons, order and truncation.
 * The specification leaves four choices open, and text and code differ there; the attributes
 * AveragesByTime, QuickAdaptThreshold, FastIncreaseLimit and NeedsRtt select one.  The
 * specification compares with "at least" where the code has "above" (end of the quick adapt
 * interval, adjustment period); this class does as the code.
 *
 * MedianOf above 1 gives the median of the last delays instead of the newest one (MNSCC, arXiv
 * 2509.07907).
 *
 * The base RTT falls to each smaller sample, also of a trimmed packet, which leaves the last queue
 * sooner than a full one.  The largest window follows it, the target does not.
 *
 * Windows count wire bytes, headers included, as AckEvent::receivedBytes does.  The time in hosts
 * (AckEvent::hostTime) is not part of the delay.
 *
 * Not modelled: the receiver's penalty for the window (rcv_cwnd_pend), counters in units of 256 B,
 * times in units of 128 ns.
 */
class Nscc : public Forks<Nscc, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    void OnTrim(const TrimEvent& trim) override;
    /// LossEvent::lostBytes are wire bytes.
    void OnTimeout(const LossEvent& loss) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// Values of the algorithm, for tests and series. Bytes are wire bytes.
    struct State
    {
        uint64_t windowBytes{0};
        uint64_t largestWindowBytes{0};
        Time baseRtt;
        Time averageDelay;
        uint64_t increase{0};      ///< Waits for the next adjustment; square bytes.
        uint64_t receivedBytes{0}; ///< Since the last adjustment.
        uint64_t achievedBytes{0}; ///< Since the last check of quick adapt.
    };

    const State& GetState() const
    {
        return m_state;
    }

  private:
    struct Parameters
    {
        bool isTrimming{false};
        double trimmingTarget{0};
        double lossTarget{0};
        double proportionalIncrease{0};
        double fairIncrease{0};
        double fastIncrease{0};
        double steadyIncrease{0};
        double gamma{0};
        double leastFactor{0};
        double averageWeight{0};
        bool averagesByTime{false};
        double quickAdaptThreshold{0};
        uint32_t quickAdaptGate{0};
        Time fastIncreaseLimit;
        bool needsRtt{false};
        uint32_t adjustPackets{0};
        double largestWindow{0};
        uint64_t referenceBdp{0};
        Time referenceDelay;
        bool ignoresLastHop{false};
        uint32_t medianOf{0};
    };

    void UpdateBase(Time baseRtt);
    void Average(Time delay, bool isMarked, Time now);
    bool QuickAdapt(bool isLoss, bool isMarked, Time delay, uint64_t inFlightBytes, Time now);
    void Raise(Time delay, uint64_t bytes);
    bool IsFast(Time delay, uint64_t bytes);
    void Cut(Time now);
    void Adjust(Time now);
    void Clamp();

    State m_state;
    Time m_period; ///< Base RTT of the configuration.
    Time m_target;
    DataRate m_lineRate;
    uint32_t m_packetBytes{0};
    double m_alpha{0}; ///< Bytes per picosecond below the target.
    double m_fair{0};  ///< Bytes.
    double m_steady{0};
    double m_fastScale{0};

    uint64_t m_fastBytes{0}; ///< Reported without delay, in a row.
    bool m_isFast{false};
    Time m_lastCut;
    Time m_lastAdjustment;
    Time m_averaged;      ///< Time of the last sample.
    Time m_quickAdaptEnd; ///< Zero: no interval has begun.
    bool m_isTriggered{false};
    uint64_t m_ignoredBytes{0};
    uint64_t m_toIgnoreBytes{0};
    MedianFilter m_delays;
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_NSCC_H
