// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATTRIBUTE_FAULT_H
#define RDMA_ATTRIBUTE_FAULT_H

#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Why an attribute setting cannot be applied, as the two halves of a message.
struct AttributeFault
{
    std::string expected;
    std::string got;
};

/**
 * Looks up an attribute in ns-3's registry and applies the attribute's checker to a value.
 *
 * Times are exact to the picosecond and at most MAX_SECONDS. Rates in bytes are refused, since B
 * for b is a common typing error.
 *
 * @param name full name, "ns3::rdma::Dcqcn::Gain"; that type must declare the attribute itself
 * @param value as text
 * @param typeHint text that a message appends to the nearest names of an unknown type
 * @return the fault; nullopt if the value is valid
 */
std::optional<AttributeFault> FindAttributeFault(const std::string& name,
                                                 const std::string& value,
                                                 const std::string& typeHint = "");

/// @return the fault of a name, unless it names a type that is derived from a base type and can be
/// created: then nullopt.
std::optional<AttributeFault> FindTypeFault(const std::string& name,
                                            const std::string& base,
                                            const std::string& typeHint = "");

/// @return all registered types with a constructor that are derived from a base type; from any type
/// if the base is empty.
std::vector<TypeId> FindTypes(const std::string& base);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_FAULT_H
