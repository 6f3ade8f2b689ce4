// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_RUN_H
#define RDMA_PYTHON_RUN_H

#include "ns3/scenario-reader.h"

#include <optional>
#include <pybind11/pybind11.h>
#include <string>

namespace ns3::rdma
{

/// Reads a scenario as a run of Python has it: with its plug-ins, and the Python classes that it
/// names. @throws InputError, or PythonError of a class
Scenario ReadPythonScenario(const std::string& file, const ScenarioChanges& changes);

/**
 * Called when the interpreter ends. Stops a run of another thread and waits for its end, at most 10
 * s, while that thread may still use Python. The thread then sleeps: to return into an interpreter
 * that is being taken down would end the process with an abort.
 */
void EndRunAtExit();

/**
 * Runs the NICs of a scenario one after the other in this process and writes their results.
 *
 * Python's signal handlers are called every 50 ms, and other threads of Python run: all the time,
 * or at these moments if there are Python classes.
 *
 * @param out folder of the results
 * @param progress called at these moments with the NIC's name, flows done, all flows (0: not
 * known), simulated picoseconds and packet-hops; None: not called
 * @return a list of dicts, one for each NIC: name, folder, status, result, troubles, violations
 * @throws InputError, std::runtime_error with one line, PythonError, or what a signal handler or
 * progress has thrown
 */
pybind11::list RunPythonScenario(const Scenario& scenario,
                                 const std::string& out,
                                 const pybind11::object& progress);

} // namespace ns3::rdma

#endif // RDMA_PYTHON_RUN_H
