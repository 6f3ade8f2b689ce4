// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-kernel.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BUCKET_BYTES{20};
constexpr uint32_t POINTER_OFFSET{8};
constexpr uint32_t LENGTH_OFFSET{16};
} // namespace

std::vector<uint8_t>
GetEntry::Encode() const
{
    std::vector<uint8_t> bytes(BYTES);
    for (uint32_t i = 0; i < BUCKETS; ++i)
    {
        uint8_t* const begin = bytes.data() + i * BUCKET_BYTES;
        boost::endian::store_little_u64(begin, buckets[i].key);
        boost::endian::store_little_u64(begin + POINTER_OFFSET, buckets[i].valuePtr);
        boost::endian::store_little_u32(begin + LENGTH_OFFSET, buckets[i].valueLen);
    }
    return bytes;
}

GetEntry
GetEntry::Decode(ByteView bytes)
{
    GetEntry entry;
    for (uint32_t i = 0; i < BUCKETS; ++i)
    {
        const uint32_t begin = i * BUCKET_BYTES;
        entry.buckets[i] = {bytes.Get64(begin),
                            bytes.Get64(begin + POINTER_OFFSET),
                            bytes.Get32(begin + LENGTH_OFFSET)};
    }
    return entry;
}

std::vector<uint8_t>
GetParameters::Encode() const
{
    std::vector<uint8_t> bytes(BYTES);
    boost::endian::store_little_u64(bytes.data(), target);
    boost::endian::store_little_u64(bytes.data() + 8, entry);
    boost::endian::store_little_u64(bytes.data() + 16, key);
    return bytes;
}

NS_OBJECT_ENSURE_REGISTERED(GetKernel);

TypeId
GetKernel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::GetKernel")
            .SetParent<OffloadKernel>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<GetKernel>()
            .AddAttribute(
                "Latency",
                "Cycles from parameters or an entry to the next command (4: two of Listing 2's "
                "functions, of 2 cycles each; our estimate)",
                UintegerValue(4),
                MakeUintegerAccessor(&GetKernel::m_latency),
                MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute(
                "MaxCalls",
                "Under way at a time; later ones wait in the kernel's queue (16: our estimate)",
                UintegerValue(16),
                MakeUintegerAccessor(&GetKernel::m_maxCalls),
                MakeUintegerChecker<uint32_t>(1, 4096));
    return tid;
}

GetKernel::GetKernel() = default;

uint64_t
GetKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelCommand
GetKernel::MakeRead(uint64_t tag, uint64_t address, uint32_t bytes, Tick now) const
{
    KernelCommand command;
    command.kind = KernelCommand::Kind::READ_HOST;
    command.at = After(now, m_latency);
    command.address = address;
    command.length = bytes;
    command.tag = tag;
    return command;
}

KernelStep
GetKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1); // Listing 3: initiation interval 1.
    if (input.bytes.GetSize() < GetParameters::BYTES)
    {
        if (input.isFirst && input.bytes.GetSize() >= sizeof(uint64_t))
        {
            const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
            KernelReply::AddStatus(step, to, KernelStatus::BAD_PARAMETERS, step.readyAt);
        }
        return step;
    }
    const auto free =
        std::find_if(m_gets.begin(), m_gets.end(), [](const Get& get) { return !get.isUsed; });
    const auto place = static_cast<std::size_t>(free - m_gets.begin());
    if (place == m_gets.size())
    {
        m_gets.emplace_back();
    }
    m_gets[place] = {{input.queuePair, input.bytes.Get64(0), input.replyKey},
                     input.bytes.Get64(16),
                     false,
                     true};
    ++m_used;
    step.commands.push_back(MakeRead(place, input.bytes.Get64(8), GetEntry::BYTES, input.at));
    step.readyAt = m_used < m_maxCalls ? step.readyAt : TICK_NEVER;
    return step;
}

KernelStep
GetKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    Get& get = m_gets[tag];
    if (get.isAtValue)
    {
        return Answer(tag, KernelStatus::OK, bytes.Copy(), now);
    }
    for (const GetBucket& bucket : GetEntry::Decode(bytes).buckets)
    {
        if (bucket.valueLen > 0 && bucket.key == get.key)
        {
            get.isAtValue = true;
            KernelStep step;
            step.commands.push_back(MakeRead(tag, bucket.valuePtr, bucket.valueLen, now));
            return step;
        }
    }
    return Answer(tag, KernelStatus::NOT_FOUND, {}, now);
}

KernelStep
GetKernel::OnFault(uint64_t tag, Tick now)
{
    return Answer(tag, KernelStatus::FAULT, {}, now);
}

KernelStep
GetKernel::Answer(uint64_t tag, KernelStatus status, std::vector<uint8_t> value, Tick now)
{
    KernelStep step;
    KernelReply{status, std::move(value)}.AddTo(step, m_gets[tag].reply, After(now, m_latency));
    m_gets[tag].isUsed = false;
    --m_used;
    step.readyAt = After(now, 1);
    return step;
}

} // namespace ns3::rdma
