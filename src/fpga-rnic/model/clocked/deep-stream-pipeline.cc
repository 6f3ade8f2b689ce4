// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/deep-stream-pipeline.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Before the first cycle, by more than any latency adds.
constexpr Cycle LONG_AGO = std::numeric_limits<Cycle>::min() / 2;

/// A word that is written in one cycle can be taken in the next.
constexpr Cycle FIFO_CYCLES{1};
} // namespace

DeepStreamPipeline::DeepStreamPipeline(std::vector<StreamStage> stages)
    : m_stages(std::move(stages))
{
    NS_ABORT_MSG_IF(m_stages.empty(), "A stream pipeline has at least one stage");
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const StreamStage& stage = m_stages[i];
        NS_ABORT_MSG_IF(stage.latency == 0, "Stage " << stage.name << " has no latency");
        NS_ABORT_MSG_IF(stage.packetInterval == 0,
                        "Stage " << stage.name << " has no packet interval");
        NS_ABORT_MSG_IF(stage.widthIn == 0, "Stage " << stage.name << " has a width of 0");
        NS_ABORT_MSG_IF(stage.interval != 1 || stage.widthIn != m_stages[0].widthIn ||
                            stage.widthOut != m_stages[0].widthIn,
                        "Stage " << stage.name << " does not carry a word of the first stage's "
                                 << "width per cycle");
        if (i == 0 || stage.isStoreAndForward ||
            stage.packetInterval > m_segments.back().packetInterval)
        {
            Segment segment;
            segment.firstStage = i;
            segment.packetInterval = stage.packetInterval;
            segment.isStoreAndForward = stage.isStoreAndForward;
            segment.latency = stage.latency;
            segment.lastTake = LONG_AGO;
            segment.packetStart = LONG_AGO;
            m_segments.push_back(segment);
        }
        else
        {
            m_segments.back().latency += FIFO_CYCLES + stage.latency;
        }
    }
}

StreamDeparture
DeepStreamPipeline::Enter(const StreamArrival& arrival)
{
    NS_ASSERT_MSG(arrival.bytes > 0, "an empty packet");
    NS_ASSERT_MSG(arrival.first <= arrival.last, "the last word before the first");
    const Cycle more = (arrival.bytes - 1) / m_stages[0].widthIn; // Words after the first.
    Cycle first = std::max(more == 0 ? arrival.last : arrival.first, m_lastWrite + 1);
    Cycle last = std::max(arrival.last, first + more);
    m_lastWrite = last;
    const Cycle entered = last;
    for (Segment& segment : m_segments)
    {
        const Cycle taken = std::max({(segment.isStoreAndForward ? last : first) + FIFO_CYCLES,
                                      segment.lastTake + 1,
                                      segment.packetStart + segment.packetInterval});
        segment.wait = taken - first;
        segment.waits += static_cast<uint64_t>(segment.wait);
        segment.maxWait = std::max(segment.maxWait, segment.wait);
        segment.packetStart = taken;
        segment.lastTake = std::max(last + FIFO_CYCLES, taken + more);
        first = taken + segment.latency;
        last = segment.lastTake + segment.latency;
    }
    ++m_packets;
    m_words += static_cast<uint64_t>(more) + 1;
    return {entered, first, last};
}

const DeepStreamPipeline::Segment&
DeepStreamPipeline::FindSegment(std::size_t stage) const
{
    const auto next =
        std::find_if(m_segments.begin(), m_segments.end(), [stage](const Segment& segment) {
            return segment.firstStage > stage;
        });
    return *std::prev(next);
}

Cycle
DeepStreamPipeline::GetLatency(std::size_t stage) const
{
    const Segment& segment = FindSegment(stage);
    const bool isFirst = segment.firstStage == stage;
    return (isFirst ? segment.wait : FIFO_CYCLES) + m_stages[stage].latency;
}

StreamStageStats
DeepStreamPipeline::GetStats(std::size_t stage) const
{
    StreamStageStats stats;
    stats.packets = m_packets;
    stats.words = m_words;
    if (m_packets == 0)
    {
        return stats;
    }
    const Segment& segment = FindSegment(stage);
    const bool isFirst = segment.firstStage == stage;
    const uint64_t latency = m_stages[stage].latency;
    stats.latencyCycles = (isFirst ? segment.waits : m_packets * FIFO_CYCLES) + m_packets * latency;
    stats.maxLatency = (isFirst ? segment.maxWait : FIFO_CYCLES) + m_stages[stage].latency;
    return stats;
}

} // namespace ns3::rdma
