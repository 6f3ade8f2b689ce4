// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OVERSUBSCRIBED_RATE_H
#define RDMA_OVERSUBSCRIBED_RATE_H

#include "ns3/credit-scheduler.h"
#include "ns3/random-stream.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief Reduces the rate at which a receiver grants credit if links between switches are
 * congested.
 *
 * The rule of uet-htsim (commit 40ccb05, OversubscribedCC); Ultra Ethernet 1.0.3 leaves it open.
 * After each interval, 0.75 to 1.25 times 1.5 base RTTs long, the share of the rate
 *
 * - falls by the share of packets that a switch before the last one has trimmed
 * - falls in proportion to the excess, if the averaged share of marked packets exceeds Target
 * - otherwise grows: by Increase if packets were marked, else by a step that begins with Increase
 * and doubles after each interval without a decrease.
 */
class OversubscribedRate
{
  public:
    struct Parameters
    {
        double target;   ///< Share of marked packets.
        double increase; ///< Of the share of the rate, for each interval.
        double decrease; ///< Factor of the excess over the target.
        double weight;   ///< Of the latest interval in the average.
        double least;    ///< Lower bound of the share.
    };

    /// @param baseRtt above zero
    OversubscribedRate(const Parameters& parameters, Tick baseRtt, RandomStream random);

    /// A data packet has arrived. Times never decrease.
    void OnPacket(const CreditDemand& demand);

    /// @return share of the rate, at most 1.
    double Get(Tick now);

  private:
    /// Packets of one interval.
    struct Counts
    {
        uint32_t all{0};
        uint32_t marked{0};
        uint32_t trimmed{0};
        uint32_t trimmedEarlier{0}; ///< Not in front of this receiver.
    };

    void UpdateUntil(Tick now);
    void Update();
    Tick NextInterval();

    Parameters m_parameters;
    Tick m_baseRtt;
    RandomStream m_random;
    Tick m_intervalEnd;
    Counts m_counts;
    double m_marked{0}; ///< Averaged share.
    double m_share{1};
    double m_step; ///< Of the next increase without marks.
};

} // namespace ns3::rdma

#endif // RDMA_OVERSUBSCRIBED_RATE_H
