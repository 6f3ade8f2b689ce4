// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gilbert-elliott-loss.h"

#include "ns3/double.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(GilbertElliottLoss);

TypeId
GilbertElliottLoss::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::GilbertElliottLoss")
            .SetParent<LossModel>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<GilbertElliottLoss>()
            .AddAttribute("ToBad",
                          "Probability per frame to go from the good state to the bad one",
                          DoubleValue(0),
                          MakeDoubleAccessor(&GilbertElliottLoss::m_toBad),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ToGood",
                          "Probability per frame to go from the bad state to the good one",
                          DoubleValue(1),
                          MakeDoubleAccessor(&GilbertElliottLoss::m_toGood),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LossGood",
                          "Probability that a frame is lost in the good state (0: Gilbert's model)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&GilbertElliottLoss::m_lossGood),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LossBad",
                          "Probability that a frame is lost in the bad state",
                          DoubleValue(1),
                          MakeDoubleAccessor(&GilbertElliottLoss::m_lossBad),
                          MakeDoubleChecker<double>(0, 1));
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
