// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETURNED_HEADERS_H
#define RDMA_RETURNED_HEADERS_H

#include "ns3/forks.h"
#include "ns3/loss-detector.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief A packet is lost if the receiver returns its header (DCP; CountedFlight names the
 * sources).
 *
 * A packet out of order is not lost, however far others are ahead.  After a timeout the packets of
 * the oldest message, which the flight names, are lost.  There is no bitmap: the receiver places
 * packets up to 2^22 PSNs ahead, the most that PSNs of 24 bits allow here.
 */
class ReturnedHeaders : public Restarts<ReturnedHeaders, LossDetector>
{
  public:
    static TypeId GetTypeId();
    DetectorTraits GetTraits() const override;
    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override;
    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override;
    NextLook GetNextLook() const override;
};

} // namespace ns3::rdma

#endif // RDMA_RETURNED_HEADERS_H
