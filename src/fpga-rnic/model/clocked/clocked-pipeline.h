// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCKED_PIPELINE_H
#define FPGA_CLOCKED_PIPELINE_H

#include "ns3/clocked-entry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One stage of a pipeline: a FIFO, followed by a pipelined unit that accepts one word per cycle.
struct ClockedStage
{
    std::string name;
    uint32_t latency{1};           ///< Cycles of the unit, at least 1.
    uint32_t packetInterval{1};    ///< Cycles between the first words of two packets, at least 1.
    bool isStoreAndForward{false}; ///< The unit starts when the whole packet is in the FIFO.
    /// If the stage is store-and-forward: cycles that a checker before the unit takes per word, at
    /// least 1. There are as many checkers, which take packets in turn, so that words keep their
    /// rate.
    uint32_t wordCycles{1};
};

/// A packet at the entry of a pipeline.
struct ClockedArrival
{
    uint32_t bytes{0}; ///< At least 1.
    Cycle first{0};    ///< Earliest write of the first word to the first FIFO.
    Cycle last{0};     ///< Earliest write of the last word; not before first.
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
 * @brief Computes when packets pass a chain of clocked stages with FIFOs that never fill, exact to
 * the cycle.
 *
 * A word that is written to a FIFO in one cycle can be read in the next.  The words of a packet are
 * at least one cycle apart, so only its first and last words determine when the last word passes a
 * stage.  After a stage, the words are so far apart that a following stage delays none of them,
 * unless it is store-and-forward or has a longer packet interval.  Such a stage only adds its
 * latency and the cycle of its FIFO.
 *
 * A segment is a stage that can delay packets, and the following stages that cannot.  The cost of a
 * call is proportional to the number of segments, whatever the packet's length.
 *
 * Not modelled: full FIFOs, hence back-pressure; the shift of words by a removed or inserted header
 * (at most one cycle per stage); stages that drop packets.
 */
class ClockedPipeline
{
  public:
    /// @param stages at least one
    /// @param wordBytes of a word, at least 1
    ClockedPipeline(std::vector<ClockedStage> stages, uint32_t wordBytes);

    /// Passes a packet after all earlier ones.
    ClockedDeparture Enter(const ClockedArrival& arrival);

    const std::vector<ClockedStage>& GetStages() const
    {
        return m_stages;
    }

    /// @return cycles of the newest packet from its first word written to a stage to its first word
    /// out. Only after Enter().
    Cycle GetLatency(std::size_t stage) const;

  private:
    struct Segment
    {
        std::size_t firstStage{0};
        Cycle packetInterval{1};
        bool isStoreAndForward{false};
        Cycle latency{0}; ///< First word taken by the first stage to first word out of the last.
        Cycle wordCycles{1};
        std::vector<Cycle> checkerFree; ///< Of each checker; empty if a word takes one cycle.
        std::size_t nextChecker{0};

        /// @return the cycle in which the checker has the last of a packet's words.
        Cycle Check(Cycle first, Cycle last, Cycle words);

        ClockedEntry words;
        ClockedEntry packets;
        Cycle wait{0}; ///< Of the newest packet's first word in the first FIFO.
    };

    std::vector<ClockedStage> m_stages;
    std::vector<Segment> m_segments;
    uint32_t m_wordBytes;
    ClockedEntry m_entry; ///< Entry of the first FIFO.
};

} // namespace ns3::rdma

#endif // FPGA_CLOCKED_PIPELINE_H
