// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEMORY_DESIGN_H
#define RDMA_MEMORY_DESIGN_H

#include "ns3/memory-account.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-accounts
 * @brief What is published about the on-chip memory of one NIC.
 *
 * Not modelled: what no source states, such as all but the contexts of a ConnectX.
 */
struct NicMemoryDesign
{
    std::string name;        ///< Of the preset; "conceptual" has none.
    std::string description; ///< With its source.
    NicMemoryConfig config;
    bool isPartial{false}; ///< The account lacks what is not published: no sum of it.
    uint32_t defaultQueuePairs{0};
    std::optional<uint64_t> statedBytes;          ///< Whole on-chip memory, as published.
    std::optional<uint32_t> performantQueuePairs; ///< That work at full speed, as published.
};

/// All of them, for their own numbers of queue pairs.
const std::vector<NicMemoryDesign>& GetMemoryDesigns();

/// Sets the number of queue pairs, in all tables that depend on it.
void SetQueuePairs(NicMemoryDesign& design, uint32_t queuePairs);

} // namespace ns3::rdma

#endif // RDMA_MEMORY_DESIGN_H
