// SPDX-License-Identifier: GPL-2.0-only

#include "python-entropy-selector.h"

#include "python-values.h"

#include <limits>

namespace ns3::rdma
{

namespace py = pybind11;

const Object&
PythonEntropySelector::GetPolicy() const
{
    return *this;
}

void
PythonEntropySelector::NotifyConstructionCompleted()
{
    EntropySelector::NotifyConstructionCompleted();
    MakeInstance();
    m_readsFeedback = Overrides("OnFeedback");
}

Ptr<EntropySelector>
PythonEntropySelector::Fork() const
{
    const auto copy = CopyObject(Ptr<const PythonEntropySelector>(this));
    copy->CopyInstance();
    return copy;
}

void
PythonEntropySelector::Start(const EntropyFacts& facts)
{
    Call(Intern("Start"), {ToPython(facts).ptr()});
}

uint32_t
PythonEntropySelector::GetNext(uint64_t inFlightBytes, Time now)
{
    static const auto* const name = new py::str(Intern("GetNext"));
    const py::object answer =
        Call(*name, {py::int_(inFlightBytes).ptr(), py::int_(now.GetPicoSeconds()).ptr()});
    const auto number = PyLong_Check(answer.ptr()) ? ToWhole(answer) : std::nullopt;
    if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max())
    {
        Fail("GetNext()", "a whole number from 0 to 2^32 - 1", answer);
    }
    return static_cast<uint32_t>(*number);
}

void
PythonEntropySelector::OnFeedback(uint32_t entropy, RouteSignal signal, Time now)
{
    static const auto* const name = new py::str(Intern("OnFeedback"));
    if (m_readsFeedback)
    {
        Call(*name,
             {py::int_(entropy).ptr(),
              py::int_(static_cast<int>(signal)).ptr(),
              py::int_(now.GetPicoSeconds()).ptr()});
    }
}

} // namespace ns3::rdma
