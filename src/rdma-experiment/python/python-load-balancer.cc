// SPDX-License-Identifier: GPL-2.0-only

#include "python-load-balancer.h"

#include "python-values.h"

#include "ns3/fabric-port.h"

namespace ns3::rdma
{

namespace py = pybind11;

const Object&
PythonLoadBalancer::GetPolicy() const
{
    return *this;
}

void
PythonLoadBalancer::NotifyConstructionCompleted()
{
    LoadBalancer::NotifyConstructionCompleted();
    MakeInstance();
    m_knowsFlows = Overrides("ChooseForFlow");
}

void
PythonLoadBalancer::Start(const SwitchView& view)
{
    Call("Start", {py::int_(view.seed).ptr()});
}

uint32_t
PythonLoadBalancer::CheckChoice(const char* call, const py::object& answer, uint32_t count) const
{
    const auto number = PyLong_Check(answer.ptr()) ? ToWhole(answer) : std::nullopt;
    if (!number || *number < 0 || *number >= count)
    {
        Fail(call, "a number below " + std::to_string(count), answer);
    }
    return static_cast<uint32_t>(*number);
}

uint32_t
PythonLoadBalancer::Choose(Frame& frame, const PortChoice& choice, Tick now)
{
    static const auto* const name = new py::str(Intern("Choose"));
    py::tuple queues(choice.count);
    for (uint32_t i = 0; i < choice.count; ++i)
    {
        queues[i] = py::int_(choice.Get(i).GetTotalQueueBytes());
    }
    const py::object answer =
        Call(*name, {ToPython(frame).ptr(), queues.ptr(), py::int_(now).ptr()});
    return CheckChoice("Choose()", answer, choice.count);
}

std::optional<uint32_t>
PythonLoadBalancer::ChooseForFlow(uint32_t entropy, uint32_t count) const
{
    if (!m_knowsFlows)
    {
        return std::nullopt;
    }
    const py::object answer =
        Call("ChooseForFlow", {py::int_(entropy).ptr(), py::int_(count).ptr()});
    return answer.is_none() ? std::nullopt
                            : std::optional(CheckChoice("ChooseForFlow()", answer, count));
}

} // namespace ns3::rdma
