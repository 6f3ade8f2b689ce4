// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_PIPELINE_H
#define FPGA_STREAM_PIPELINE_H

#include "ns3/clock-domain.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One stage of a pipeline: a FIFO, and behind it a pipelined unit.
struct StreamStage
{
    std::string name;
    uint32_t latency{1};           ///< Cycles, at least 1: so many registers of one word each.
    uint32_t interval{1};          ///< Cycles between two words at its narrower side, at least 1.
    uint32_t packetInterval{1};    ///< Cycles between the first words of two packets, at least 1.
    uint32_t widthIn{64};          ///< Bytes per word.
    uint32_t widthOut{64};         ///< Bytes per word; one of the two widths divides the other.
    uint32_t fifoDepth{2};         ///< Words of widthIn, at least 1.
    bool isStoreAndForward{false}; ///< The unit begins when the whole packet is in the FIFO.
};

/// A packet at the entry: its words come evenly from the first cycle to the last.
struct StreamArrival
{
    uint32_t bytes{0}; ///< At least 1.
    Cycle first{0};    ///< The first word can be written to the first FIFO.
    Cycle last{0};     ///< Likewise the last word; not before first.
};

/// When a packet has gone through.
struct StreamDeparture
{
    Cycle entered{0}; ///< Its last word was written to the first FIFO.
    Cycle first{0};   ///< The sink took the first word.
    Cycle last{0};    ///< The sink took the last word.
};

/// What takes the words behind the last stage.
class StreamSink
{
  public:
    virtual ~StreamSink() = default;

    /// @param offered cycle, later in each call
    /// @return the first cycle from then on in which it takes the word.
    virtual Cycle GetReady(Cycle offered) = 0;
};

/// Counts of one stage.
struct StreamStageStats
{
    uint64_t packets{0};
    uint64_t words{0};         ///< That entered the FIFO.
    uint64_t waitCycles{0};    ///< Of all words in the FIFO; by the time: its mean occupancy.
    uint64_t latencyCycles{0}; ///< Of all packets: first word written to first word out.
    Cycle maxLatency{0};       ///< Likewise, of one packet.
    uint32_t maxOccupancy{0};  ///< Words in the FIFO.
};

/**
 * @ingroup fpga-clocked
 * @brief When packets pass a chain of clocked stages with finite FIFOs and back-pressure, exact to
 * the cycle.
 *
 * A timeline: packets enter in their order and each call says when the words leave; there is no
 * event per word.  The times are a max-plus recurrence.  With w a word at the exit of stage s, D
 * the depth of the FIFO behind it, L and I its latency and interval:
 *
 *     take(w) = max(written(w) + 1, take(w - 1) + I, leave(w - L))
 *     leave(w) = max(take(w) + L, leave(w - 1) + 1, next stage's take(w - D) + 1)
 *
 * That is what registers with valid and ready do: a word that is written in one cycle can be taken
 * in the next; a unit's registers move up as soon as there is room before them, in the cycle in
 * which the foremost word leaves; a FIFO that was full at the start of a cycle takes no word in it
 * (one of depth 1 carries a word every other cycle).  Where widths differ, the unit puts words
 * together, or takes one apart, before its first register.
 *
 * Not modelled: the words by which a removed or inserted header shifts those behind it (at most one
 * cycle per stage); stages that drop packets.
 */
class StreamPipeline
{
  public:
    /// @param stages at least one, each as wide at its entry as the one before at its exit; @param
    /// sink outlives this; null: it is always ready
    explicit StreamPipeline(std::vector<StreamStage> stages, StreamSink* sink = nullptr);

    /// A packet enters behind all earlier ones. Its bytes are at most GetMaxBytes().
    StreamDeparture Enter(const StreamArrival& arrival);

    /// @return the largest packet that each store-and-forward stage can hold; UINT32_MAX: any.
    uint32_t GetMaxBytes() const;

    const std::vector<StreamStage>& GetStages() const
    {
        return m_stages;
    }

    const StreamStageStats& GetStats(std::size_t stage) const
    {
        return m_states[stage].stats;
    }

  private:
    /// The last times of a kind, by word number modulo the size.
    class Ring
    {
      public:
        void Resize(uint32_t size);
        void Put(Cycle time);
        /// @return the time of that word or, if it has none yet, of the one `size` words before.
        Cycle Get(uint64_t word) const;

        uint64_t GetCount() const
        {
            return m_count;
        }

      private:
        std::vector<Cycle> m_times;
        uint64_t m_count{0};
    };

    struct StageState
    {
        uint32_t ratio{1}; ///< Of the wider to the narrower width.
        bool isWidening{false};
        Ring takes;              ///< Words taken from the FIFO, by its depth.
        Ring leaves;             ///< Words at the exit, by the latency.
        Cycle lastStep{-1};      ///< When the unit took or made a word at its narrower side.
        Cycle packetStart{-1};   ///< The newest packet's first step.
        Cycle packetWritten{-1}; ///< The newest packet's first word was written.
        Cycle lastLeave{-1};
        uint64_t written{0};  ///< Words.
        uint64_t oldest{0};   ///< Word in the FIFO, as of the newest write.
        uint32_t inPacket{0}; ///< Words written of the present packet.
        uint32_t steps{0};    ///< Of the present packet.
        std::vector<Cycle>
            held; ///< When the words of the present packet were written, if all must be.
        StreamStageStats stats;

        /// @return the first cycle in which the FIFO has room for one more word.
        Cycle GetRoom() const
        {
            return takes.Get(written) + 1;
        }
    };

    void Write(std::size_t stage, Cycle at);
    void Take(std::size_t stage, Cycle written, Cycle available, uint32_t steps);
    Cycle Step(std::size_t stage, Cycle available);
    void Leave(std::size_t stage, Cycle earliest);
    void CountWrite(std::size_t stage, Cycle at);
    uint32_t GetSteps(std::size_t stage, uint32_t word, uint32_t words) const;

    std::vector<StreamStage> m_stages;
    std::vector<StageState> m_states;
    StreamSink* m_sink;
    uint32_t m_bytes{0}; ///< Of the present packet.
    Cycle m_lastWrite{-1};
    StreamDeparture m_departure;
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_PIPELINE_H
