// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/policy-error.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace ns3::rdma
{

void
FailPolicy(const Object& policy,
           const std::string& call,
           const std::string& expected,
           const std::string& got)
{
    throw PolicyError(policy.GetInstanceTypeId().GetName() + ": " + call + ": expected " +
                      expected + ", got " + got);
}

std::string
DescribeTick(Tick tick)
{
    return tick == TICK_NEVER ? "never" : std::to_string(tick) + " ps";
}

std::string
GetClassName(const std::type_info& type)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
        &std::free);
    return name ? name.get() : type.name();
}

} // namespace ns3::rdma
