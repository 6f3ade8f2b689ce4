// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ATTRIBUTE_USE_H
#define RDMA_ATTRIBUTE_USE_H

#include "ns3/scenario.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3::rdma
{

using AttributeMap = std::map<std::string, std::string>;

/**
 * @ingroup rdma-scenario
 * @brief Finds out whose attributes the objects of a design read when they are made.
 *
 * While it lives, attributes are ns-3's defaults, replaced by values that notice being copied into
 * an object: so it holds for classes of plug-ins, and for objects that others are made of.  Only
 * one at a time; at the end all defaults are the classes' own.
 */
class AttributeWatch
{
  public:
    explicit AttributeWatch(const AttributeMap& attributes);
    ~AttributeWatch();
    AttributeWatch(const AttributeWatch&) = delete;
    AttributeWatch& operator=(const AttributeWatch&) = delete;

    /// @param attribute full name, one of those given
    /// @return whether an object was made that has it; true if that cannot be noticed.
    bool IsUsed(const std::string& attribute) const;

  private:
    void Watch(const std::string& type);

    std::map<std::string, std::unique_ptr<bool>> m_isUsed; ///< By type.
};

/// What a NIC is made of.
struct NicDesign
{
    std::set<std::string> classes; ///< RdmaNic and the policies that it names.
    std::set<std::string> used;    ///< Those of its attributes that have an effect.
};

/// @param attributes of a NIC, complete @throws PolicyError if one of its classes is none
NicDesign FindNicDesign(const AttributeMap& attributes);

/// @param attributes loses those that have an effect on the fabric
/// @param loadBalancer TypeId name; empty: the switch's own @return those
AttributeMap TakeFabricAttributes(AttributeMap& attributes, const std::string& loadBalancer);

/// @return where an attribute would have an effect, for a message that begins with its name:
/// ", which irn and srnic have".
std::string DescribeOwner(const std::string& attribute, const std::string& value);

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_USE_H
