// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GPU_CHECK_H
#define RDMA_GPU_CHECK_H

#include "ns3/scenario.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3::rdma
{

/**
 * Checks that the NICs of servers have a GPU beside them in all runs.
 * @param path of the workload @param bytes that each GPU must have at least
 * @throws InputError that names a server
 */
void CheckGpus(const Scenario& scenario,
               const std::set<uint32_t>& servers,
               const std::string& path,
               uint64_t bytes = 1);

} // namespace ns3::rdma

#endif // RDMA_GPU_CHECK_H
