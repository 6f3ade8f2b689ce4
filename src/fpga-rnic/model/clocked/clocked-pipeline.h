// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCKED_PIPELINE_H
#define FPGA_CLOCKED_PIPELINE_H

#include "ns3/clocked-entry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One stage of a pipeline: a FIFO, and behind it a pipelined unit that takes a word per cycle.
struct ClockedStage
{
    std::string name;
    uint32_t latency{1};           ///< Cycles of the unit, at least 1.
    uint32_t packetInterval{1};    ///< Cycles between the first words of two packets, at least 1.
    bool isStoreAndForward{false}; ///< The unit begins when the whole packet is in the FIFO.
};

/// A packet at the entry of a pipeline.
struct ClockedArrival
{
    uint32_t bytes{0}; ///< At least 1.
    Cycle first{0};    ///< The first word can be written to the first FIFO.
    Cycle last{0};     ///< The last word can be written; not before first.
};

/// When a packet has passed a pipeline.
struct ClockedDeparture
{
    Cycle entered{0}; ///< Its last word was written to the first FIFO.
    Cycle first{0};   ///< The first word left the last stage.
    Cycle last{0};    ///< The last word left the last stage.
};

/**
 * @ingroup fpga-clocked
 * @brief When packets pass a chain of clocked stages with FIFOs that never fill, exact to the
 * cycle.
 *
 * A word that is written to a FIFO in one cycle can be taken in the next.  The words of a packet
 * are at least a cycle apart, so its first and last word alone can delay its last word at a stage.
 * Behind a stage the words are so far apart that a stage without store-and-forward and with no
 * longer a packet interval delays none: it adds its latency and the cycle of its FIFO.  A segment
 * is a stage that can delay packets, and the stages behind it that cannot.
 * A call costs as many steps as there are segments, whatever the packet's length.
 *
 * Not modelled: full FIFOs, hence back-pressure; the words by which a removed or inserted header
 * shifts those behind it (at most one cycle per stage); stages that drop packets.
 */
class ClockedPipeline
{
  public:
    /// @param stages at least one @param wordBytes of a word, at least 1
    ClockedPipeline(std::vector<ClockedStage> stages, uint32_t wordBytes);

    /// A packet enters behind all earlier ones.
    ClockedDeparture Enter(const ClockedArrival& arrival);

    const std::vector<ClockedStage>& GetStages() const
    {
        return m_stages;
    }

    /// @return cycles of the newest packet in a stage: first word written to first word out. Only
    /// after a packet.
    Cycle GetLatency(std::size_t stage) const;

  private:
    struct Segment
    {
        std::size_t firstStage{0};
        Cycle packetInterval{1};
        bool isStoreAndForward{false};
        Cycle latency{0}; ///< First word taken by the first stage to first word out of the last.

        ClockedEntry words;
        ClockedEntry packets;
        Cycle wait{0}; ///< Of the newest packet's first word, in the first stage's FIFO.
    };

    std::vector<ClockedStage> m_stages;
    std::vector<Segment> m_segments;
    uint32_t m_wordBytes;
    ClockedEntry m_entry; ///< Of the first FIFO.
};

} // namespace ns3::rdma

#endif // FPGA_CLOCKED_PIPELINE_H
