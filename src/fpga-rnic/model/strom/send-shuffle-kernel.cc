// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-shuffle-kernel.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t KEY_OFFSET{4}; ///< In an entry, as are the next two.
constexpr uint32_t ADDRESS_OFFSET{8};
constexpr uint32_t VALUES_OFFSET{16};

constexpr uint32_t SOURCE_OFFSET{8}; ///< In the parameters, as are the next ones.
constexpr uint32_t BYTES_OFFSET{16};
constexpr uint32_t TABLE_OFFSET{24};
constexpr uint32_t BITS_OFFSET{32};
constexpr uint32_t ID_OFFSET{40};
} // namespace

std::vector<uint8_t>
RemotePartition::Encode(const std::vector<RemotePartition>& partitions)
{
    std::vector<uint8_t> bytes(partitions.size() * BYTES);
    uint8_t* entry = bytes.data();
    for (const RemotePartition& partition : partitions)
    {
        boost::endian::store_little_u32(entry, partition.queuePair);
        boost::endian::store_little_u32(entry + KEY_OFFSET, partition.remoteKey);
        boost::endian::store_little_u64(entry + ADDRESS_OFFSET, partition.address);
        boost::endian::store_little_u64(entry + VALUES_OFFSET, partition.values);
        entry += BYTES;
    }
    return bytes;
}

std::vector<RemotePartition>
RemotePartition::Decode(ByteView bytes)
{
    std::vector<RemotePartition> partitions;
    for (std::size_t at = 0; at + BYTES <= bytes.GetSize(); at += BYTES)
    {
        partitions.push_back({bytes.Get32(at),
                              bytes.Get32(at + KEY_OFFSET),
                              bytes.Get64(at + ADDRESS_OFFSET),
                              bytes.Get64(at + VALUES_OFFSET)});
    }
    return partitions;
}

std::vector<uint8_t>
SendShuffleParameters::Encode() const
{
    std::vector<uint8_t> encoded(BYTES);
    boost::endian::store_little_u64(encoded.data(), target);
    boost::endian::store_little_u64(encoded.data() + SOURCE_OFFSET, address);
    boost::endian::store_little_u64(encoded.data() + BYTES_OFFSET, bytes);
    boost::endian::store_little_u64(encoded.data() + TABLE_OFFSET, table);
    boost::endian::store_little_u32(encoded.data() + BITS_OFFSET, bits);
    boost::endian::store_little_u64(encoded.data() + ID_OFFSET, wrId);
    return encoded;
}

std::optional<SendShuffleParameters>
SendShuffleParameters::Decode(ByteView bytes)
{
    if (bytes.GetSize() != BYTES)
    {
        return std::nullopt;
    }
    const SendShuffleParameters call{bytes.Get64(0),
                                     bytes.Get64(SOURCE_OFFSET),
                                     bytes.Get64(BYTES_OFFSET),
                                     bytes.Get64(TABLE_OFFSET),
                                     bytes.Get32(BITS_OFFSET),
                                     bytes.Get64(ID_OFFSET)};
    const bool isValid =
        call.bytes > 0 && call.bytes % sizeof(uint64_t) == 0 && call.bits <= MAX_BITS;
    return isValid ? std::optional<SendShuffleParameters>(call) : std::nullopt;
}

NS_OBJECT_ENSURE_REGISTERED(SendShuffleKernel);

TypeId
SendShuffleKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<SendShuffleKernel, OffloadKernel>("ns3::rdma::SendShuffleKernel",
                                                             "FpgaRnic")
            .Add("ValuesPerCycle",
                 Member(&SendShuffleKernel::m_valuesPerCycle, 1, 1, 8),
                 "Values that pass the kernel per cycle (1: initiation interval 1, StRoM footnote "
                 "3; at 156.25 MHz that is 10 Gb/s)")
            .Add(
                "BufferValues",
                Member(&SendShuffleKernel::m_bufferValues, 176, 1, 512),
                "Values in a partition's buffer, and of a WRITE (176: 1408 bytes, the payload of a "
                "packet at MTU 1500; up to MTU size: StRoM footnote 9)")
            .Add("ChunkBytes",
                 Member(&SendShuffleKernel::m_chunkBytes, 16384, 8, 1 << 20),
                 "Size of a chunk of values that is read at a time, rounded down to whole values "
                 "(16 KiB: as SendStreamKernel)")
            .Add("MaxChunks",
                 Member(&SendShuffleKernel::m_maxChunks, 4, 1, 1024),
                 "Outstanding reads at most (4: as SendStreamKernel)")
            .Add("Latency",
                 Member(&SendShuffleKernel::m_latency, 10, 1, 10000),
                 "Cycles from a value to the WRITE that it fills a buffer for (10: as "
                 "ShuffleKernel)");
    return tid;
}

uint64_t
SendShuffleKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelStep
SendShuffleKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    if (!input.isLocal || input.bytes.GetSize() < sizeof(uint64_t))
    {
        return step; // Peers must not call, and short parameters have no address.
    }
    m_call = {};
    m_call.target = input.bytes.Get64(0);
    m_sent = 0;
    m_leftOut = 0;
    const auto call = SendShuffleParameters::Decode(input.bytes);
    if (!call)
    {
        End(step, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        return step;
    }
    m_call = *call;
    m_partitions.clear();
    m_hasFault = false;
    m_asked = 0;
    m_passed = 0;
    m_reads = 0;
    Read(step, TABLE, m_call.table, RemotePartition::BYTES << m_call.bits, input.at);
    step.readyAt = TICK_NEVER;
    return step;
}

void
SendShuffleKernel::Read(KernelStep& step, Tag tag, uint64_t address, uint32_t bytes, Tick now)
{
    step.commands.emplace_back();
    KernelCommand& read = step.commands.back();
    read.kind = KernelCommand::Kind::READ_HOST;
    read.at = After(now, m_latency);
    read.address = address;
    read.length = bytes;
    read.tag = tag;
    ++m_reads;
}

void
SendShuffleKernel::ReadMore(KernelStep& step, Tick now)
{
    const uint64_t chunk = m_chunkBytes / VALUE_BYTES * VALUE_BYTES;
    while (!m_hasFault && m_asked < m_call.bytes && m_reads < m_maxChunks)
    {
        const uint64_t bytes = std::min(chunk, m_call.bytes - m_asked);
        Read(step, VALUES, m_call.address + m_asked, static_cast<uint32_t>(bytes), now);
        m_asked += bytes;
    }
}

KernelStep
SendShuffleKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    KernelStep step;
    --m_reads;
    if (tag == TABLE)
    {
        for (const RemotePartition& to : RemotePartition::Decode(bytes))
        {
            m_partitions.push_back({to, {}});
        }
        m_free = GetClock().GetCycle(now);
        ReadMore(step, now);
        return step;
    }
    if (!m_hasFault)
    {
        const Cycle first = std::max(m_free, GetClock().GetCycle(now));
        const std::size_t count = bytes.GetSize() / VALUE_BYTES;
        for (std::size_t i = 0; i < count; ++i)
        {
            AddValue(bytes.GetData() + i * VALUE_BYTES, first + i / m_valuesPerCycle, step);
        }
        m_free = first + (count + m_valuesPerCycle - 1) / m_valuesPerCycle;
        m_passed += bytes.GetSize();
        // The buffer of this chunk is free when its values have passed.
        ReadMore(step, GetClock().GetTime(m_free));
    }
    if (m_passed == m_call.bytes)
    {
        FlushAll(step);
    }
    else if (m_reads == 0)
    {
        End(step, KernelStatus::FAULT, After(now, m_latency));
    }
    return step;
}

void
SendShuffleKernel::AddValue(const uint8_t* value, Cycle at, KernelStep& step)
{
    const uint64_t mask = (uint64_t{1} << m_call.bits) - 1;
    Partition& partition = m_partitions[boost::endian::load_little_u64(value) & mask];
    const uint64_t held = partition.buffer.size() / VALUE_BYTES;
    if (partition.to.values == held)
    {
        ++m_leftOut;
        return;
    }
    ++m_sent;
    if (held == m_bufferValues)
    {
        Send(partition, at, false, step);
    }
    partition.buffer.insert(partition.buffer.end(), value, value + VALUE_BYTES);
}

void
SendShuffleKernel::Send(Partition& partition, Cycle at, bool isLast, KernelStep& step)
{
    step.commands.emplace_back();
    KernelCommand& write = step.commands.back();
    write.kind = KernelCommand::Kind::SEND_WRITE;
    write.at = GetClock().GetTime(at + m_latency);
    write.queuePair = partition.to.queuePair;
    write.remoteKey = partition.to.remoteKey;
    write.address = partition.to.address;
    write.tag = m_call.wrId;
    write.isSignaled = isLast;
    write.bytes = std::move(partition.buffer);
    partition.buffer = {};
    partition.to.address += write.bytes.size();
    partition.to.values -= write.bytes.size() / VALUE_BYTES;
}

void
SendShuffleKernel::FlushAll(KernelStep& step)
{
    // A buffer that has had a value still has one, so the last WRITE of each queue pair is here.
    std::vector<bool> isLast(m_partitions.size());
    std::set<uint32_t> queuePairs;
    for (std::size_t i = m_partitions.size(); i > 0; --i)
    {
        const Partition& partition = m_partitions[i - 1];
        isLast[i - 1] =
            !partition.buffer.empty() && queuePairs.insert(partition.to.queuePair).second;
    }
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        Partition& partition = m_partitions[i];
        const auto bytes = static_cast<uint32_t>(partition.buffer.size());
        if (bytes > 0)
        {
            Send(partition, m_free, isLast[i], step);
        }
        m_free += bytes > 0 ? GetClock().GetWords(bytes) : 1;
    }
    End(step,
        m_leftOut > 0 ? KernelStatus::NO_ROOM : KernelStatus::OK,
        GetClock().GetTime(m_free + m_latency));
}

KernelStep
SendShuffleKernel::OnFault(uint64_t tag, Tick now)
{
    KernelStep step;
    if (tag == ANSWER)
    {
        return step;
    }
    --m_reads;
    m_hasFault = true;
    if (m_reads == 0)
    {
        End(step, KernelStatus::FAULT, After(now, m_latency));
    }
    return step;
}

void
SendShuffleKernel::End(KernelStep& step, KernelStatus status, Tick at)
{
    const bool hasValue = status == KernelStatus::OK || status == KernelStatus::NO_ROOM;
    const uint32_t valueBytes = hasValue ? 2 * sizeof(uint64_t) : 0;
    step.commands.emplace_back();
    KernelCommand& write = step.commands.back();
    write.kind = KernelCommand::Kind::WRITE_HOST;
    write.at = at;
    write.address = m_call.target;
    write.tag = ANSWER;
    write.bytes.resize(KernelReply::WORD_BYTES + valueBytes);
    uint8_t* const bytes = write.bytes.data();
    boost::endian::store_little_u64(bytes, KernelReply::MakeWord(status, valueBytes));
    if (hasValue)
    {
        boost::endian::store_little_u64(bytes + KernelReply::WORD_BYTES, m_sent);
        boost::endian::store_little_u64(bytes + KernelReply::WORD_BYTES + sizeof(uint64_t),
                                        m_leftOut);
    }
    step.readyAt = at;
}

} // namespace ns3::rdma
