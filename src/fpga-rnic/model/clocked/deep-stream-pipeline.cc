// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/deep-stream-pipeline.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Before the first cycle, by more than any latency adds.
constexpr Cycle LONG_AGO = std::numeric_limits<Cycle>::min() / 2;
} // namespace

DeepStreamPipeline::DeepStreamPipeline(std::vector<StreamStage> stages)
    : m_stages(std::move(stages)),
      m_states(m_stages.size(), {LONG_AGO, LONG_AGO, {}})
{
    NS_ABORT_MSG_IF(m_stages.empty(), "A stream pipeline has at least one stage");
    for (const StreamStage& stage : m_stages)
    {
        NS_ABORT_MSG_IF(stage.latency == 0, "Stage " << stage.name << " has no latency");
        NS_ABORT_MSG_IF(stage.packetInterval == 0,
                        "Stage " << stage.name << " has no packet interval");
        NS_ABORT_MSG_IF(stage.widthIn == 0, "Stage " << stage.name << " has a width of 0");
        NS_ABORT_MSG_IF(stage.interval != 1 || stage.widthIn != m_stages[0].widthIn ||
                            stage.widthOut != m_stages[0].widthIn,
                        "Stage " << stage.name << " does not carry a word of the first stage's "
                                 << "width per cycle");
    }
}

StreamDeparture
DeepStreamPipeline::Enter(const StreamArrival& arrival)
{
    NS_ASSERT_MSG(arrival.bytes > 0, "an empty packet");
    NS_ASSERT_MSG(arrival.first <= arrival.last, "the last word before the first");
    const uint32_t width = m_stages[0].widthIn;
    const Cycle more = (arrival.bytes - 1) / width; // Words after the first.
    Cycle first = std::max(more == 0 ? arrival.last : arrival.first, m_lastWrite + 1);
    Cycle last = std::max(arrival.last, first + more);
    m_lastWrite = last;
    const Cycle entered = last;
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const StreamStage& stage = m_stages[i];
        StageState& state = m_states[i];
        const Cycle written = first;
        const Cycle taken = std::max({(stage.isStoreAndForward ? last : first) + 1,
                                      state.lastTake + 1,
                                      state.packetStart + stage.packetInterval});
        state.packetStart = taken;
        state.lastTake = std::max(last + 1, taken + more);
        first = taken + stage.latency;
        last = state.lastTake + stage.latency;
        ++state.stats.packets;
        state.stats.words += static_cast<uint64_t>(more) + 1;
        state.stats.latencyCycles += static_cast<uint64_t>(first - written);
        state.stats.maxLatency = std::max(state.stats.maxLatency, first - written);
    }
    return {entered, first, last};
}

} // namespace ns3::rdma
