// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_EVENT_KEYS_H
#define RDMA_LINK_EVENT_KEYS_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// Declares the keys of an entry of "linkEvents": links that change.
void VisitLinkEvent(Keys& keys, LinkEvent& event);

/// @param value the same list @throws InputError if a link a server or a switch is not there
void CheckLinkEvents(const std::vector<LinkEvent>& events,
                     const TopologyGraph& graph,
                     const JsonValue& value);

} // namespace ns3::rdma

#endif // RDMA_LINK_EVENT_KEYS_H
