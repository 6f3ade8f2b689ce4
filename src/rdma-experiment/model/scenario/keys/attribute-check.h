// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ATTRIBUTE_CHECK_H
#define RDMA_ATTRIBUTE_CHECK_H

#include "ns3/attribute-fault.h"
#include "ns3/json-value.h"

#include <map>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * FindAttributeFault() for what a user of scenarios writes: refuses what a key of the scenario
 * sets, too, and says where types of plug-ins come from.
 */
std::optional<AttributeFault> FindSettingFault(const std::string& name, const std::string& value);

/**
 * Reads the name of a type that can be made and is derived from base.
 * @throws InputError naming the nearest types
 */
std::string ReadTypeName(const JsonValue& value, const std::string& base);

/// Reads full names and values of attributes that a type has. @param type its name
/// @throws InputError
std::map<std::string, std::string> ReadOwnAttributes(const JsonValue& value,
                                                     const std::string& type);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_CHECK_H
