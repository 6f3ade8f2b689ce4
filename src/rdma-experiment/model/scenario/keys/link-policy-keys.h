// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_POLICY_KEYS_H
#define RDMA_LINK_POLICY_KEYS_H

#include "ns3/fabric.h"
#include "ns3/json-value.h"
#include "ns3/scenario.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Declares the keys of an entry of "links": credits and retransmission of links.
void VisitLinkPolicy(Keys& keys, LinkPolicySpec& spec);

/// @param value the same list @throws InputError if a link is not there
void CheckLinkPolicies(const std::vector<LinkPolicySpec>& specs,
                       const TopologyGraph& topology,
                       const JsonValue& value);

/// @param config with the attributes of the switches @param nic its name
/// @return what is wrong with an entry that has credits, from "credits: expected" on; empty:
/// nothing
std::string FindCreditFault(const LinkPolicySpec& spec,
                            const FabricConfig& config,
                            const std::string& nic);

/// @return the policies of all links that have any, for Fabric::Build().
std::vector<LinkPolicies> MakeLinkPolicies(const std::vector<LinkPolicySpec>& specs,
                                           const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_LINK_POLICY_KEYS_H
