// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_WARNINGS_H
#define RDMA_WORKLOAD_WARNINGS_H

#include "ns3/scenario.h"

namespace ns3::rdma
{

/// Prints what a workload would have its user know before a run, to standard error.
void PrintWarnings(const Scenario& scenario);

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_WARNINGS_H
