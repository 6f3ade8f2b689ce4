// SPDX-License-Identifier: GPL-2.0-only

#include "python-policy.h"

#include "python-registry.h"
#include "python-values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::rdma
{

namespace py = pybind11;

bool
PythonPolicy::DeferInterrupt()
{
    const bool isFirst = g_isCalling && !g_isInterrupted;
    g_isInterrupted |= isFirst;
    return isFirst;
}

bool
PythonPolicy::TakeInterrupt()
{
    return std::exchange(g_isInterrupted, false);
}

void
PythonPolicy::MakeInstance()
{
    if (m_instance)
    {
        return;
    }
    m_class = &FindPythonClass(GetPolicy().GetInstanceTypeId().GetName());
    m_instance = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(m_class->type.ptr()));
    if (!m_instance)
    {
        Rethrow("__init__()");
    }
    if (Py_TYPE(m_instance.ptr()) != reinterpret_cast<PyTypeObject*>(m_class->type.ptr()))
    {
        Fail("__new__()", "an object of the class", m_instance);
    }
}

void
PythonPolicy::SetValue(const std::string& name, const py::object& value)
{
    MakeInstance();
    if (PyObject_SetAttrString(m_instance.ptr(), name.c_str(), value.ptr()) != 0)
    {
        Rethrow("attribute " + name);
    }
}

void
PythonPolicy::CopyInstance()
{
    static PyObject* const deepcopy =
        py::object(py::module_::import("copy").attr("deepcopy")).release().ptr();
    const auto copy =
        py::reinterpret_steal<py::object>(PyObject_CallOneArg(deepcopy, m_instance.ptr()));
    if (!copy)
    {
        Rethrow("copy.deepcopy()");
    }
    if (copy.is(m_instance))
    {
        Fail("copy.deepcopy()", "a new object", copy);
    }
    if (Py_TYPE(copy.ptr()) != Py_TYPE(m_instance.ptr()))
    {
        Fail("copy.deepcopy()", "an object of the class", copy);
    }
    m_instance = copy;
}

bool
PythonPolicy::Overrides(const char* method) const
{
    return !m_class->type.attr(method).is(m_class->base.attr(method));
}

py::object
PythonPolicy::Call(const py::str& method, Arguments arguments) const
{
    constexpr std::size_t MOST{4};
    std::array<PyObject*, MOST> all{m_instance.ptr()};
    std::copy(arguments.begin(), arguments.end(), all.begin() + 1);
    g_isCalling = true;
    auto result = py::reinterpret_steal<py::object>(
        PyObject_VectorcallMethod(method.ptr(), all.data(), arguments.size() + 1, nullptr));
    g_isCalling = false;
    if (!result)
    {
        Rethrow(py::cast<std::string>(method) + "()");
    }
    return result;
}

void
PythonPolicy::Fail(const char* call, const std::string& expected, const py::handle& got) const
{
    FailPolicy(GetPolicy(), call, expected, DescribeValue(got));
}

void
PythonPolicy::Rethrow(const std::string& call) const
{
    const py::error_already_set error;
    throw PythonError(GetPolicy().GetInstanceTypeId().GetName() + ": " + call +
                          ": expected it to return, got " + DescribeException(error),
                      error);
}

} // namespace ns3::rdma
