// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_DEEP_STREAM_PIPELINE_H
#define FPGA_DEEP_STREAM_PIPELINE_H

#include "ns3/stream-pipeline.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief A StreamPipeline whose FIFOs never fill, counted by packets instead of words.
 *
 * Without back-pressure, with one width and a word per cycle the recurrence of StreamPipeline needs
 * only a packet's first and last word at each stage: the words of a packet are at least a cycle
 * apart, so of all words that could delay the last one only the first and the last itself can.
 * The times are equal to the cycle; a call costs as many steps as there are stages, whatever the
 * packet's length.
 *
 * Not modelled, beyond what StreamPipeline leaves out: full FIFOs; the occupancy of FIFOs.
 */
class DeepStreamPipeline
{
  public:
    /// @param stages at least one, all of one width and of interval 1; their fifoDepth is ignored
    explicit DeepStreamPipeline(std::vector<StreamStage> stages);

    /// A packet enters behind all earlier ones.
    StreamDeparture Enter(const StreamArrival& arrival);

    const std::vector<StreamStage>& GetStages() const
    {
        return m_stages;
    }

    /// @return counts of a stage: packets, words, latency.
    const StreamStageStats& GetStats(std::size_t stage) const
    {
        return m_states[stage].stats;
    }

  private:
    struct StageState
    {
        Cycle lastTake;    ///< Of the newest word.
        Cycle packetStart; ///< Of the newest packet's first word.
        StreamStageStats stats;
    };

    std::vector<StreamStage> m_stages;
    std::vector<StageState> m_states;
    Cycle m_lastWrite{-1};
};

} // namespace ns3::rdma

#endif // FPGA_DEEP_STREAM_PIPELINE_H
