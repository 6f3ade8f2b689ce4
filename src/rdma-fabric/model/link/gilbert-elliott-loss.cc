// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gilbert-elliott-loss.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(GilbertElliottLoss);

TypeId
GilbertElliottLoss::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<GilbertElliottLoss, LossModel>("ns3::rdma::GilbertElliottLoss",
                                                          "RdmaFabric")
            .Add("ToBad",
                 Member(&GilbertElliottLoss::m_toBad, 0, 0, 1),
                 "Probability per frame of a change from the good state to the bad one")
            .Add("ToGood",
                 Member(&GilbertElliottLoss::m_toGood, 1, 0, 1),
                 "Probability per frame of a change from the bad state to the good one")
            .Add("LossGood",
                 Member(&GilbertElliottLoss::m_lossGood, 0, 0, 1),
                 "Probability that a frame is lost in the good state (0: Gilbert's model)")
            .Add("LossBad",
                 Member(&GilbertElliottLoss::m_lossBad, 1, 0, 1),
                 "Probability that a frame is lost in the bad state");
    return tid;
}

bool
GilbertElliottLoss::IsLost(const Frame&)
{
    const bool isLost = m_random.NextDouble() < (m_isBad ? m_lossBad : m_lossGood);
    if (m_random.NextDouble() < (m_isBad ? m_toGood : m_toBad))
    {
        m_isBad = !m_isBad;
    }
    return isLost;
}

} // namespace ns3::rdma
