// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/policy-error.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <new>

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

namespace
{
/// @return the text on one line.
std::string
JoinLines(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](char letter) { return letter == '\n' || letter == '\r'; },
        ' ');
    return text;
}
} // namespace

void
RethrowNamed(const Object& policy, const char* call)
{
    const std::string expected = "it to return";
    try
    {
        throw;
    }
    catch (const PolicyError&)
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        throw;
    }
    catch (const std::exception& error)
    {
        FailPolicy(policy, call, expected, "the exception \"" + JoinLines(error.what()) + '"');
    }
    catch (...)
    {
        FailPolicy(policy, call, expected, "something that is no std::exception");
    }
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
