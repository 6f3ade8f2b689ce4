// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FORKS_H
#define RDMA_FORKS_H

#include "ns3/object.h"

#include <typeinfo>
#include <utility>

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief Gives a policy Fork(), by its copy constructor.
 *
 * @tparam Self the policy, which derives from this class
 * @tparam Base its interface, or a policy that Self extends
 */
template <typename Self, typename Base>
class Forks : public Base
{
  public:
    decltype(std::declval<const Base&>().Fork()) Fork() const override
    {
        return CopyObject(Ptr<const Self>(static_cast<const Self*>(this)));
    }
};

/**
 * @ingroup rdma-cc
 * @brief Gives a policy Fork() and Restart(), by its copy constructor and its assignment.
 *
 * Restart() returns false, with nothing changed, if one of the objects is of a class that derives
 * from Self: an assignment would not copy its state.
 */
template <typename Self, typename Base>
class Restarts : public Forks<Self, Base>
{
  public:
    bool Restart(const Base& prototype) override
    {
        if (typeid(*this) != typeid(Self) || typeid(prototype) != typeid(Self))
        {
            return false;
        }
        static_cast<Self&>(*this) = static_cast<const Self&>(prototype);
        return true;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FORKS_H
