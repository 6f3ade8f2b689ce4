// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESTART_AS_H
#define RDMA_RESTART_AS_H

#include <typeinfo>

namespace ns3::rdma
{

/// Gives a policy the state of a prototype of the same class, by assignment.
/// @return false, with nothing changed, if one of them is of a derived class, whose state an
/// assignment would not copy
template <typename Policy, typename Base>
bool
RestartAs(Policy& policy, const Base& prototype)
{
    if (typeid(policy) != typeid(Policy) || typeid(prototype) != typeid(Policy))
    {
        return false;
    }
    policy = static_cast<const Policy&>(prototype);
    return true;
}

} // namespace ns3::rdma

#endif // RDMA_RESTART_AS_H
