// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_PIPELINE_REFERENCE_H
#define FPGA_STREAM_PIPELINE_REFERENCE_H

#include "ns3/stream-pipeline.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * A chain of FIFOs and registers that is stepped cycle by cycle: what StreamPipeline must equal. It
 * shares no code with it and knows no times of words, only what is where.
 */
class StreamPipelineReference
{
  public:
    StreamPipelineReference(const std::vector<StreamStage>& stages,
                            std::function<bool(Cycle)> ready)
        : m_ready(std::move(ready))
    {
        for (const StreamStage& stage : stages)
        {
            m_units.push_back({stage, {}, std::vector<std::optional<Word>>(stage.latency)});
        }
    }

    /// A word at the entry, offered from a cycle on.
    void Offer(Cycle at, uint32_t packet, uint32_t bytes, bool isLast)
    {
        m_source.push_back({at, {packet, bytes, isLast}});
    }

    /// Steps until all words are out. @return whether they are, within a number of cycles
    bool Run(Cycle most)
    {
        std::size_t left = m_source.size();
        for (Cycle cycle = 0; cycle < most && (left > 0 || !IsEmpty()); ++cycle)
        {
            StepCycle(cycle);
            left = m_source.size();
        }
        return m_source.empty() && IsEmpty();
    }

    struct Taken
    {
        Cycle at;
        uint32_t packet;
    };

    const std::vector<Taken>& GetTaken() const
    {
        return m_taken;
    }

    /// @return the cycle in which each word at the entry was written.
    const std::vector<Taken>& GetWritten() const
    {
        return m_written;
    }

    uint64_t GetWaitCycles(std::size_t stage) const
    {
        return m_units[stage].waitCycles;
    }

    uint32_t GetMaxOccupancy(std::size_t stage) const
    {
        return m_units[stage].maxOccupancy;
    }

  private:
    struct Word
    {
        uint32_t packet;
        uint32_t bytes;
        bool isLast;
    };

    struct Unit
    {
        StreamStage config;
        std::deque<Word> fifo;
        std::vector<std::optional<Word>> registers;
        uint32_t assembled{0};   ///< Bytes of a wider word that is not complete.
        uint32_t parts{0};       ///< Bytes of the FIFO's first word that are gone already.
        uint32_t pause{0};       ///< Cycles until the next word may be taken.
        uint32_t packetPause{0}; ///< Cycles until the next packet may begin.
        bool isInPacket{false};
        uint64_t waitCycles{0};
        uint32_t maxOccupancy{0};
    };

    struct Offered
    {
        Cycle at;
        Word word;
    };

    bool IsEmpty() const
    {
        return std::all_of(m_units.begin(), m_units.end(), [](const Unit& unit) {
            return unit.fifo.empty() && unit.assembled == 0 &&
                   std::none_of(unit.registers.begin(), unit.registers.end(), [](const auto& word) {
                       return word.has_value();
                   });
        });
    }

    void StepCycle(Cycle cycle)
    {
        std::vector<bool> isFull;
        for (const Unit& unit : m_units)
        {
            isFull.push_back(unit.fifo.size() >= unit.config.fifoDepth);
        }
        // From the last to the first: what is written in this cycle is not taken in it.
        for (std::size_t i = m_units.size(); i-- > 0;)
        {
            Unit& unit = m_units[i];
            unit.waitCycles += unit.fifo.size();
            std::optional<Word>& foremost = unit.registers.back();
            const bool isLast = i + 1 == m_units.size();
            if (foremost && (isLast ? m_ready(cycle) : !isFull[i + 1]))
            {
                if (isLast)
                {
                    m_taken.push_back({cycle, foremost->packet});
                }
                else
                {
                    Write(m_units[i + 1], *foremost);
                }
                foremost.reset();
            }
            MoveUp(unit);
            Take(unit);
        }
        if (!m_source.empty() && m_source.front().at <= cycle && !isFull[0])
        {
            Write(m_units[0], m_source.front().word);
            m_written.push_back({cycle, m_source.front().word.packet});
            m_source.pop_front();
        }
    }

    static void Write(Unit& unit, const Word& word)
    {
        unit.fifo.push_back(word);
        unit.maxOccupancy = std::max(unit.maxOccupancy, static_cast<uint32_t>(unit.fifo.size()));
    }

    static void MoveUp(Unit& unit)
    {
        for (std::size_t r = unit.registers.size() - 1; r-- > 0;)
        {
            if (unit.registers[r] && !unit.registers[r + 1])
            {
                std::swap(unit.registers[r], unit.registers[r + 1]);
            }
        }
    }

    static void Take(Unit& unit)
    {
        unit.pause -= unit.pause > 0;
        unit.packetPause -= unit.packetPause > 0;
        if (unit.pause > 0 || unit.fifo.empty())
        {
            return;
        }
        const Word word = unit.fifo.front();
        if (!unit.isInPacket && (unit.packetPause > 0 || !MayBegin(unit, word)))
        {
            return;
        }
        const uint32_t part = std::min(word.bytes - unit.parts, unit.config.widthOut);
        const bool isWordDone = unit.parts + part == word.bytes;
        const bool isPacketDone = isWordDone && word.isLast;
        const bool isMade = unit.assembled + part == unit.config.widthOut || isPacketDone;
        if (isMade && unit.registers.front())
        {
            return;
        }
        unit.pause = unit.config.interval;
        unit.packetPause = unit.isInPacket ? unit.packetPause : unit.config.packetInterval;
        unit.isInPacket = !isPacketDone;
        unit.assembled += part;
        unit.parts = isWordDone ? 0 : unit.parts + part;
        if (isWordDone)
        {
            unit.fifo.pop_front();
        }
        if (isMade)
        {
            unit.registers.front() = Word{word.packet, unit.assembled, isPacketDone};
            unit.assembled = 0;
        }
    }

    static bool MayBegin(const Unit& unit, const Word& first)
    {
        return !unit.config.isStoreAndForward ||
               std::any_of(unit.fifo.begin(), unit.fifo.end(), [&first](const Word& word) {
                   return word.packet == first.packet && word.isLast;
               });
    }

    std::vector<Unit> m_units;
    std::deque<Offered> m_source;
    std::vector<Taken> m_taken;
    std::vector<Taken> m_written;
    std::function<bool(Cycle)> m_ready;
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_PIPELINE_REFERENCE_H
