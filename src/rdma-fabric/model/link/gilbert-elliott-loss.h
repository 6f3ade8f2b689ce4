// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GILBERT_ELLIOTT_LOSS_H
#define RDMA_GILBERT_ELLIOTT_LOSS_H

#include "ns3/loss-model.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Two-state Markov chain (Gilbert 1960, Elliott 1963): losses come in bursts.
 *
 * The chain steps once per frame, after the decision.  The long-run loss rate is
 * (toGood x lossGood + toBad x lossBad) / (toGood + toBad).
 */
class GilbertElliottLoss : public LossModel
{
  public:
    static TypeId GetTypeId();
    bool IsLost(const Frame& frame) override;

  private:
    double m_toBad{0};
    double m_toGood{1};
    double m_lossGood{0};
    double m_lossBad{1};
    bool m_isBad{false};
};

} // namespace ns3::rdma

#endif // RDMA_GILBERT_ELLIOTT_LOSS_H
