// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATTRIBUTE_VALUES_H
#define RDMA_ATTRIBUTE_VALUES_H

#include "ns3/policy-error.h"

#include <map>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Values of ns-3 attributes by their full names, and objects made with them.
 *
 * Changes no process-wide default: two sets can be used side by side.  An attribute that is not in
 * the set keeps its class's default.
 */
class AttributeValues
{
  public:
    using Map = std::map<std::string, std::string>;

    /**
     * Sets an attribute, replacing an earlier value.
     * @param name full, of the type that declares it: "ns3::rdma::Dcqcn::Gain"
     * @param value as text
     * @throws std::invalid_argument as FindAttributeFault() says: names the nearest attribute or
     * type
     */
    void Set(const std::string& name, const std::string& value);

    /// @return the value set; nullopt: the class's default holds.
    std::optional<std::string> Find(const std::string& name) const;

    /// @return full name to value, sorted.
    const Map& GetAll() const
    {
        return m_values;
    }

    /// @param type T or derived from it @return an object with the values of its type and of the
    /// types above. @throws PolicyError if its constructor makes another kind of object
    template <typename T>
    Ptr<T> Create(TypeId type = T::GetTypeId()) const
    {
        return CastPolicy<T>(CreateOf(type));
    }

    /// Sets what the set holds of the object's type and of the types above.
    void ApplyTo(Object& object) const;

  private:
    /// @return attribute name and value, of a type and of those above it.
    Map GetValuesOf(TypeId type) const;
    Ptr<Object> CreateOf(TypeId type) const;

    Map m_values;
};

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_VALUES_H
