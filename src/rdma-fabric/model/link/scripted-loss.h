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
 * @brief Loses the frames of a list, or what a function says: for tests and for repeating a known
 * loss.
 *
 * Frames count from 0, on each direction of a link, whatever they carry.
 */
class ScriptedLoss : public LossModel
{
  public:
    static TypeId GetTypeId();
    /// @param script instead of a list; given each frame and its number on this link direction,
    /// from 0
    void SetScript(std::function<bool(const Frame&, uint64_t)> script);
    bool IsLost(const Frame& frame) override;

  private:
    /// @throws std::invalid_argument
    void SetFrames(std::string frames);
    std::string GetFrames() const;

    std::string m_frames;                                ///< As it was set.
    std::vector<std::pair<uint64_t, uint64_t>> m_ranges; ///< First and last of each.
    std::function<bool(const Frame&, uint64_t)> m_script;
    uint64_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_SCRIPTED_LOSS_H
