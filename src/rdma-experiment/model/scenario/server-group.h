// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_GROUP_H
#define RDMA_SERVER_GROUP_H

#include "ns3/key-reader.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return a context in which the groups are known. @param groups outlive it
KeyContext MakeContext(const ServerGroups& groups);

/// Declares "groups". Readers sort the servers.
void VisitServerGroups(Keys& keys, ServerGroups& groups);

/**
 * Reads "groups": name to a list of server numbers and of [first, last] ranges. A list of just two
 * numbers is one range, too.
 * @throws InputError for an empty group and for a server that is named twice
 */
ServerGroups ReadServerGroups(const JsonValue& value);

/// @throws InputError naming the group, if a member is no server of the topology
void CheckServerGroups(const ServerGroups& groups,
                       const TopologyGraph& graph,
                       const JsonValue& value);

/// @throws InputError at the value, naming the nearest, if there is no such group
void CheckGroupName(const std::string& name, const ServerGroups& groups, const JsonValue& value);

/// @return the name of a group. @throws InputError naming the nearest, if there is no such group
std::string ReadGroupName(const JsonValue& value, const ServerGroups& groups);

/// @return the servers of a group; none if the name is empty.
std::vector<uint32_t> FindMembers(const ServerGroups& groups, const std::string& name);

} // namespace ns3::rdma

#endif // RDMA_SERVER_GROUP_H
