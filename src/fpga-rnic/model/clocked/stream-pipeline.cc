// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-pipeline.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Before the first cycle, by more than any latency or depth adds.
constexpr Cycle LONG_AGO = std::numeric_limits<Cycle>::min() / 2;

uint32_t
CountWords(uint32_t bytes, uint32_t width)
{
    return bytes / width + (bytes % width != 0);
}

void
Check(const StreamStage& stage)
{
    NS_ABORT_MSG_IF(stage.latency == 0, "Stage " << stage.name << " has no latency");
    NS_ABORT_MSG_IF(stage.interval == 0, "Stage " << stage.name << " has no interval");
    NS_ABORT_MSG_IF(stage.packetInterval == 0, "Stage " << stage.name << " has no packet interval");
    NS_ABORT_MSG_IF(stage.fifoDepth == 0, "Stage " << stage.name << " has no FIFO");
    NS_ABORT_MSG_IF(stage.widthIn == 0 || stage.widthOut == 0,
                    "Stage " << stage.name << " has a width of 0");
    NS_ABORT_MSG_IF(stage.widthIn % stage.widthOut != 0 && stage.widthOut % stage.widthIn != 0,
                    "Stage " << stage.name << ": neither of its widths " << stage.widthIn << " and "
                             << stage.widthOut << " divides the other");
}
} // namespace

void
StreamPipeline::Ring::Resize(uint32_t size)
{
    m_times.assign(size, LONG_AGO);
}

void
StreamPipeline::Ring::Put(Cycle time)
{
    m_times[m_count % m_times.size()] = time;
    ++m_count;
}

Cycle
StreamPipeline::Ring::Get(uint64_t word) const
{
    return m_times[word % m_times.size()];
}

StreamPipeline::StreamPipeline(std::vector<StreamStage> stages, StreamSink* sink)
    : m_stages(std::move(stages)),
      m_states(m_stages.size()),
      m_sink(sink)
{
    NS_ABORT_MSG_IF(m_stages.empty(), "A stream pipeline has at least one stage");
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const StreamStage& stage = m_stages[i];
        Check(stage);
        NS_ABORT_MSG_IF(i > 0 && stage.widthIn != m_stages[i - 1].widthOut,
                        "Stage " << stage.name << " takes words of " << stage.widthIn
                                 << " bytes, the one before makes " << m_stages[i - 1].widthOut);
        StageState& state = m_states[i];
        state.isWidening = stage.widthOut > stage.widthIn;
        state.ratio =
            state.isWidening ? stage.widthOut / stage.widthIn : stage.widthIn / stage.widthOut;
        state.takes.Resize(stage.fifoDepth);
        state.leaves.Resize(stage.latency);
        state.lastStep = LONG_AGO;
        state.packetStart = LONG_AGO;
    }
}

uint32_t
StreamPipeline::GetMaxBytes() const
{
    uint64_t most = UINT32_MAX;
    for (const StreamStage& stage : m_stages)
    {
        if (stage.isStoreAndForward)
        {
            most = std::min(most, uint64_t{stage.fifoDepth} * stage.widthIn);
        }
    }
    return static_cast<uint32_t>(most);
}

StreamDeparture
StreamPipeline::Enter(const StreamArrival& arrival)
{
    NS_ASSERT_MSG(arrival.bytes > 0, "an empty packet");
    NS_ASSERT_MSG(arrival.bytes <= GetMaxBytes(), "a stage cannot hold the packet");
    NS_ASSERT_MSG(arrival.first <= arrival.last, "the last word before the first");
    m_bytes = arrival.bytes;
    m_departure = {0, LONG_AGO, 0};
    const Cycle words = CountWords(m_bytes, m_stages[0].widthIn);
    const Cycle span = arrival.last - arrival.first;
    for (Cycle i = 0; i < words; ++i)
    {
        const Cycle offered = words == 1 ? arrival.last : arrival.first + span * i / (words - 1);
        const Cycle room = m_states[0].GetRoom();
        m_lastWrite = std::max({offered, m_lastWrite + 1, room});
        Write(0, m_lastWrite);
    }
    m_departure.entered = m_lastWrite;
    return m_departure;
}

void
StreamPipeline::Write(std::size_t stage, Cycle at)
{
    StageState& state = m_states[stage];
    const uint32_t words = CountWords(m_bytes, m_stages[stage].widthIn);
    const uint32_t word = state.inPacket++;
    const bool isLast = word + 1 == words;
    CountWrite(stage, at);
    if (word == 0)
    {
        state.packetWritten = at;
        state.steps = 0;
    }
    if (isLast)
    {
        state.inPacket = 0;
    }
    if (!m_stages[stage].isStoreAndForward)
    {
        Take(stage, at, at + 1, GetSteps(stage, word, words));
        return;
    }
    state.held.push_back(at);
    if (isLast)
    {
        for (uint32_t i = 0; i < words; ++i)
        {
            Take(stage, state.held[i], at + 1, GetSteps(stage, i, words));
        }
        state.held.clear();
    }
}

/// @return steps that the unit makes of a word of the present packet.
uint32_t
StreamPipeline::GetSteps(std::size_t stage, uint32_t word, uint32_t words) const
{
    const StageState& state = m_states[stage];
    if (state.isWidening || state.ratio == 1)
    {
        return 1;
    }
    return word + 1 < words ? state.ratio
                            : CountWords(m_bytes, m_stages[stage].widthOut) - word * state.ratio;
}

void
StreamPipeline::Take(std::size_t stage, Cycle written, Cycle available, uint32_t steps)
{
    StageState& state = m_states[stage];
    Cycle taken = available;
    for (uint32_t i = 0; i < steps; ++i)
    {
        taken = Step(stage, available);
    }
    state.takes.Put(taken);
    state.stats.waitCycles += taken - written;
}

Cycle
StreamPipeline::Step(std::size_t stage, Cycle available)
{
    const StreamStage& config = m_stages[stage];
    StageState& state = m_states[stage];
    const uint32_t step = state.steps++;
    Cycle at = std::max(available, state.lastStep + config.interval);
    if (step == 0)
    {
        at = std::max(at, state.packetStart + config.packetInterval);
    }
    const uint32_t last = CountWords(m_bytes, std::min(config.widthIn, config.widthOut)) - 1;
    const bool isLeaving = !state.isWidening || step == last || (step + 1) % state.ratio == 0;
    if (isLeaving)
    {
        at = std::max(at, state.leaves.Get(state.leaves.GetCount()));
    }
    state.lastStep = at;
    if (step == 0)
    {
        state.packetStart = at;
    }
    if (isLeaving)
    {
        Leave(stage, at + config.latency);
    }
    return at;
}

void
StreamPipeline::Leave(std::size_t stage, Cycle earliest)
{
    StageState& state = m_states[stage];
    const bool isLastStage = stage + 1 == m_stages.size();
    Cycle at = std::max(earliest, state.lastLeave + 1);
    if (!isLastStage)
    {
        at = std::max(at, m_states[stage + 1].GetRoom());
    }
    else if (m_sink)
    {
        at = m_sink->GetReady(at);
    }
    state.lastLeave = at;
    state.leaves.Put(at);
    if (state.packetWritten >= 0)
    {
        const Cycle latency = at - state.packetWritten;
        state.packetWritten = -1; // The packet's other words do not count.
        ++state.stats.packets;
        state.stats.latencyCycles += latency;
        state.stats.maxLatency = std::max(state.stats.maxLatency, latency);
    }
    if (!isLastStage)
    {
        Write(stage + 1, at);
        return;
    }
    m_departure.first = m_departure.first == LONG_AGO ? at : m_departure.first;
    m_departure.last = at;
}

void
StreamPipeline::CountWrite(std::size_t stage, Cycle at)
{
    StageState& state = m_states[stage];
    while (state.oldest < state.takes.GetCount() && state.takes.Get(state.oldest) <= at)
    {
        ++state.oldest;
    }
    ++state.written;
    ++state.stats.words;
    const auto held = static_cast<uint32_t>(state.written - state.oldest);
    state.stats.maxOccupancy = std::max(state.stats.maxOccupancy, held);
}

} // namespace ns3::rdma
