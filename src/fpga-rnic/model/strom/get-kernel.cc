// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-kernel.h"

#include "ns3/type-attributes.h"

#include <algorithm>

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
        TypeAttributes::Of<GetKernel, CallKernel>("ns3::rdma::GetKernel", "FpgaRnic")
            .Add("Latency",
                 Member(&GetKernel::m_latency, 4, 1, 10000),
                 "Cycles from parameters or an entry to the next command (4: two of Listing 2's "
                 "functions, of 2 cycles each; our estimate)");
    return tid;
}

uint64_t
GetKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelStep
GetKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    const auto reply = FindReply(input);
    if (!reply)
    {
        return step;
    }
    if (input.bytes.GetSize() < GetParameters::BYTES)
    {
        Refuse(*reply, input.at, step);
        return step;
    }
    const uint32_t place = Begin(*reply, input.at, step);
    m_gets.resize(std::max<std::size_t>(m_gets.size(), place + 1));
    m_gets[place] = {input.bytes.Get64(16), false};
    Read(place, input.bytes.Get64(8), GetEntry::BYTES, input.at, step);
    return step;
}

KernelStep
GetKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    KernelStep step;
    const uint32_t place = GetPlace("OnData()", tag);
    Get& get = m_gets[place];
    if (get.isAtValue)
    {
        OnValue(tag, bytes, now, step);
        return step;
    }
    for (const GetBucket& bucket : GetEntry::Decode(bytes).buckets)
    {
        if (bucket.valueLen > 0 && bucket.key == get.key)
        {
            get.isAtValue = true;
            ReadValue(place, bucket.valuePtr, bucket.valueLen, now, step);
            return step;
        }
    }
    End(place, {KernelStatus::NOT_FOUND, {}}, After(now, m_latency), now, step);
    return step;
}

KernelStep
GetKernel::OnFault(uint64_t tag, Tick now)
{
    KernelStep step;
    const uint32_t place = GetPlace("OnFault()", tag);
    if (m_gets[place].isAtValue)
    {
        OnValueFault(tag, now, step);
    }
    else
    {
        End(place, {KernelStatus::FAULT, {}}, After(now, m_latency), now, step);
    }
    return step;
}

} // namespace ns3::rdma
