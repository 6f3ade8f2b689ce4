// SPDX-License-Identifier: GPL-2.0-only

#include "python-values.h"

#include "ns3/int-stack.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::rdma
{

namespace py = pybind11;

namespace
{

/// @return a named tuple. @param fields new references, which become its own
py::object
MakeTuple(const py::object& type, std::initializer_list<PyObject*> fields)
{
    // A named tuple adds nothing to a tuple: this is what its constructor does in the end.
    auto* const made = reinterpret_cast<PyTypeObject*>(type.ptr());
    const auto tuple = py::reinterpret_steal<py::object>(
        made->tp_alloc(made, static_cast<Py_ssize_t>(fields.size())));
    if (!tuple)
    {
        throw py::error_already_set();
    }
    Py_ssize_t index = 0;
    for (PyObject* field : fields)
    {
        PyTuple_SET_ITEM(tuple.ptr(), index++, field);
    }
    return tuple;
}

PyObject*
FromTime(Time time)
{
    return PyLong_FromLongLong(time.GetPicoSeconds());
}

PyObject*
FromWhole(uint64_t value)
{
    return PyLong_FromUnsignedLongLong(value);
}

PyObject*
FromPath(const IntStack* path)
{
    if (!path)
    {
        return py::none().release().ptr();
    }
    py::tuple hops(path->GetCount());
    for (uint32_t i = 0; i < path->GetCount(); ++i)
    {
        const IntHop& hop = (*path)[i];
        hops[i] = MakeTuple(GetPythonValueTypes().intHop,
                            {PyLong_FromLongLong(hop.at),
                             FromWhole(hop.sentBytes),
                             FromWhole(hop.bitRate),
                             FromWhole(hop.queueBytes)});
    }
    return hops.release().ptr();
}

std::string
MakeOneLine(std::string text)
{
    constexpr std::size_t LONGEST{200};
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char c) { return c < ' ' || c == 127; },
        ' ');
    return text.size() <= LONGEST ? text : text.substr(0, LONGEST) + "...";
}

/// @return str() or repr() of an object, whatever these do.
std::string
GetText(PyObject* text)
{
    const auto held = py::reinterpret_steal<py::object>(text);
    const char* const bytes = held ? PyUnicode_AsUTF8(held.ptr()) : nullptr;
    if (!bytes)
    {
        PyErr_Clear();
        return "an object without a text";
    }
    return MakeOneLine(bytes);
}

/// @return " (FILE:LINE)" of the innermost call of an exception; empty if there is none.
std::string
DescribePlace(const py::error_already_set& error)
{
    py::object trace = error.trace();
    if (!trace || trace.is_none())
    {
        return "";
    }
    while (!trace.attr("tb_next").is_none())
    {
        trace = trace.attr("tb_next");
    }
    const auto file =
        py::cast<std::string>(trace.attr("tb_frame").attr("f_code").attr("co_filename"));
    return " (" + file.substr(file.rfind('/') + 1) + ":" +
           std::to_string(py::cast<long>(trace.attr("tb_lineno"))) + ")";
}

} // namespace

const PythonValueTypes&
GetPythonValueTypes()
{
    // Never freed: the interpreter may be gone when statics are destroyed.
    static const auto* const types = [] {
        const py::module_ module = py::module_::import("rocelab.runs.policies");
        return new PythonValueTypes{module.attr("PathInfo"),
                                    module.attr("AckEvent"),
                                    module.attr("IntHop"),
                                    module.attr("LossEvent"),
                                    module.attr("SendLimit"),
                                    module.attr("FrameInfo"),
                                    module.attr("EntropyFacts"),
                                    module.attr("EarlyPacket")};
    }();
    return *types;
}

py::str
Intern(const char* name)
{
    return py::reinterpret_steal<py::str>(PyUnicode_InternFromString(name));
}

py::object
ToPython(const PathInfo& path)
{
    return MakeTuple(GetPythonValueTypes().pathInfo,
                     {FromWhole(path.lineRate.GetBitRate()),
                      FromTime(path.baseRtt),
                      FromWhole(path.mtuBytes),
                      FromTime(path.ownRtt),
                      FromWhole(path.hops)});
}

py::object
ToPython(const AckEvent& ack)
{
    return MakeTuple(GetPythonValueTypes().ackEvent,
                     {FromTime(ack.now),
                      FromTime(ack.rtt),
                      FromWhole(ack.ackedBytes),
                      FromWhole(ack.inFlightBytes),
                      PyBool_FromLong(ack.isCeEchoed),
                      FromWhole(ack.markedBytes),
                      FromWhole(ack.unsentBytes),
                      FromTime(ack.hostTime),
                      FromPath(ack.path)});
}

py::object
ToPython(const LossEvent& loss)
{
    return MakeTuple(GetPythonValueTypes().lossEvent,
                     {FromTime(loss.now),
                      FromWhole(loss.lostBytes),
                      FromWhole(loss.inFlightBytes),
                      FromWhole(loss.expiries)});
}

py::object
ToPython(const Frame& frame)
{
    return MakeTuple(GetPythonValueTypes().frameInfo,
                     {FromWhole(frame.src),
                      FromWhole(frame.dst),
                      FromWhole(frame.entropy),
                      FromWhole(frame.wireBytes),
                      FromWhole(frame.payloadBytes),
                      FromWhole(frame.priority),
                      FromWhole(frame.srcQp),
                      FromWhole(frame.dstQp),
                      FromWhole(frame.psn),
                      FromWhole(frame.opcode),
                      PyBool_FromLong((frame.flags & frame_flag::CE) != 0),
                      PyBool_FromLong((frame.flags & frame_flag::RETRANSMISSION) != 0)});
}

py::object
ToPython(const EntropyFacts& facts)
{
    RandomStream random = facts.random;
    return MakeTuple(GetPythonValueTypes().entropyFacts,
                     {FromWhole(random.Next32()),
                      FromWhole(facts.bdpPackets),
                      FromTime(facts.baseRtt),
                      FromWhole(facts.planes)});
}

py::object
ToPython(const EarlyPacket& packet)
{
    return MakeTuple(GetPythonValueTypes().earlyPacket,
                     {FromWhole(packet.qpNumber),
                      FromWhole(packet.psn.Get()),
                      FromWhole(packet.ahead),
                      FromWhole(packet.payloadBytes),
                      PyBool_FromLong(packet.isRetransmission),
                      FromWhole(packet.heldByQueuePair),
                      FromWhole(packet.heldByNic)});
}

std::optional<int64_t>
ToWhole(const py::handle& value)
{
    constexpr int64_t MOST{std::numeric_limits<int64_t>::max()};
    if (PyLong_Check(value.ptr()))
    {
        int overflow = 0;
        const int64_t whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
        return overflow == 0 ? whole : overflow * MOST;
    }
    const double number = PyFloat_AsDouble(value.ptr()); // Of any type that has __float__().
    if (PyErr_Occurred() || std::isnan(number))
    {
        PyErr_Clear();
        return std::nullopt;
    }
    constexpr double BOUND{9.2e18}; // Below 2^63.
    return std::abs(number) < BOUND ? static_cast<int64_t>(number) : number > 0 ? MOST : -MOST;
}

std::string
DescribeValue(const py::handle& value)
{
    return GetText(PyObject_Repr(value.ptr()));
}

std::string
DescribeException(const py::error_already_set& error)
{
    const std::string type = GetText(PyObject_GetAttrString(error.type().ptr(), "__name__"));
    const std::string text = error.value() ? GetText(PyObject_Str(error.value().ptr())) : "";
    return type + (text.empty() ? "" : ": " + text) + DescribePlace(error);
}

} // namespace ns3::rdma
