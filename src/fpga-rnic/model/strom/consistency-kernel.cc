// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/consistency-kernel.h"

#include "ns3/crc64.h"
#include "ns3/type-attributes.h"

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
        TypeAttributes::Of<ConsistencyKernel, CallKernel>("ns3::rdma::ConsistencyKernel",
                                                          "FpgaRnic")
            .Add("MaxReads",
                 Member(&ConsistencyKernel::m_maxReads, 64, 1),
                 "Reads of one call at most; a call that needs more ends with TOO_MANY_STEPS (64: "
                 "our bound; the paper has none)")
            .Add("Latency",
                 Member(&ConsistencyKernel::m_latency, 10, 1, 10000),
                 "Cycles of the kernel without those for words of the object, which leave its "
                 "buffer one "
                 "per cycle once they are verified (10: our estimate)");
    return tid;
}

uint64_t
ConsistencyKernel::GetRpcCode() const
{
    return RPC_CODE;
}

void
ConsistencyKernel::ReadObject(uint32_t place, Tick now, KernelStep& step)
{
    Wanted& object = m_objects[place];
    ++object.reads;
    Read(place, object.address, object.bytes, now, step);
}

KernelStep
ConsistencyKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    const auto reply = FindReply(input);
    if (!reply)
    {
        return step;
    }
    const bool isWhole = input.bytes.GetSize() >= ConsistencyParameters::BYTES;
    const uint32_t bytes = isWhole ? input.bytes.Get32(16) : 0;
    if (bytes <= CRC_BYTES)
    {
        Refuse(*reply, input.at, step);
        return step;
    }
    const uint32_t place = Begin(*reply, input.at, step);
    m_objects.resize(std::max<std::size_t>(m_objects.size(), place + 1));
    m_objects[place] = {input.bytes.Get64(8), bytes, 0};
    ReadObject(place, input.at, step);
    return step;
}

KernelStep
ConsistencyKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    KernelStep step;
    const uint32_t place = GetPlace("OnData()", tag);
    // The checksum is computed while the words arrive.
    const std::size_t checked = bytes.GetSize() - CRC_BYTES;
    if (ComputeCrc64(ByteView(bytes.GetData(), checked)) == bytes.Get64(checked))
    {
        const auto words = GetClock().GetWords(static_cast<uint32_t>(bytes.GetSize()));
        const Tick at = After(now, m_latency + words);
        End(place, {KernelStatus::OK, bytes.Copy()}, at, now, step);
    }
    else if (m_objects[place].reads >= m_maxReads)
    {
        End(place, {KernelStatus::TOO_MANY_STEPS, {}}, After(now, m_latency), now, step);
    }
    else
    {
        ++m_repeatedReads;
        ReadObject(place, now, step);
    }
    return step;
}

KernelStep
ConsistencyKernel::OnFault(uint64_t tag, Tick now)
{
    KernelStep step;
    End(GetPlace("OnFault()", tag), {KernelStatus::FAULT, {}}, After(now, m_latency), now, step);
    return step;
}

} // namespace ns3::rdma
