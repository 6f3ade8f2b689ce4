// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POLICY_ERROR_H
#define RDMA_POLICY_ERROR_H

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/tick.h"

#include <stdexcept>
#include <string>

namespace ns3::rdma
{

/// A policy, perhaps of a plug-in, gave an answer that cannot be carried out. One line: its type,
/// the call, what was expected and what came.
class PolicyError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @param call as "GetLimit()"; @throws PolicyError
[[noreturn, gnu::cold]] void FailPolicy(const Object& policy,
                                        const std::string& call,
                                        const std::string& expected,
                                        const std::string& got);

/**
 * Only while an exception is handled that a policy has thrown.
 * @throws PolicyError that names the policy's type, the call and the exception's text; what names
 * its cause itself (PolicyError) and std::bad_alloc are thrown as they are
 */
[[noreturn, gnu::cold]] void RethrowNamed(const Object& policy, const char* call);

/// Calls a policy. @param call as "OnAck()" @return what body() does
/// @throws PolicyError as RethrowNamed() says. Costs nothing unless something is thrown.
template <typename Body>
[[gnu::always_inline]] inline decltype(auto)
CallPolicy(const Object& policy, const char* call, Body&& body)
{
    try
    {
        return body();
    }
    catch (...)
    {
        RethrowNamed(policy, call);
    }
}

/// @return a time for such a message.
std::string DescribeTick(Tick tick);

/// @return the C++ name of an object's class.
std::string GetClassName(const std::type_info& type);

/// @param made by the constructor of a registered type @return the same. @throws PolicyError if it
/// is another kind of object
template <typename Policy>
Ptr<Policy>
CastPolicy(const Ptr<Object>& made)
{
    Ptr<Policy> policy = DynamicCast<Policy>(made);
    if (!policy)
    {
        FailPolicy(*made,
                   "AddConstructor()",
                   "the class of a " + Policy::GetTypeId().GetName(),
                   GetClassName(typeid(*PeekPointer(made))));
    }
    return policy;
}

/// @return an object of a registered type, with the defaults of its class. @throws PolicyError as
/// CastPolicy()
template <typename Policy>
Ptr<Policy>
MakePolicy(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return CastPolicy<Policy>(factory.Create());
}

} // namespace ns3::rdma

#endif // RDMA_POLICY_ERROR_H
