// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCKED_PIPELINE_REFERENCE_H
#define FPGA_CLOCKED_PIPELINE_REFERENCE_H

#include "ns3/clocked-pipeline.h"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

namespace ns3::rdma
{

/**
 * A chain of FIFOs and registers that is stepped cycle by cycle.  ClockedPipeline must equal it. It
 * shares no code with it and computes no times of words: it moves words.
 */
class ClockedPipelineReference
{
  public:
    /// A packet's first and last word, and how long its first word took in each stage.
    struct Passage
    {
        Cycle entered{-1};
        Cycle first{-1};
        Cycle last{-1};
        std::vector<Cycle> written;   ///< By stage: the first word was written to the FIFO.
        std::vector<Cycle> latencies; ///< By stage.
    };

    explicit ClockedPipelineReference(const std::vector<ClockedStage>& stages)
    {
        for (const ClockedStage& stage : stages)
        {
            m_units.push_back({stage, {}, {}, 0, 0, std::vector<Checker>(stage.wordCycles), {}});
        }
    }

    /// The words of a packet, each offered from a cycle on.
    void Offer(const std::vector<Cycle>& words)
    {
        const std::size_t packet = m_passages.size();
        m_passages.push_back({});
        m_passages.back().written.assign(m_units.size(), -1);
        m_passages.back().latencies.assign(m_units.size(), -1);
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            m_source.push_back({words[i], {packet, i == 0, i + 1 == words.size()}});
            ++m_left;
        }
    }

    /// @return the passages of all packets.
    const std::vector<Passage>& Run()
    {
        for (Cycle cycle = 0; m_left > 0; ++cycle)
        {
            StepCycle(cycle);
        }
        return m_passages;
    }

  private:
    struct Word
    {
        std::size_t packet;
        bool isFirst;
        bool isLast;
    };

    struct TimedWord
    {
        Cycle at; ///< When it is offered, or leaves the registers.
        Word word;
    };

    /// Takes the words of every so many-th packet, one per wordCycles.
    struct Checker
    {
        std::deque<Word> fifo;
        Word word{0, false, false};
        uint32_t busy{0}; ///< Cycles left for the word.
    };

    struct Unit
    {
        ClockedStage config;
        std::deque<Word> fifo;
        std::deque<TimedWord> registers; ///< They move each cycle: nothing stops them.
        uint32_t packetPause;            ///< Cycles until the next packet may begin.
        uint32_t wholePackets;           ///< In the FIFO.
        std::vector<Checker> checkers;   ///< One checks in the cycle in which a word is written.
        std::set<std::size_t> checked;   ///< Packets.
    };

    void StepCycle(Cycle cycle)
    {
        // From the last to the first: what is written in this cycle is not taken in it.
        for (std::size_t i = m_units.size(); i-- > 0;)
        {
            Unit& unit = m_units[i];
            if (!unit.registers.empty() && unit.registers.front().at == cycle)
            {
                Leave(i, unit.registers.front().word, cycle);
                unit.registers.pop_front();
            }
            Take(unit, cycle);
        }
        if (!m_source.empty() && m_source.front().at <= cycle)
        {
            const Word word = m_source.front().word;
            m_source.pop_front();
            Write(0, word, cycle);
            if (word.isLast)
            {
                m_passages[word.packet].entered = cycle;
            }
        }
    }

    void Write(std::size_t stage, const Word& word, Cycle cycle)
    {
        m_units[stage].fifo.push_back(word);
        auto& checkers = m_units[stage].checkers;
        checkers[word.packet % checkers.size()].fifo.push_back(word);
        m_units[stage].wholePackets += word.isLast;
        if (word.isFirst)
        {
            m_passages[word.packet].written[stage] = cycle;
        }
    }

    void Leave(std::size_t stage, const Word& word, Cycle cycle)
    {
        Passage& passage = m_passages[word.packet];
        if (word.isFirst)
        {
            passage.latencies[stage] = cycle - passage.written[stage];
        }
        if (stage + 1 < m_units.size())
        {
            Write(stage + 1, word, cycle);
            return;
        }
        passage.first = word.isFirst ? cycle : passage.first;
        passage.last = cycle;
        --m_left;
    }

    static void Check(Unit& unit)
    {
        for (Checker& checker : unit.checkers)
        {
            if (checker.busy == 0 && !checker.fifo.empty())
            {
                checker.word = checker.fifo.front();
                checker.fifo.pop_front();
                checker.busy = unit.config.wordCycles;
            }
            if (checker.busy > 0 && --checker.busy == 0 && checker.word.isLast)
            {
                unit.checked.insert(checker.word.packet);
            }
        }
    }

    static void Take(Unit& unit, Cycle cycle)
    {
        Check(unit);
        unit.packetPause -= unit.packetPause > 0;
        if (unit.fifo.empty())
        {
            return;
        }
        const Word word = unit.fifo.front();
        const bool isChecked = unit.config.wordCycles == 1 || unit.checked.count(word.packet) > 0;
        const bool isWhole = !unit.config.isStoreAndForward || (unit.wholePackets > 0 && isChecked);
        if (word.isFirst && (unit.packetPause > 0 || !isWhole))
        {
            return;
        }
        unit.packetPause = word.isFirst ? unit.config.packetInterval : unit.packetPause;
        unit.wholePackets -= word.isLast;
        unit.registers.push_back({cycle + unit.config.latency, word});
        unit.fifo.pop_front();
    }

    std::vector<Unit> m_units;
    std::deque<TimedWord> m_source;
    std::vector<Passage> m_passages;
    std::size_t m_left{0}; ///< Words that have not left the last stage.
};

} // namespace ns3::rdma

#endif // FPGA_CLOCKED_PIPELINE_REFERENCE_H
