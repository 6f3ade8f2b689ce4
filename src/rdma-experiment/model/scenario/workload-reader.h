// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_WORKLOAD_READER_H
#define RDMA_WORKLOAD_READER_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/// Reads the "workload" of a scenario; node ids are not checked here. @throws InputError
WorkloadSpec ReadWorkload(const JsonValue& value, const ServerGroups& groups = {});

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_READER_H
