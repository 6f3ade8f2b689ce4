// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/uniform-loss.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(UniformLoss);

TypeId
UniformLoss::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<UniformLoss, LossModel>("ns3::rdma::UniformLoss", "RdmaFabric")
            .Add("LossRate",
                 Member(&UniformLoss::m_rate, 0, 0, 1),
                 "Probability that a frame is lost");
    return tid;
}

bool
UniformLoss::IsLost(const Frame&)
{
    return m_random.NextDouble() < m_rate;
}

} // namespace ns3::rdma
