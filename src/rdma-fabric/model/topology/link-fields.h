// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_FIELDS_H
#define RDMA_LINK_FIELDS_H

#include "ns3/field-reader.h"
#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// @param nodes ids are below this
/// @return the node id in a field. @throws InputError
uint32_t ReadNodeField(const FieldReader& reader, size_t index, uint32_t nodes);

/// Reads a line "node node rate delay loss", as "0 64 100Gbps 1000ns 0".  A rate without a unit is
/// in bit/s.
/// @return a link between two different nodes. @throws InputError
GraphLink ReadLinkFields(const FieldReader& reader, uint32_t nodes);

} // namespace ns3::rdma

#endif // RDMA_LINK_FIELDS_H
