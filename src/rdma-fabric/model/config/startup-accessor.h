// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STARTUP_ACCESSOR_H
#define RDMA_STARTUP_ACCESSOR_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Accessor of an attribute that its object reads once, when the object starts. A later
 * change throws an exception instead of being ignored.
 */
class StartupAccessor : public AttributeAccessor
{
  public:
    /// @return whether an object has read its attributes.
    using StartedQuery = std::function<bool(const ObjectBase& object)>;

    /// @param accessor that reads and writes the attribute
    StartupAccessor(Ptr<const AttributeAccessor> accessor, StartedQuery hasStarted);

    /// @throws std::logic_error naming the attribute, if the object has started
    bool Set(ObjectBase* object, const AttributeValue& value) const override;
    bool Get(const ObjectBase* object, AttributeValue& value) const override;
    bool HasGetter() const override;
    bool HasSetter() const override;

  private:
    Ptr<const AttributeAccessor> m_accessor;
    StartedQuery m_hasStarted;
};

} // namespace ns3::rdma

#endif // RDMA_STARTUP_ACCESSOR_H
