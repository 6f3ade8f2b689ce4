// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_SHAPE_KEYS_H
#define RDMA_FABRIC_SHAPE_KEYS_H

#include "ns3/keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Declares "oversubscription", from 0.01 to 1000.
/// @param rates keys of the rates that it replaces, which may not be there with it
void VisitOversubscription(Keys& keys,
                           std::optional<double>& ratio,
                           const std::vector<const char*>& rates);

/// Declares "planes", the number of disjoint copies of the fabric.
void VisitPlanes(Keys& keys, uint32_t& planes);

/// For topologies that give servers their NICs themselves.
/// @throws InputError if there is "nicsPerServer" or "portsPerNic"
void CheckOwnNics(const JsonValue& fabric);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_SHAPE_KEYS_H
