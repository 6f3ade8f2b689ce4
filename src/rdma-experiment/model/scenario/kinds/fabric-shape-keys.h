// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_SHAPE_KEYS_H
#define RDMA_FABRIC_SHAPE_KEYS_H

#include "ns3/json-value.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One of several ways to describe a topology.
struct ShapeForm
{
    std::string key;                  ///< Required, and only in this form.
    std::vector<std::string> details; ///< Further keys that only this form has.
};

/// @return the key of the form that is used. @throws InputError unless exactly one is
std::string ReadForm(const JsonValue& fabric, const std::vector<ShapeForm>& forms);

/// @return a number of nodes or links, from 1 to 65536; the key is required.
uint32_t ReadCount(const JsonValue& fabric, const char* key);

/// @return a number from least to 65536, or a default if there is no such key.
uint32_t ReadCountOr(const JsonValue& fabric, const char* key, uint32_t least, uint32_t otherwise);

/// @throws InputError unless a count is a multiple of another one
void CheckShare(const JsonValue& fabric,
                const char* key,
                uint32_t count,
                const char* otherKey,
                uint32_t other);

/// @param rates keys of the rates that it replaces, which may not be there with it
/// @return "oversubscription", from 0.01 to 1000, if it is there. @throws InputError
std::optional<double> ReadOversubscription(const JsonValue& fabric,
                                           const std::vector<std::string>& rates);

/// @return "planes", the number of disjoint copies of the fabric; 1 if it is not there.
uint32_t ReadPlanes(const JsonValue& fabric);

/// Adds the key that ReadPlanes() reads back; none for one plane.
void WritePlanes(uint32_t planes, nlohmann::ordered_json& fabric);

/// For topologies that give servers their NICs themselves.
/// @throws InputError if there is "nicsPerServer" or "portsPerNic"
void CheckOwnNics(const JsonValue& fabric);

/// @return the time under a key, or a default if there is no such key.
Time ReadDelayOr(const JsonValue& fabric, const char* key, Time otherwise);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_SHAPE_KEYS_H
