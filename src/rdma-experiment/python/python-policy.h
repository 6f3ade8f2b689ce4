// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_POLICY_H
#define RDMA_PYTHON_POLICY_H

#include "ns3/policy-error.h"

#include <initializer_list>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// An exception that Python code raised while C++ called it; what() is one line about it.
class PythonError : public PolicyError
{
  public:
    PythonError(const std::string& line, const pybind11::error_already_set& error)
        : PolicyError(line),
          m_error(error)
    {
    }

    /// @return the exception itself.
    const pybind11::error_already_set& GetError() const
    {
        return m_error;
    }

  private:
    pybind11::error_already_set m_error;
};

/// An attribute of a Python class, as its declaration says.
struct PythonAttribute
{
    std::string name;
    std::string help;
    std::string kind; ///< "double", "integer", "boolean", "string", "time" or "rate".
    std::string initial;
    std::string minimum; ///< Empty: none.
    std::string maximum;
};

/// A Python class that scenarios can name, and what its instances are called for.
struct PythonClass
{
    std::string name;   ///< Of its TypeId, "python::RttAimd".
    std::string source; ///< File name, for the resolved scenario.
    pybind11::object type;
    pybind11::object base; ///< rocelab.CongestionControl, LoadBalancer or EntropySelector.
    std::vector<PythonAttribute> attributes;
};

/**
 * @brief The half of a policy that is a Python object; the other half derives from the interface.
 *
 * Makes the object when the attributes are set, calls its methods, and turns what goes wrong into
 * a PolicyError of one line.  All calls need the GIL, which a run with Python classes holds.
 */
class PythonPolicy
{
  public:
    virtual ~PythonPolicy() = default;

    /// During a call of a policy, lets the run end after it: the call completes.
    /// @return false: no policy is being called, or the run ends already
    static bool DeferInterrupt();

    /// @return whether an interrupt was deferred since the last call.
    static bool TakeInterrupt();

    /// Sets an attribute of the Python object.
    void SetValue(const std::string& name, const pybind11::object& value);

  protected:
    using Arguments = std::initializer_list<PyObject*>;

    /// @return this as the object that the NIC or the switch knows.
    virtual const Object& GetPolicy() const = 0;

    /// Makes the Python object unless it is there.
    void MakeInstance();

    /// Replaces the Python object by a copy of it, as copy.deepcopy() makes it.
    void CopyInstance();

    /// @return whether the class has a method of its own in place of the base's.
    bool Overrides(const char* method) const;

    /// @param method interned. @param arguments borrowed. @throws PythonError
    pybind11::object Call(const pybind11::str& method, Arguments arguments) const;

    /// @throws PolicyError
    [[noreturn]] void Fail(const char* call,
                           const std::string& expected,
                           const pybind11::handle& got) const;

  private:
    [[noreturn]] void Rethrow(const std::string& call) const;

    // All calls hold the GIL.
    static inline bool g_isCalling{false};
    static inline bool g_isInterrupted{false};

    const PythonClass* m_class{nullptr};
    pybind11::object m_instance;
};

} // namespace ns3::rdma

#endif // RDMA_PYTHON_POLICY_H
