// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/admission-policy.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(AdmissionPolicy, Object, "RdmaFabric");
RDMA_REGISTER_CLASS(TailDrop, AdmissionPolicy, "RdmaFabric");

void
AdmissionPolicy::Start(const SwitchView&)
{
}

bool
AdmissionPolicy::NeedsFree() const
{
    return true;
}

bool
AdmissionPolicy::HasRoomForTrimmed(const ArrivedFrame&, Tick)
{
    return true;
}

Admission
TailDrop::Decide(const ArrivedFrame& arrived, Tick)
{
    return arrived.hasRoom ? Admission::QUEUE : Admission::DROP;
}

} // namespace ns3::rdma
