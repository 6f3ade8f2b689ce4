// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_ADMISSION_H
#define RDMA_PYTHON_ADMISSION_H

#include "python-policy.h"

#include "ns3/out-of-order-admission.h"

namespace ns3::rdma
{

/// @brief Admission of packets behind gaps by a Python object, one per NIC.
class PythonAdmission : public OutOfOrderAdmission, public PythonPolicy
{
  public:
    bool Admits(const EarlyPacket& packet) override;

  private:
    const Object& GetPolicy() const override;
    void NotifyConstructionCompleted() override;
};

} // namespace ns3::rdma

#endif // RDMA_PYTHON_ADMISSION_H
