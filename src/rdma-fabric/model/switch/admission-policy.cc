// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/admission-policy.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AdmissionPolicy);
NS_OBJECT_ENSURE_REGISTERED(TailDrop);

TypeId
AdmissionPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::AdmissionPolicy").SetParent<Object>().SetGroupName("RdmaFabric");
    return tid;
}

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

TypeId
TailDrop::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::TailDrop")
                            .SetParent<AdmissionPolicy>()
                            .SetGroupName("RdmaFabric")
                            .AddConstructor<TailDrop>();
    return tid;
}

Admission
TailDrop::Decide(const ArrivedFrame& arrived, Tick)
{
    return arrived.hasRoom ? Admission::QUEUE : Admission::DROP;
}

} // namespace ns3::rdma
