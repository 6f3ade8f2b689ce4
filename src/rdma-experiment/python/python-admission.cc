// SPDX-License-Identifier: GPL-2.0-only

#include "python-admission.h"

#include "python-values.h"

namespace ns3::rdma
{

namespace py = pybind11;

const Object&
PythonAdmission::GetPolicy() const
{
    return *this;
}

void
PythonAdmission::NotifyConstructionCompleted()
{
    OutOfOrderAdmission::NotifyConstructionCompleted();
    MakeInstance();
}

bool
PythonAdmission::Admits(const EarlyPacket& packet)
{
    static const auto* const name = new py::str(Intern("Admits"));
    const py::object answer = Call(*name, {ToPython(packet).ptr()});
    if (!PyBool_Check(answer.ptr()))
    {
        Fail("Admits()", "True or False", answer);
    }
    return answer.ptr() == Py_True;
}

} // namespace ns3::rdma
