// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/uniform-loss.h"

#include "ns3/double.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(UniformLoss);

TypeId
UniformLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::UniformLoss")
                            .SetParent<LossModel>()
                            .SetGroupName("RdmaFabric")
                            .AddConstructor<UniformLoss>()
                            .AddAttribute("LossRate",
                                          "Probability that a frame is lost",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&UniformLoss::m_rate),
                                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

bool
UniformLoss::IsLost(const Frame&)
{
    return m_random.NextDouble() < m_rate;
}

} // namespace ns3::rdma
