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
 * Looks a setting up in ns-3's registry and applies the attribute's own checker.
 *
 * Times are exact to the picosecond and at most MAX_SECONDS; rates have no unit of bytes, which is
 * easily a slip.
 *
 * @param name full name, "ns3::rdma::Dcqcn::Gain"; the attribute must be declared by that very type
 * @param value as text
 * @param typeHint what a message adds behind the nearest names of an unknown type
 * @return what is wrong; nullopt if an object can be made with it
 */
std::optional<AttributeFault> FindAttributeFault(const std::string& name,
                                                 const std::string& value,
                                                 const std::string& typeHint = "");

/// @return what is wrong with the name of a type below a base type, which shall be made.
std::optional<AttributeFault> FindTypeFault(const std::string& name,
                                            const std::string& base,
                                            const std::string& typeHint = "");

/// All registered types below a base type that can be made, or all if the base is empty.
std::vector<TypeId> FindTypes(const std::string& base);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_FAULT_H
