// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SMARTT_H
#define RDMA_SMARTT_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief SMaRTT-REPS's window: marks say whether it moves up or down, the round trip how far.
 *
 * Bonato et al., arXiv 2404.01630, as its simulator does it (spcl/HTSIM, eqds.cpp).  Per answer of
 * b bytes, with a window w and a delay above the base RTT:
 *
 * - no mark, delay at least TargetDelay: w += FairIncrease b MTU / w;
 * - no mark, below it: w += min(b, MultiplicativeIncrease MTU (target - rtt) b / (w rtt)), too;
 * - mark, delay at least TargetDelay: w -= min(b, MultiplicativeDecrease b (rtt - target) / rtt),
 *   then the next line;
 * - mark, below it: w -= w FairDecrease b / largest window.
 *
 * A window of answers without delay and marks lets each further one add FastPackets.  Quick adapt,
 * once per target round trip after a trimmed or lost packet, sets the window to what has arrived in
 * the last one; the answers to what is then in flight do not move the window.  A trimmed packet
 * takes its size.  WaitToDecrease holds decreases until the averaged share of marks is above it.
 *
 * Windows count AckEvent::receivedBytes if the receiver sends reports, else payload.  The delay is
 * without the time in hosts.
 *
 * Not modelled: REPS, an entropy selector of its own (RepsEntropy).  The simulator adds a full
 * packet per answer to what has arrived, this class the answer's bytes, and scales them by the
 * time that has passed as the simulator does.
 */
class Smartt : public Forks<Smartt, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    void OnLoss(const LossEvent& loss) override;
    void OnTrim(const TrimEvent& trim) override;
    void OnTimeout(const LossEvent& loss) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return bytes.
    double GetWindow() const;

  private:
    struct Parameters
    {
        Time targetDelay;
        double fairIncrease{0};
        double multiplicativeIncrease{0};
        double multiplicativeDecrease{0};
        double fairDecrease{0};
        double fastPackets{0};
        Time fastLimit;
        double waitToDecrease{0};
        double averageWeight{0};
        double largestWindow{0};
    };

    void Lose(uint64_t bytes, uint64_t inFlightBytes, Time now);
    /// @return whether the window was set.
    bool QuickAdapt(uint64_t inFlightBytes, Time now);
    /// @return whether the answer was one of a fast increase.
    bool RaiseFast(double bytes, Time delay, bool isMarked);
    void Move(double bytes, double rttPs, Time delay, bool isMarked);

    DataRate m_lineRate;
    Time m_baseRtt;
    double m_packetBytes{0}; ///< Of a full packet, in the unit of windows.
    double m_bytes{0};
    double m_maxBytes{0};
    double m_fastBytes{0};     ///< Without delay and marks, in a row.
    double m_fastWindow{0};    ///< The window when the last answer with delay or mark came.
    double m_marks{0};         ///< Averaged share of answers with a mark.
    double m_arrivedBytes{0};  ///< Since the last check of quick adapt.
    double m_toIgnoreBytes{0}; ///< Of answers that do not move the window.
    bool m_hasLoss{false};     ///< Since the last quick adapt.
    Time m_checkAt;            ///< Of quick adapt. Zero: no interval has begun.
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_SMARTT_H
