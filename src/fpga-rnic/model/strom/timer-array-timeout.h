// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TIMER_ARRAY_TIMEOUT_H
#define FPGA_TIMER_ARRAY_TIMEOUT_H

#include "ns3/fixed-timeout.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-nic
 * @brief A fixed timeout whose timers are an array in on-chip memory, one entry per queue pair,
 * that is scanned all the time (StRoM section 4.1).
 *
 * One entry is looked at per cycle, so each of them every QueuePairs cycles, and is counted down by
 * one: a timer is set to timeout / scan + 1 and expires at the first look that finds zero
 * (fpga-network-stack, transport_timer.hpp).  So it is late by up to two scans.  A queue pair
 * beyond the array's entries cannot be made.
 *
 * Not modelled: at which cycle of a scan an entry's turn is; all are looked at when a scan begins.
 */
class TimerArrayTimeout : public FixedTimeout
{
  public:
    static TypeId GetTypeId();
    Time Get(const AwaitedAnswer& awaited) const override;
    Ptr<const RetransmissionTimeout> WithAckTimeout(Time timeout) const override;
    uint32_t GetMaxQueuePairs() const override;

  private:
    uint32_t m_queuePairs{0};
    uint64_t m_frequency{0};
};

} // namespace ns3::rdma

#endif // FPGA_TIMER_ARRAY_TIMEOUT_H
