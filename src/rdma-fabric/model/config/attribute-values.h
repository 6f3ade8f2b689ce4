// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATTRIBUTE_VALUES_H
#define RDMA_ATTRIBUTE_VALUES_H

#include "ns3/object-factory.h"
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
 * A set changes no process-wide default, so that several sets can be in use.  An attribute that is
 * not in the set keeps its class's default.
 */
class AttributeValues
{
  public:
    using Map = std::map<std::string, std::string>;

    /**
     * Sets an attribute, replacing an earlier value.
     * @param name full name, with the type that declares the attribute: "ns3::rdma::Dcqcn::Gain"
     * @param value as text
     * @throws std::invalid_argument with the fault that FindAttributeFault() returns
     */
    void Set(const std::string& name, const std::string& value);

    /// @return the value in the set; nullopt if the class's default applies.
    std::optional<std::string> Find(const std::string& name) const;

    /// @return the values by full name, sorted.
    const Map& GetAll() const
    {
        return m_values;
    }

    /// @param type T or a type derived from it
    /// @return an object with the values of its type and of its parents
    /// @throws PolicyError if the constructor of the type makes an object that is no T
    template <typename T>
    Ptr<T> Create(TypeId type = T::GetTypeId()) const
    {
        return CastPolicy<T>(CreateOf(type));
    }

    /// Sets the attributes of an object, and of the objects that it holds, to the values in the
    /// set.
    void ApplyTo(Object& object) const;

  private:
    /// @return the values of a type and of its parents, by attribute name.
    Map GetValuesOf(TypeId type) const;
    Ptr<Object> CreateOf(TypeId type) const;

    Map m_values;
    /// Factories of the types that were created, with the values read from their texts.
    mutable std::map<TypeId, ObjectFactory> m_factories;
};

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_VALUES_H
