// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/oblivious-entropy.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ObliviousEntropy);

TypeId
ObliviousEntropy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::ObliviousEntropy")
                            .SetParent<WalkingEntropy>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<ObliviousEntropy>();
    return tid;
}

uint32_t
ObliviousEntropy::GetNext(uint64_t, Time)
{
    return Step();
}

} // namespace ns3::rdma
