// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ATTRIBUTE_USE_H
#define RDMA_ATTRIBUTE_USE_H

#include "ns3/scenario.h"

#include <map>
#include <set>
#include <string>

namespace ns3::rdma
{

using AttributeMap = std::map<std::string, std::string>;

/// Which of a NIC's attributes have an effect on it.
struct AttributeUse
{
    std::set<std::string> classes; ///< RdmaNic, the policies that it names, its hardware.
    std::set<std::string> used;    ///< Full names.
};

/**
 * Makes a NIC's policies, and what their attributes name in turn, to see which classes it has.
 * @param attributes of a NIC, complete @throws PolicyError if one of its classes is none
 */
AttributeUse FindAttributeUse(const AttributeMap& attributes);

/// @param attributes loses those that have an effect on the fabric
/// @param policies of the switches, by attribute @return those
AttributeMap TakeFabricAttributes(AttributeMap& attributes, const AttributeMap& policies);

/// @return where an attribute would have an effect, for a message that begins with its name:
/// ", which irn and srnic have".
std::string DescribeOwner(const std::string& attribute, const std::string& value);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_USE_H
