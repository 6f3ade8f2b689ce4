// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCRIPTED_LOSS_H
#define RDMA_SCRIPTED_LOSS_H

#include "ns3/loss-model.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Loses the frames that a list or a function selects: for tests and for repeating a known
 * loss.
 *
 * All frames of one direction of a link are numbered from 0.
 */
class ScriptedLoss : public LossModel
{
  public:
    static TypeId GetTypeId();
    /// @param script used instead of the list: called with each frame and its number; returns
    /// whether the frame is lost
    void SetScript(std::function<bool(const Frame&, uint64_t)> script);
    bool IsLost(const Frame& frame) override;
    std::string FindUnused() const override;

  private:
    /// @throws std::invalid_argument
    void SetFrames(std::string frames);
    std::string GetFrames() const;

    std::string m_frames;                                ///< The text of the attribute.
    std::vector<std::pair<uint64_t, uint64_t>> m_ranges; ///< First and last number of each range.
    std::function<bool(const Frame&, uint64_t)> m_script;
    uint64_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_SCRIPTED_LOSS_H
