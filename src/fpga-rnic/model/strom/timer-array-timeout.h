// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TIMER_ARRAY_TIMEOUT_H
#define FPGA_TIMER_ARRAY_TIMEOUT_H

#include "ns3/timeouts.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-nic
 * @brief A fixed timeout with an array of timers in on-chip memory, one per queue pair, that is
 * scanned continuously (StRoM section 4.1).
 *
 * One entry is checked and decremented per cycle, so each entry is checked every QueuePairs cycles.
 * A timer is set to timeout / scan + 1 and expires at the first check that finds zero
 * (fpga-network-stack, transport_timer.hpp).  It is therefore late by up to two scans.  The array
 * limits the number of queue pairs.
 *
 * Not modelled: the cycle of a scan at which an entry is checked; all are checked at the start of a
 * scan.
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
