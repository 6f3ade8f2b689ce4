// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_WARMING_H
#define FPGA_KV_WARMING_H

#include "ns3/kv-memory-engine.h"
#include "ns3/kv-operation.h"
#include "ns3/kv-table.h"

namespace ns3::rdma
{

/// Moves the lines of an operation into the NIC's DRAM, as the operation before the run would.  No
/// time passes, and nothing is counted.  A value is written unchanged.
/// @param store whose accesses are used; all of its keys exist
/// @param[in,out] accesses storage that calls reuse
void WarmKvMemory(KvMemoryEngine& memory,
                  KvTable& store,
                  const KvOperation& operation,
                  KvAccesses& accesses);

} // namespace ns3::rdma

#endif // FPGA_KV_WARMING_H
