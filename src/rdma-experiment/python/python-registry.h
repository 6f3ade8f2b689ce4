// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_REGISTRY_H
#define RDMA_PYTHON_REGISTRY_H

#include "python-policy.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Makes a Python class known to ns-3 as a type with attributes. A class of the same name takes the
 * place of the one before: a cell of a notebook may be run again.
 *
 * @throws InputError if an attribute is unsound, or differs from those of a class of this name
 * before, since ns-3's types are for good
 */
void RegisterPythonClass(const PythonClass& one);

/// @param name of a TypeId that was registered so
const PythonClass& FindPythonClass(const std::string& name);

/// @return whether there is any: then a run may call Python at any time.
bool HasPythonClasses();

/// @return "python::RttAimd (rtt-aimd.py)" of each class that a resolved scenario names.
std::vector<std::string> FindUsedClasses(const std::string& scenarioText);

/// @return an attribute's default as Python has it: times in picoseconds, rates in bit/s.
/// @throws InputError
pybind11::object ParseInitialValue(const PythonAttribute& attribute);

} // namespace ns3::rdma

#endif // RDMA_PYTHON_REGISTRY_H
