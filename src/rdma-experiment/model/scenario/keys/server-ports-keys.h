// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_PORTS_KEYS_H
#define RDMA_SERVER_PORTS_KEYS_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"
#include "ns3/server-ports.h"

namespace ns3::rdma
{

/// Declares "nicsPerServer" and "portsPerNic" of a fabric.
/// @param planes of the topology: the default of "portsPerNic", which may not contradict it
void VisitServerPorts(Keys& keys, ServerPortsSpec& spec, uint32_t planes);

/// @param fabric the same @throws InputError if "nicsPerServer" names a group that is not there
void CheckServerPorts(const ServerPortsSpec& spec,
                      const ServerGroups& groups,
                      const JsonValue& fabric);

/// @param nodes of the topology
ServerPorts MakeServerPorts(const ServerPortsSpec& spec,
                            const ServerGroups& groups,
                            std::size_t nodes);

} // namespace ns3::rdma

#endif // RDMA_SERVER_PORTS_KEYS_H
