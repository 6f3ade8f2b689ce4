// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ATTRIBUTE_CHECK_H
#define RDMA_ATTRIBUTE_CHECK_H

#include "ns3/attribute-fault.h"
#include "ns3/keys.h"

#include <functional>
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

/// Reads full names and values of attributes that a type has. @param type its name
/// @throws InputError
std::map<std::string, std::string> ReadOwnAttributes(const JsonValue& value,
                                                     const std::string& type);

/// Reads an object of full attribute names and values, checked. @throws InputError
std::map<std::string, std::string> ReadAttributes(const JsonValue& value);

/// Declares "attributes". @param read of an object that is there
Key VisitAttributes(Keys& keys,
                    std::map<std::string, std::string>& attributes,
                    const std::function<std::map<std::string, std::string>(const JsonValue&)>& read,
                    const char* meaning);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_CHECK_H
