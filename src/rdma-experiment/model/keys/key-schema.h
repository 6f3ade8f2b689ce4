// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_SCHEMA_H
#define RDMA_KEY_SCHEMA_H

#include "ns3/key-list.h"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace ns3::rdma
{

/// @return the JSON Schema (draft 7) of an object with these keys and no other one. It accepts each
/// object that the program accepts; of conditions between keys it has only Keys::Form().
nlohmann::ordered_json MakeSchema(const std::vector<KeyInfo>& keys);

/// Adds a key to such a schema. @param value JSON Schema of its value
void AddToSchema(nlohmann::ordered_json& schema,
                 const char* name,
                 nlohmann::ordered_json value,
                 bool isRequired = false);

} // namespace ns3::rdma

#endif // RDMA_KEY_SCHEMA_H
