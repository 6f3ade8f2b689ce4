// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCRIPTED_LOSS_H
#define RDMA_SCRIPTED_LOSS_H

#include "ns3/loss-model.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Loses what a function says, for tests and for replaying a known loss.
 */
class ScriptedLoss : public LossModel
{
  public:
    static TypeId GetTypeId();
    /// @param script given each frame and its number on this link direction, from 0
    void SetScript(std::function<bool(const Frame&, uint64_t)> script);
    bool IsLost(const Frame& frame) override;

  private:
    std::function<bool(const Frame&, uint64_t)> m_script;
    uint64_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_SCRIPTED_LOSS_H
