// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UNIFORM_LOSS_H
#define RDMA_UNIFORM_LOSS_H

#include "ns3/loss-model.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Every frame is lost with the same probability, independently.
 */
class UniformLoss : public LossModel
{
  public:
    static TypeId GetTypeId();
    bool IsLost(const Frame& frame) override;

  private:
    double m_rate{0};
};

} // namespace ns3::rdma

#endif // RDMA_UNIFORM_LOSS_H
