// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/consistency-kernel.h"

#include "ns3/crc64.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

std::vector<uint8_t>
ConsistencyParameters::Encode() const
{
    std::vector<uint8_t> encoded(BYTES);
    boost::endian::store_little_u64(encoded.data(), target);
    boost::endian::store_little_u64(encoded.data() + 8, address);
    boost::endian::store_little_u32(encoded.data() + 16, bytes);
    return encoded;
}

NS_OBJECT_ENSURE_REGISTERED(ConsistencyKernel);

TypeId
ConsistencyKernel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::ConsistencyKernel")
            .SetParent<OffloadKernel>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<ConsistencyKernel>()
            .AddAttribute(
                "MaxReads",
                "Of one call; then it ends with TOO_MANY_STEPS (64: our bound; the paper has none)",
                UintegerValue(64),
                MakeUintegerAccessor(&ConsistencyKernel::m_maxReads),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "MaxCalls",
                "Under way at a time; later ones wait in the kernel's queue (16: our estimate)",
                UintegerValue(16),
                MakeUintegerAccessor(&ConsistencyKernel::m_maxCalls),
                MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Latency",
                          "Cycles of the kernel beside the words of the object, which leave its "
                          "buffer one per cycle "
                          "once they are verified (10: our estimate)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&ConsistencyKernel::m_latency),
                          MakeUintegerChecker<uint32_t>(1, 10000));
    return tid;
}

ConsistencyKernel::ConsistencyKernel() = default;

uint64_t
ConsistencyKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelCommand
ConsistencyKernel::MakeRead(uint64_t tag, Tick at)
{
    Call& call = m_calls[tag];
    ++call.reads;
    KernelCommand command;
    command.kind = KernelCommand::Kind::READ_HOST;
    command.at = at;
    command.address = call.address;
    command.length = call.bytes;
    command.tag = tag;
    return command;
}

KernelStep
ConsistencyKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    const std::size_t size = input.bytes.GetSize();
    if (size < sizeof(uint64_t) || !input.isFirst)
    {
        return step; // There is nowhere to answer.
    }
    const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
    const uint32_t bytes = size < ConsistencyParameters::BYTES ? 0 : input.bytes.Get32(16);
    if (bytes <= CRC_BYTES)
    {
        KernelReply::AddStatus(step, to, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        return step;
    }
    const auto free =
        std::find_if(m_calls.begin(), m_calls.end(), [](const Call& call) { return !call.isUsed; });
    const auto place = static_cast<std::size_t>(free - m_calls.begin());
    if (place == m_calls.size())
    {
        m_calls.emplace_back();
    }
    m_calls[place] = {to, input.bytes.Get64(8), bytes, 0, true};
    ++m_used;
    step.commands.push_back(MakeRead(place, After(input.at, m_latency)));
    step.readyAt = m_used < m_maxCalls ? step.readyAt : TICK_NEVER;
    return step;
}

KernelStep
ConsistencyKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    // The checksum is computed while the words come in.
    const std::size_t checked = bytes.GetSize() - CRC_BYTES;
    if (ComputeCrc64(ByteView(bytes.GetData(), checked)) == bytes.Get64(checked))
    {
        const auto words = GetClock().GetWords(static_cast<uint32_t>(bytes.GetSize()));
        return Answer(tag, {KernelStatus::OK, bytes.Copy()}, After(now, m_latency + words));
    }
    const Tick at = After(now, m_latency);
    if (m_calls[tag].reads >= m_maxReads)
    {
        return Answer(tag, {KernelStatus::TOO_MANY_STEPS, {}}, at);
    }
    ++m_repeatedReads;
    KernelStep step;
    step.commands.push_back(MakeRead(tag, at));
    return step;
}

KernelStep
ConsistencyKernel::OnFault(uint64_t tag, Tick now)
{
    return Answer(tag, {KernelStatus::FAULT, {}}, After(now, m_latency));
}

KernelStep
ConsistencyKernel::Answer(uint64_t tag, const KernelReply& reply, Tick at)
{
    KernelStep step;
    reply.AddTo(step, m_calls[tag].reply, at);
    m_calls[tag].isUsed = false;
    --m_used;
    step.readyAt = at;
    return step;
}

} // namespace ns3::rdma
