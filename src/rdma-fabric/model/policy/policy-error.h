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

/// A policy, possibly of a plug-in, returned an invalid answer. The message is one line: the
/// policy's type, the call, the expected and the actual value.
class PolicyError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @param call for example "GetLimit()"
/// @throws PolicyError always
[[noreturn, gnu::cold]] void FailPolicy(const Object& policy,
                                        const std::string& call,
                                        const std::string& expected,
                                        const std::string& got);

/**
 * Only while an exception of a policy is being handled.
 * @throws PolicyError that names the policy's type, the call and the exception's text; a
 * PolicyError and std::bad_alloc are rethrown unchanged
 */
[[noreturn, gnu::cold]] void RethrowNamed(const Object& policy, const char* call);

/// Calls a policy.
/// @param call for example "OnAck()"
/// @return the result of body()
/// @throws PolicyError as RethrowNamed()
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

/// @return a time as text for the message of a PolicyError.
std::string DescribeTick(Tick tick);

/// @return the C++ name of an object's class.
std::string GetClassName(const std::type_info& type);

/// @param made by the constructor of a registered type
/// @return the same object
/// @throws PolicyError if the object is no Policy
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

/// @return an object of a registered type, with the defaults of its class.
/// @throws PolicyError as CastPolicy()
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
