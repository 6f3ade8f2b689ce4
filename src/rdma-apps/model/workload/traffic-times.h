// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_TIMES_H
#define RDMA_TRAFFIC_TIMES_H

#include "ns3/nstime.h"

namespace ns3::rdma
{

/// Times of a workload's traffic, from the start of the run.
struct TrafficTimes
{
    Time start;
    Time from;  ///< The end of the warm-up.
    Time until; ///< Nothing begins then or later.
};

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_TIMES_H
