// SPDX-License-Identifier: GPL-2.0-only

#include "python-congestion-control.h"

#include "python-values.h"

#include <limits>

namespace ns3::rdma
{

namespace py = pybind11;

namespace
{

constexpr int64_t UNBOUNDED{std::numeric_limits<int64_t>::max()};

/// Names of methods, made once. Never freed.
struct Names
{
    py::str getNeededFeedback{Intern("GetNeededFeedback")};
    py::str usesOwnPath{Intern("UsesOwnPath")};
    py::str start{Intern("Start")};
    py::str onAck{Intern("OnAck")};
    py::str onCnp{Intern("OnCnp")};
    py::str onSent{Intern("OnSent")};
    py::str onLoss{Intern("OnLoss")};
    py::str onTimeout{Intern("OnTimeout")};
    py::str onDeadline{Intern("OnDeadline")};
    py::str getLimit{Intern("GetLimit")};
};

const Names&
GetNames()
{
    static const auto* const names = new Names;
    return *names;
}

py::object
ToPicoseconds(Time time)
{
    return py::int_(time.GetPicoSeconds());
}

} // namespace

const Object&
PythonCongestionControl::GetPolicy() const
{
    return *this;
}

void
PythonCongestionControl::NotifyConstructionCompleted()
{
    CongestionControl::NotifyConstructionCompleted();
    MakeInstance();
    m_methods = {Overrides("OnAck"),
                 Overrides("OnCnp"),
                 Overrides("OnSent"),
                 Overrides("OnLoss"),
                 Overrides("OnTimeout"),
                 Overrides("OnDeadline")};
}

Ptr<CongestionControl>
PythonCongestionControl::Fork() const
{
    const auto copy = CopyObject(Ptr<const PythonCongestionControl>(this));
    copy->CopyInstance();
    return copy;
}

Feedback
PythonCongestionControl::GetNeededFeedback() const
{
    const py::object answer = Call(GetNames().getNeededFeedback, {});
    const auto number = PyLong_Check(answer.ptr()) ? ToWhole(answer) : std::nullopt;
    if (!number || *number < 0 || *number > static_cast<int64_t>(Feedback::INT))
    {
        Fail("GetNeededFeedback()", "NONE, CNP, ECN_ECHO or INT", answer);
    }
    return static_cast<Feedback>(*number);
}

bool
PythonCongestionControl::UsesOwnPath() const
{
    return Call(GetNames().usesOwnPath, {}).is(py::bool_(true));
}

bool
PythonCongestionControl::NeedsOnSent() const
{
    return m_methods.onSent;
}

void
PythonCongestionControl::Start(const PathInfo& path, Time now)
{
    Call(GetNames().start, {ToPython(path).ptr(), ToPicoseconds(now).ptr()});
}

void
PythonCongestionControl::OnAck(const AckEvent& ack)
{
    if (m_methods.onAck)
    {
        Call(GetNames().onAck, {ToPython(ack).ptr()});
    }
}

void
PythonCongestionControl::OnCnp(Time now)
{
    if (m_methods.onCnp)
    {
        Call(GetNames().onCnp, {ToPicoseconds(now).ptr()});
    }
}

bool
PythonCongestionControl::OnSent(uint32_t wireBytes, Time now)
{
    if (!m_methods.onSent)
    {
        return false;
    }
    const py::object answer =
        Call(GetNames().onSent, {py::int_(wireBytes).ptr(), ToPicoseconds(now).ptr()});
    if (!PyBool_Check(answer.ptr()))
    {
        Fail("OnSent()", "True or False", answer);
    }
    return answer.is(py::bool_(true));
}

void
PythonCongestionControl::OnLoss(const LossEvent& loss)
{
    if (m_methods.onLoss)
    {
        Call(GetNames().onLoss, {ToPython(loss).ptr()});
    }
}

void
PythonCongestionControl::OnTimeout(const LossEvent& loss)
{
    if (m_methods.onTimeout)
    {
        Call(GetNames().onTimeout, {ToPython(loss).ptr()});
    }
}

void
PythonCongestionControl::OnDeadline(Time now)
{
    if (m_methods.onDeadline)
    {
        Call(GetNames().onDeadline, {ToPicoseconds(now).ptr()});
    }
}

SendLimit
PythonCongestionControl::GetLimit() const
{
    constexpr Py_ssize_t FIELDS{3};
    const py::object answer = Call(GetNames().getLimit, {});
    PyObject* const tuple = answer.ptr();
    if (!Py_IS_TYPE(tuple,
                    reinterpret_cast<PyTypeObject*>(GetPythonValueTypes().sendLimit.ptr())) ||
        PyTuple_GET_SIZE(tuple) != FIELDS)
    {
        Fail("GetLimit()", "a SendLimit", answer);
    }
    const auto get = [this, tuple](Py_ssize_t field, const char* expected, int64_t least) {
        const py::handle value = PyTuple_GET_ITEM(tuple, field);
        const auto whole = value.is_none() ? std::optional(UNBOUNDED) : ToWhole(value);
        if (!whole || *whole < least)
        {
            Fail("GetLimit()", expected, value);
        }
        return *whole;
    };
    const int64_t rate = get(0, "a rate above zero", 1);
    const int64_t window = get(1, "a window of at least 1 byte", 1);
    const int64_t deadline = get(2, "a deadline after now", 0);
    SendLimit limit;
    if (rate != UNBOUNDED)
    {
        limit.rate = DataRate(static_cast<uint64_t>(rate));
    }
    if (window != UNBOUNDED)
    {
        limit.windowBytes = static_cast<uint64_t>(window);
    }
    if (deadline != UNBOUNDED)
    {
        limit.deadline = PicoSeconds(deadline);
    }
    return limit;
}

} // namespace ns3::rdma
