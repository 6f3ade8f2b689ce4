// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clocked-pipeline.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// A word that is written in one cycle can be read in the next.
constexpr Cycle FIFO_CYCLES{1};
} // namespace

ClockedPipeline::ClockedPipeline(std::vector<ClockedStage> stages, uint32_t wordBytes)
    : m_stages(std::move(stages)),
      m_wordBytes(wordBytes)
{
    NS_ABORT_MSG_IF(m_stages.empty(), "A clocked pipeline has at least one stage");
    NS_ABORT_MSG_IF(wordBytes == 0, "A word of a clocked pipeline has at least 1 byte");
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const ClockedStage& stage = m_stages[i];
        NS_ABORT_MSG_IF(stage.latency == 0, "Stage " << stage.name << " has no latency");
        NS_ABORT_MSG_IF(stage.wordCycles == 0, "Stage " << stage.name << " checks without time");
        NS_ABORT_MSG_IF(stage.packetInterval == 0,
                        "Stage " << stage.name << " has no packet interval");
        if (i == 0 || stage.isStoreAndForward ||
            stage.packetInterval > m_segments.back().packetInterval)
        {
            Segment segment;
            segment.firstStage = i;
            segment.packetInterval = stage.packetInterval;
            segment.isStoreAndForward = stage.isStoreAndForward;
            segment.latency = stage.latency;
            segment.wordCycles = stage.wordCycles;
            if (stage.isStoreAndForward && stage.wordCycles > 1)
            {
                segment.checkerFree.resize(stage.wordCycles);
            }
            m_segments.push_back(segment);
        }
        else
        {
            m_segments.back().latency += FIFO_CYCLES + stage.latency;
        }
    }
}

Cycle
ClockedPipeline::Segment::Check(Cycle first, Cycle last, Cycle words)
{
    Cycle& isFree = checkerFree[nextChecker];
    nextChecker = (nextChecker + 1) % checkerFree.size();
    const Cycle start = std::max(first + FIFO_CYCLES, isFree);
    isFree = std::max(start + wordCycles * words, last + FIFO_CYCLES + wordCycles);
    return isFree - 1;
}

ClockedDeparture
ClockedPipeline::Enter(const ClockedArrival& arrival)
{
    NS_ASSERT_MSG(arrival.bytes > 0, "an empty packet");
    NS_ASSERT_MSG(arrival.first <= arrival.last, "the last word before the first");
    const Cycle more = (arrival.bytes - 1) / m_wordBytes; // Words after the first.
    Cycle first = m_entry.GetNext(more == 0 ? arrival.last : arrival.first);
    Cycle last = std::max(arrival.last, first + more);
    m_entry.Block(last + 1);
    const Cycle entered = last;
    for (Segment& segment : m_segments)
    {
        const Cycle available = segment.checkerFree.empty()
                                    ? (segment.isStoreAndForward ? last : first) + FIFO_CYCLES
                                    : segment.Check(first, last, more + 1);
        const Cycle taken =
            segment.packets.Take(segment.words.GetNext(available), segment.packetInterval);
        const Cycle lastTaken = std::max(last + FIFO_CYCLES, taken + more);
        segment.words.Block(lastTaken + 1);
        segment.wait = taken - first;
        first = taken + segment.latency;
        last = lastTaken + segment.latency;
    }
    return {entered, first, last};
}

Cycle
ClockedPipeline::GetLatency(std::size_t stage) const
{
    const auto next =
        std::find_if(m_segments.begin(), m_segments.end(), [stage](const Segment& segment) {
            return segment.firstStage > stage;
        });
    const Segment& segment = *std::prev(next);
    const bool isFirst = segment.firstStage == stage;
    return (isFirst ? segment.wait : FIFO_CYCLES) + m_stages[stage].latency;
}

} // namespace ns3::rdma
