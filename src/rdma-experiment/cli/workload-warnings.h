// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_WARNINGS_H
#define RDMA_WORKLOAD_WARNINGS_H

#include "ns3/run-input.h"

namespace ns3::rdma
{

/// Prints the warnings of the topology and of all workloads about a run to standard error.
void PrintWarnings(RunInput& input);

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_WARNINGS_H
