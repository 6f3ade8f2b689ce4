// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEAP_SCHEDULER_RUN_H
#define RDMA_HEAP_SCHEDULER_RUN_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * Measures ns-3's own DefaultSimulatorImpl with HeapScheduler: events that do nothing but schedule
 * themselves again after a random delay (the hold model of event queue studies).  In a process of
 * its own, since it chooses the simulator.
 *
 * @param pending events that wait at any time; @param count events to run
 * @return events per second of processor time
 */
double MeasureHeapScheduler(uint32_t pending, uint64_t count);

} // namespace ns3::rdma

#endif // RDMA_HEAP_SCHEDULER_RUN_H
