// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shuffle-kernel.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ShuffleKernel);

TypeId
ShuffleKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ShuffleKernel, OffloadKernel>("ns3::rdma::ShuffleKernel", "FpgaRnic")
            .Add("ValuesPerCycle",
                 Member(&ShuffleKernel::m_valuesPerCycle, 1, 1, 8),
                 "Values that the kernel takes per cycle (1: initiation interval 1, StRoM footnote "
                 "3; at 156.25 MHz that is 10 Gb/s)")
            .Add("Latency",
                 Member(&ShuffleKernel::m_latency, 10, 1, 10000),
                 "Cycles from a value to the write that it fills a buffer for (10: hash, buffer, "
                 "command, with FIFOs between them; our estimate)");
    return tid;
}

uint64_t
ShuffleKernel::GetRpcCode() const
{
    return RPC_CODE;
}

bool
ShuffleKernel::IsOwner(const KernelInput& input) const
{
    return m_state != State::IDLE && input.queuePair == m_reply.queuePair;
}

KernelStep
ShuffleKernel::OnPacket(const KernelInput& input)
{
    return input.isStream ? OnStream(input) : OnParameters(input);
}

KernelStep
ShuffleKernel::OnParameters(const KernelInput& input)
{
    KernelStep step;
    const Tick at = After(input.at, m_latency);
    step.readyAt =
        After(input.at, GetClock().GetWords(static_cast<uint32_t>(input.bytes.GetSize())));
    if (input.bytes.GetSize() < sizeof(uint64_t))
    {
        ++m_dropped;
        return step;
    }
    const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
    const auto parameters = ShuffleParameters::Decode(input.bytes);
    if (m_state != State::IDLE && !IsOwner(input))
    {
        KernelReply::AddStatus(step, to, KernelStatus::NO_ROOM, at);
        return step;
    }
    const bool isNext = parameters && m_state == State::TABLE && m_bits == parameters->bits &&
                        parameters->first == m_partitions.size();
    if (!parameters || (parameters->first != 0 && !isNext))
    {
        m_state = State::IDLE;
        KernelReply::AddStatus(step, to, KernelStatus::BAD_PARAMETERS, at);
        return step;
    }
    Begin(*parameters, input);
    return step;
}

void
ShuffleKernel::Begin(const ShuffleParameters& parameters, const KernelInput& input)
{
    if (parameters.first == 0)
    {
        m_reply = {input.queuePair, parameters.target, input.replyKey};
        m_bits = parameters.bits;
        m_missingBytes = parameters.streamBytes;
        m_partitions.clear();
        m_buffers.resize((std::size_t{1} << m_bits) * BUFFER_VALUES * VALUE_BYTES);
        m_values = 0;
        m_leftOut = 0;
        m_faults = 0;
        m_partBytes = 0;
    }
    for (const ShufflePartition& partition : parameters.partitions)
    {
        m_partitions.push_back({partition.address, partition.values, 0});
    }
    m_state = m_partitions.size() == std::size_t{1} << m_bits ? State::STREAM : State::TABLE;
}

KernelStep
ShuffleKernel::OnStream(const KernelInput& input)
{
    KernelStep step;
    const auto size = static_cast<uint32_t>(input.bytes.GetSize());
    const Cycle start = GetClock().GetCycle(input.at);
    const uint32_t values = (size + VALUE_BYTES - 1) / VALUE_BYTES;
    const Cycle end = start + std::max(1U, (values + m_valuesPerCycle - 1) / m_valuesPerCycle);
    step.readyAt = GetClock().GetTime(end);
    if (m_state != State::STREAM || !IsOwner(input))
    {
        ++m_dropped;
        if (m_state == State::TABLE && IsOwner(input))
        {
            m_state = State::IDLE; // Its table was not complete.
            Answer(step, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        }
        return step;
    }
    AddValues(input, start + m_latency, step);
    m_missingBytes -= std::min<uint64_t>(m_missingBytes, size);
    if (m_missingBytes == 0)
    {
        m_state = State::FLUSHING;
        const Cycle flushed = FlushAll(end + m_latency, step);
        step.readyAt = TICK_NEVER; // The buffers must be empty before the next stream.
        m_answerAt = GetClock().GetTime(flushed);
        step.wakeAt = m_answerAt;
    }
    return step;
}

void
ShuffleKernel::AddValues(const KernelInput& input, Cycle first, KernelStep& step)
{
    const auto size =
        static_cast<std::size_t>(std::min<uint64_t>(input.bytes.GetSize(), m_missingBytes));
    const uint8_t* const bytes = input.bytes.GetData();
    std::size_t offset = 0;
    uint32_t count = 0;
    if (m_partBytes > 0)
    {
        offset = std::min<std::size_t>(VALUE_BYTES - m_partBytes, size);
        std::copy_n(bytes, offset, m_part + m_partBytes);
        m_partBytes += static_cast<uint32_t>(offset);
        if (m_partBytes < VALUE_BYTES)
        {
            return;
        }
        AddValue(m_part, first, step);
        ++count;
    }
    for (; offset + VALUE_BYTES <= size; offset += VALUE_BYTES)
    {
        AddValue(bytes + offset, first + count / m_valuesPerCycle, step);
        ++count;
    }
    m_partBytes = static_cast<uint32_t>(size - offset);
    std::copy_n(bytes + offset, m_partBytes, m_part);
}

void
ShuffleKernel::AddValue(const uint8_t* value, Cycle at, KernelStep& step)
{
    const uint64_t mask = (uint64_t{1} << m_bits) - 1;
    const auto number = static_cast<uint32_t>(boost::endian::load_little_u64(value) & mask);
    Partition& partition = m_partitions[number];
    if (partition.room == 0)
    {
        ++m_leftOut;
        return;
    }
    --partition.room;
    ++m_values;
    const std::size_t place = std::size_t{number} * BUFFER_VALUES + partition.filled;
    std::copy_n(value, VALUE_BYTES, m_buffers.data() + place * VALUE_BYTES);
    if (++partition.filled == BUFFER_VALUES)
    {
        Flush(number, at, step);
    }
}

void
ShuffleKernel::Flush(uint32_t number, Cycle at, KernelStep& step)
{
    Partition& partition = m_partitions[number];
    const uint8_t* const begin =
        m_buffers.data() + std::size_t{number} * BUFFER_VALUES * VALUE_BYTES;
    const uint32_t bytes = partition.filled * VALUE_BYTES;
    step.commands.emplace_back();
    KernelCommand& write = step.commands.back();
    write.kind = KernelCommand::Kind::WRITE_HOST;
    write.at = GetClock().GetTime(at);
    write.address = partition.address;
    write.bytes.assign(begin, begin + bytes);
    write.tag = number;
    partition.address += bytes;
    partition.filled = 0;
}

Cycle
ShuffleKernel::FlushAll(Cycle at, KernelStep& step)
{
    // One buffer after the other, at the width of the bus. An empty one also takes a cycle.
    for (uint32_t number = 0; number < m_partitions.size(); ++number)
    {
        const uint32_t filled = m_partitions[number].filled;
        if (filled > 0)
        {
            Flush(number, at, step);
        }
        at += filled > 0 ? GetClock().GetWords(filled * VALUE_BYTES) : 1;
    }
    return at;
}

void
ShuffleKernel::Answer(KernelStep& step, KernelStatus status, Tick at) const
{
    KernelReply reply{status, std::vector<uint8_t>(2 * sizeof(uint64_t))};
    boost::endian::store_little_u64(reply.value.data(), m_values);
    boost::endian::store_little_u64(reply.value.data() + sizeof(uint64_t), m_leftOut);
    reply.AddTo(step, m_reply, at);
}

KernelStep
ShuffleKernel::OnWake(Tick now)
{
    KernelStep step;
    if (m_state != State::FLUSHING || now < m_answerAt)
    {
        return step;
    }
    m_state = State::IDLE;
    const KernelStatus incomplete = m_leftOut > 0 ? KernelStatus::NO_ROOM : KernelStatus::OK;
    Answer(step, m_faults > 0 ? KernelStatus::FAULT : incomplete, now);
    step.commands.emplace_back();
    KernelCommand& done = step.commands.back();
    done.kind = KernelCommand::Kind::COMPLETE;
    done.at = now;
    done.tag = m_values;
    done.queuePair = m_reply.queuePair;
    step.readyAt = now;
    return step;
}

KernelStep
ShuffleKernel::OnQueuePairEnd(uint32_t queuePair, Tick)
{
    const bool isIncomplete = m_state == State::TABLE || m_state == State::STREAM;
    if (isIncomplete && queuePair == m_reply.queuePair)
    {
        m_state = State::IDLE;
        ++m_abandoned;
    }
    return {};
}

KernelStep
ShuffleKernel::OnData(uint64_t, ByteView, Tick)
{
    return {}; // The kernel issues no reads.
}

KernelStep
ShuffleKernel::OnFault(uint64_t, Tick)
{
    ++m_faults;
    return {};
}

} // namespace ns3::rdma
