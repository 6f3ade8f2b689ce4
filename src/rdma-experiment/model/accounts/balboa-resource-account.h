// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_BALBOA_RESOURCE_ACCOUNT_H
#define RDMA_BALBOA_RESOURCE_ACCOUNT_H

#include "ns3/resource-account.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What of a BALBOA NIC decides on its size.
struct BalboaResourceConfig
{
    uint32_t queuePairs{500};          ///< BALBOA section 4.1: up to 500 by default.
    std::vector<std::string> services; ///< Of GetBalboaServiceNames(), one per slot.
};

/// @return the part of the Alveo U55C, for which the paper's Table 2 is (AMD DS978).
const FpgaPart& GetU55c();

/// @return services whose size is published.
std::vector<std::string> GetBalboaServiceNames();

/**
 * @ingroup rdma-accounts
 * @brief The logic, memory and registers of RoCE BALBOA, module by module, and of services in its
 * slots: the paper's Table 2 from the configuration.
 *
 * The memory of the tables per queue pair (connection, state, timer and MSN table, budgets of the
 * flow control) grows by steps of 512 entries, the depth of a block RAM of 36 Kb that is 72 bits
 * wide: so many blocks of 72 bits side by side hold the 500 queue pairs of the paper.  Logic and
 * registers do not change with the queue pairs, nor do FIFOs.  Each slot with a service has
 * hardware of its own.
 *
 * Not modelled: the shell, which the paper's table leaves out; what another clock would need.
 */
std::vector<ResourceLine> AccountBalboaResources(const BalboaResourceConfig& config);

} // namespace ns3::rdma

#endif // RDMA_BALBOA_RESOURCE_ACCOUNT_H
