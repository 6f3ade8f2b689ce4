// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_LOSS_KEYS_H
#define RDMA_LINK_LOSS_KEYS_H

#include "ns3/fabric.h"
#include "ns3/json-value.h"
#include "ns3/scenario.h"

#include <vector>

namespace ns3::rdma
{

/// Declares the keys of an entry of "losses": a loss model and the links that have it.
void VisitLinkLoss(Keys& keys, LinkLossSpec& loss);

/// @param value the same list @throws InputError if a link is not there
void CheckLinkLosses(const std::vector<LinkLossSpec>& losses,
                     const TopologyGraph& topology,
                     const JsonValue& value);

/// Gives the links of a fabric their models, with a random stream for each direction.
void ApplyLinkLosses(const std::vector<LinkLossSpec>& losses, uint64_t seed, Fabric& fabric);

} // namespace ns3::rdma

#endif // RDMA_LINK_LOSS_KEYS_H
