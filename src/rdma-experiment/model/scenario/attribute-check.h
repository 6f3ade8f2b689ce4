// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ATTRIBUTE_CHECK_H
#define RDMA_ATTRIBUTE_CHECK_H

#include "ns3/json-value.h"
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
 * Looks a setting up in ns-3's registry and asks the attribute's own checker.
 *
 * @param name full name, "ns3::rdma::Dcqcn::Gain"; the attribute must be declared by that very type
 * @param value as text
 * @return what is wrong; nullopt if Config::SetDefault() would accept it
 */
std::optional<AttributeFault> FindAttributeFault(const std::string& name, const std::string& value);

/// All registered types below a base type that can be made, or all if the base is empty.
std::vector<TypeId> FindTypes(const std::string& base);

/**
 * Reads the name of a type that can be made and is derived from base.
 * @throws InputError naming the nearest types
 */
std::string ReadTypeName(const JsonValue& value, const std::string& base);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_CHECK_H
