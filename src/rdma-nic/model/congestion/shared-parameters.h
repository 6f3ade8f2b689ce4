// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHARED_PARAMETERS_H
#define RDMA_SHARED_PARAMETERS_H

#include "ns3/simple-ref-count.h"
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief Parameters that many objects share: the attributes of a policy's prototype and its forks,
 * the rules of a NIC's queue pairs.
 *
 * A copy of this object copies a pointer.  The first change of a value through a copy duplicates
 * the parameters.
 */
template <typename Parameters>
class SharedParameters
{
  public:
    SharedParameters()
        : m_held(new Held, false)
    {
    }

    explicit SharedParameters(const Parameters& parameters)
        : SharedParameters()
    {
        m_held->parameters = parameters;
    }

    const Parameters* operator->() const
    {
        return &m_held->parameters;
    }

    const Parameters& operator*() const
    {
        return m_held->parameters;
    }

    Parameters& Change()
    {
        if (m_held->GetReferenceCount() > 1)
        {
            Held* own = new Held;
            own->parameters = m_held->parameters;
            m_held = Ptr<Held>(own, false);
        }
        return m_held->parameters;
    }

  private:
    struct Held : public SimpleRefCount<Held>
    {
        Parameters parameters;
    };

    Ptr<Held> m_held;
};

/// An attribute that is a shared parameter, or one of its base.
/// @param initial, bounds as of MakeField()
template <typename Policy,
          typename Parameters,
          typename Field,
          typename Base,
          typename Initial,
          typename... Bounds>
AttributeField
Shared(SharedParameters<Parameters> Policy::*holder,
       Field Base::*field,
       const Initial& initial,
       Bounds... bounds)
{
    return MakeField<Field>(
        MakeFieldAccessor<Policy, Field>(
            [=](const Policy& policy) { return (*(policy.*holder)).*field; },
            [=](Policy& policy) -> Field& { return (policy.*holder).Change().*field; }),
        initial,
        bounds...);
}

} // namespace ns3::rdma

#endif // RDMA_SHARED_PARAMETERS_H
