// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_RATE_KEYS_H
#define RDMA_LINK_RATE_KEYS_H

#include "ns3/fabric.h"
#include "ns3/json-value.h"
#include "ns3/scenario.h"

#include <vector>

namespace ns3::rdma
{

/// Declares the keys of an entry of "linkRates": degraded links and their rate.
void VisitLinkRate(Keys& keys, LinkRateSpec& spec);

/// @param value the same list @throws InputError if a link does not exist or is slower already
void CheckLinkRates(const std::vector<LinkRateSpec>& rates,
                    const TopologyGraph& topology,
                    const JsonValue& value);

/// @return the directions of links that have these rates, for Fabric::Build().
std::vector<ReducedRate> FindReducedRates(const std::vector<LinkRateSpec>& rates,
                                          const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_LINK_RATE_KEYS_H
