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
 * Behind a stage the words are so far apart that a next stage without store-and-forward and with no
 * longer a packet interval never lets one wait: it adds its latency and the cycle of its FIFO.  So
 * a segment is a stage that can hold packets back and those behind it that cannot.
 * The times are equal to the cycle; a call costs as many steps as there are segments, whatever the
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
    StreamStageStats GetStats(std::size_t stage) const;

    /// @return cycles of the newest packet in a stage: first word written to first word out. Only
    /// after a packet.
    Cycle GetLatency(std::size_t stage) const;

  private:
    /// A stage that can hold a packet back, and the stages up to the next such one.
    struct Segment
    {
        std::size_t firstStage{0};
        Cycle packetInterval{1};
        bool isStoreAndForward{false};
        Cycle latency{0}; ///< First word taken by the first stage to first word out of the last.

        Cycle lastTake;    ///< Of the newest word.
        Cycle packetStart; ///< Of the newest packet's first word.
        Cycle wait{0};     ///< Of the newest packet's first word, in the first stage's FIFO.
        Cycle maxWait{0};
        uint64_t waits{0}; ///< Of all packets.
    };

    const Segment& FindSegment(std::size_t stage) const;

    std::vector<StreamStage> m_stages;
    std::vector<Segment> m_segments;
    uint64_t m_packets{0};
    uint64_t m_words{0};
    Cycle m_lastWrite{-1};
};

} // namespace ns3::rdma

#endif // FPGA_DEEP_STREAM_PIPELINE_H
