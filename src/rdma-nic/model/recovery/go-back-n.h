// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GO_BACK_N_H
#define RDMA_GO_BACK_N_H

#include "ns3/forks.h"
#include "ns3/loss-detector.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief All packets from the missing one on are lost (IBTA Vol. 1, Sections 9.7.5 and 9.7.6).
 *
 * The responder keeps nothing out of order and sends one NAK per gap, so that only the timer
 * detects a lost NAK or a lost tail.
 */
class GoBackN : public Restarts<GoBackN, LossDetector>
{
  public:
    static TypeId GetTypeId();
    DetectorTraits GetTraits() const override;
    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override;
    NextLook GetNextLook() const override;
};

} // namespace ns3::rdma

#endif // RDMA_GO_BACK_N_H
