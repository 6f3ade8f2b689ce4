// SPDX-License-Identifier: GPL-2.0-only
#ifndef TEST_NONSENSE_FAULT_H
#define TEST_NONSENSE_FAULT_H

#include "ns3/string.h"
#include "ns3/type-id.h"

#include <stdexcept>
#include <string>

/// Policies of plug-ins that do as good ones until the attribute "Fault" names what they do wrong.
namespace ns3::rdma
{

/// The part that all of them have.
class Fault
{
  public:
    bool Is(const char* name) const
    {
        return m_name == name;
    }

    /// @param call as "OnAck"
    void ThrowIn(const std::string& call) const
    {
        if (m_name == "throw in " + call)
        {
            throw std::runtime_error("nonsense in " + call);
        }
        if (m_name == "throw a number in " + call)
        {
            throw 42;
        }
    }

    void Set(std::string name)
    {
        m_name = name;
    }

    std::string Get() const
    {
        return m_name;
    }

  private:
    std::string m_name;
};

/// @param Policy has SetFault() and GetFault()
template <typename Policy, typename Parent>
TypeId
MakeNonsenseType(const char* name)
{
    return TypeId(name).SetParent<Parent>().template AddConstructor<Policy>().AddAttribute(
        "Fault",
        "What is wrong; empty: nothing",
        StringValue(""),
        MakeStringAccessor(&Policy::SetFault, &Policy::GetFault),
        MakeStringChecker());
}

#define NONSENSE_FAULT                                                                             \
    void SetFault(std::string name)                                                                \
    {                                                                                              \
        m_fault.Set(name);                                                                         \
    }                                                                                              \
    std::string GetFault() const                                                                   \
    {                                                                                              \
        return m_fault.Get();                                                                      \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    Fault m_fault

} // namespace ns3::rdma

#endif // TEST_NONSENSE_FAULT_H
