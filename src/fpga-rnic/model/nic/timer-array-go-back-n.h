// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TIMER_ARRAY_GO_BACK_N_H
#define FPGA_TIMER_ARRAY_GO_BACK_N_H

#include "ns3/go-back-n.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-nic
 * @brief Go-back-N whose timers are an array in on-chip memory, one entry per queue pair, that is
 * scanned all the time (StRoM section 4.1).
 *
 * One entry is looked at per cycle, so each of them every QueuePairs cycles, and is counted down by
 * one: a timer is set to timeout / scan + 1 and expires at the first look that finds zero
 * (fpga-network-stack, transport_timer.hpp).  So it is late by up to two scans.  A queue pair
 * beyond the array's entries cannot be made.
 *
 * Not modelled: at which cycle of a scan an entry's turn is; all are looked at when a scan begins.
 */
class TimerArrayGoBackN : public GoBackN
{
  public:
    static TypeId GetTypeId();
    Ptr<LossRecovery> Fork() const override;
    Tick GetExpiry(Tick start, Tick timeout) const override;
    uint32_t GetMaxQueuePairs() const override;

  private:
    uint32_t m_queuePairs{0};
    uint64_t m_frequency{0};
};

} // namespace ns3::rdma

#endif // FPGA_TIMER_ARRAY_GO_BACK_N_H
