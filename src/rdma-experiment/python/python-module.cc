// SPDX-License-Identifier: GPL-2.0-only

#include "python-registry.h"
#include "python-run.h"

#include "ns3/attribute-fault.h"
#include "ns3/input-error.h"
#include "ns3/nic-design.h"
#include "ns3/nic-presets.h"
#include "ns3/scenario-writer.h"

#include <pybind11/stl.h>

namespace ns3::rdma
{

namespace py = pybind11;

namespace
{

/// What Python gives about a scenario, in the order of rocelab.runs.lab: a file, a text in its
/// place or None, then changes. @throws InputError
Scenario
ReadRequest(const py::tuple& request)
{
    std::size_t next = 0;
    const auto take = [&](auto& value) {
        value = request[next++].cast<std::decay_t<decltype(value)>>();
    };
    std::string file;
    ScenarioChanges changes;
    take(file);
    take(changes.text);
    take(changes.sets);
    take(changes.nics);
    take(changes.seed);
    take(changes.hasSeries);
    take(changes.plugins);
    return ReadPythonScenario(file, changes);
}

/// Names the nearest preset if there is none of that name. @throws InputError
void
CheckPreset(const std::string& preset)
{
    try
    {
        NicDesign::FromPreset(preset);
    }
    catch (const std::invalid_argument& error)
    {
        throw InputError(error.what());
    }
}

/// @throws InputError of a name or value that no object can be made with
void
CheckAttribute(const std::string& name, const std::string& value)
{
    if (const auto fault = FindAttributeFault(name, value))
    {
        throw InputError(name + ": expected " + fault->expected + ", got " + fault->got);
    }
}

std::vector<std::pair<std::string, std::string>>
ListPresets()
{
    std::vector<std::pair<std::string, std::string>> presets;
    for (const NicPreset& preset : GetNicPresets())
    {
        presets.emplace_back(preset.name, preset.description);
    }
    return presets;
}

/// @return a class of rocelab.errors.
py::object
GetErrorType(const char* name)
{
    return py::module_::import("rocelab.errors").attr(name);
}

/// Bad input, failures, and what Python has thrown come out as the exceptions of rocelab.errors.
void
TranslateException(std::exception_ptr thrown)
{
    try
    {
        std::rethrow_exception(thrown);
    }
    catch (const PythonError& error)
    {
        py::error_already_set cause(error.GetError());
        if (cause.matches(PyExc_Exception))
        {
            py::raise_from(cause, GetErrorType("RunError").ptr(), error.what());
        }
        else
        {
            cause.restore(); // KeyboardInterrupt, SystemExit.
        }
    }
    catch (const InputError& error)
    {
        PyErr_SetString(GetErrorType("InputError").ptr(), error.what());
    }
    catch (const std::runtime_error& error)
    {
        PyErr_SetString(GetErrorType("RunError").ptr(), error.what());
    }
}

void
RegisterClass(const std::string& name,
              const std::string& source,
              const py::object& type,
              const py::object& base,
              const std::vector<PythonAttribute>& attributes)
{
    RegisterPythonClass({name, source, type, base, attributes});
}

} // namespace

// Arguments and meaning are described in utils/rocelab/_core.pyi.
PYBIND11_MODULE(_core, module)
{
    // Links of 400 Gb/s send a byte in 20 ps.
    Time::SetResolution(Time::PS);
    py::register_exception_translator(&TranslateException);
    module.attr("VERSION") = ROCELAB_VERSION;
    module.def("check",
               [](const py::tuple& request) { return WriteScenario(ReadRequest(request)); });
    module.def("run",
               [](const py::tuple& request, const std::string& out, const py::object& progress) {
                   return RunPythonScenario(ReadRequest(request), out, progress);
               });
    module.def("end_run", &EndRunAtExit);
    module.def("defer_interrupt", &PythonPolicy::DeferInterrupt);
    module.def("check_preset", &CheckPreset);
    module.def("check_attribute", &CheckAttribute);
    module.def("list_presets", &ListPresets);
    py::class_<PythonAttribute>(module, "Attribute")
        .def(py::init<std::string,
                      std::string,
                      std::string,
                      std::string,
                      std::string,
                      std::string>())
        .def_property_readonly("default", &ParseInitialValue);
    module.def("register_class", &RegisterClass);
}

} // namespace ns3::rdma
