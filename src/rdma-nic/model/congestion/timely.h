// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMELY_H
#define RDMA_TIMELY_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief TIMELY: a rate that follows the gradient of the round trip.
 *
 * Mittal et al. 2015 (SIGCOMM), as in HPCC's simulator (rdma-hw.cc, UpdateRateTimely()); the text
 * of the paper was not available.  Per event, the difference to the last round trip is averaged
 * with weight Alpha, and divided by MinimumRtt.  Below LowThreshold the rate grows by
 * AdditiveIncrease; above HighThreshold it is multiplied by 1 - Beta (1 - HighThreshold / RTT).
 * Between them it grows by AdditiveIncrease, HyperFactor times that from the HyperEvents-th event
 * in a row on, while the gradient is 0 or less; else it is multiplied by 1 - Beta x gradient.
 *
 * An event is one answer per SampleBytes of acknowledged payload; with 0, one per round trip, as in
 * HPCC's simulator.  The first one only gives the first round trip.
 * Rates start at line rate, as there.  With WindowRtts the payload in flight is bounded, too, by
 * what the rate sends in that many base round trips: TIMELY+win of Li et al. 2019 (SIGCOMM),
 * VAR_WIN of HPCC's simulator.
 *
 * The round trip is without the time in hosts (AckEvent::hostTime).  Not modelled: bursts of whole
 * segments (packets are paced).
 */
class Timely : public Forks<Timely, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return the averaged difference of round trips, divided by MinimumRtt.
    double GetGradient() const;

  private:
    /// @throws std::invalid_argument if attributes contradict each other
    void NotifyConstructionCompleted() override;

    struct Parameters
    {
        double alpha{0};
        double beta{0};
        Time lowThreshold;
        Time highThreshold;
        Time minimumRtt;
        DataRate additiveIncrease;
        double hyperFactor{0};
        uint32_t hyperEvents{0};
        bool hyperBelowLow{false};
        DataRate minimumRate;
        uint64_t sampleBytes{0};
        double windowRtts{0};
    };

    void Update(double rttPs);
    void Raise(bool mayBeHyper);

    double m_lineRate{0}; ///< Bit/s, as all rates here.
    double m_rate{0};
    double m_baseRttPs{0};
    double m_lastRttPs{0};
    double m_differencePs{0}; ///< Averaged.
    uint32_t m_raises{0};     ///< In a row, as far as they count for HyperEvents.
    bool m_hasRtt{false};
    uint64_t m_ackedBytes{0}; ///< Total.
    uint64_t m_eventEnd{0};   ///< m_ackedBytes beyond which the next answer is an event.
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_TIMELY_H
