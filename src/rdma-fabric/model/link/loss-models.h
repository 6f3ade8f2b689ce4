// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_MODELS_H
#define RDMA_LOSS_MODELS_H

#include "ns3/loss-model.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

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

#endif // RDMA_LOSS_MODELS_H
