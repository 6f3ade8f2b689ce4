// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_VALUES_H
#define RDMA_PYTHON_VALUES_H

#include "ns3/congestion-control.h"
#include "ns3/entropy-selector.h"
#include "ns3/frame.h"
#include "ns3/out-of-order-admission.h"

#include <initializer_list>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>

namespace ns3::rdma
{

/// The classes of the module rocelab.runs.policies that the bindings make objects of, all of them
/// named tuples. Times in picoseconds, rates in bit/s.
struct PythonValueTypes
{
    pybind11::object pathInfo;
    pybind11::object ackEvent;
    pybind11::object intHop;
    pybind11::object lossEvent;
    pybind11::object sendLimit;
    pybind11::object frameInfo;
    pybind11::object entropyFacts;
    pybind11::object earlyPacket;
};

/// @return those of the interpreter. Needs the GIL, as all below.
const PythonValueTypes& GetPythonValueTypes();

/// @return the name of a method, as lookups are fastest with it.
pybind11::str Intern(const char* name);

pybind11::object ToPython(const PathInfo& path);
pybind11::object ToPython(const AckEvent& ack);
pybind11::object ToPython(const LossEvent& loss);
pybind11::object ToPython(const Frame& frame);
pybind11::object ToPython(const EntropyFacts& facts);
pybind11::object ToPython(const EarlyPacket& packet);

/// @return a whole number, toward zero, at most the largest in size that 63 bits hold; unset of
/// what is no number, and of NaN.
std::optional<int64_t> ToWhole(const pybind11::handle& value);

/// @return an object on one line, shortened.
std::string DescribeValue(const pybind11::handle& value);

/// @return the type of an exception, its text and the line of Python where it was raised; one line.
std::string DescribeException(const pybind11::error_already_set& error);

} // namespace ns3::rdma

#endif // RDMA_PYTHON_VALUES_H
