// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hyper-log-log-kernel.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

std::vector<uint8_t>
HyperLogLogParameters::Encode() const
{
    std::vector<uint8_t> encoded(BYTES);
    boost::endian::store_little_u64(encoded.data(), target);
    boost::endian::store_little_u32(encoded.data() + sizeof target, static_cast<uint32_t>(action));
    return encoded;
}

NS_OBJECT_ENSURE_REGISTERED(HyperLogLogKernel);

TypeId
HyperLogLogKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<HyperLogLogKernel, StreamService>("ns3::rdma::HyperLogLogKernel",
                                                             "FpgaRnic")
            .Add("Precision",
                 Member(&HyperLogLogKernel::m_precision,
                        16,
                        HyperLogLog::MIN_PRECISION,
                        HyperLogLog::MAX_PRECISION),
                 "Bits of a hash that choose the register (16: fpgasystems/fpga-hyperloglog, "
                 "hls/hyperloglog/globals.hpp)")
            .Add("WideItems",
                 Member(&HyperLogLogKernel::m_hasWideItems, false),
                 "Items have 8 bytes, else 4 (false: fpgasystems/fpga-hyperloglog; StRoM does not "
                 "say)")
            .Add("Latency",
                 Member(&HyperLogLogKernel::m_latency, 10, 1, 10000),
                 "Cycles of an answer, in addition to one cycle per register that is read, as in "
                 "fpgasystems/fpga-hyperloglog (10: our estimate)");
    return tid;
}

uint32_t
HyperLogLogKernel::GetItemBytes() const
{
    return m_hasWideItems ? sizeof(uint64_t) : sizeof(uint32_t);
}

uint64_t
HyperLogLogKernel::GetRpcCode() const
{
    return RPC_CODE;
}

StreamService::Placement
HyperLogLogKernel::GetPlacement() const
{
    return Placement::PARALLEL;
}

void
HyperLogLogKernel::Take(uint32_t queuePair, bool isFirst, ByteView bytes)
{
    if (!m_sketch)
    {
        m_sketch = std::make_unique<HyperLogLog>(m_precision);
    }
    const uint32_t itemBytes = GetItemBytes();
    std::vector<uint8_t>& part = m_parts[queuePair];
    if (isFirst)
    {
        part.clear();
    }
    std::size_t begin = 0;
    if (!part.empty())
    {
        begin = std::min(itemBytes - part.size(), bytes.GetSize());
        part.insert(part.end(), bytes.GetData(), bytes.GetData() + begin);
        if (part.size() < itemBytes)
        {
            return;
        }
        m_sketch->AddItems(ByteView(part), itemBytes);
        ++m_items;
    }
    const std::size_t size = bytes.GetSize() - begin;
    const std::size_t rest = m_sketch->AddItems(ByteView(bytes.GetData() + begin, size), itemBytes);
    m_items += (size - rest) / itemBytes;
    part.assign(bytes.GetData() + bytes.GetSize() - rest, bytes.GetData() + bytes.GetSize());
}

StreamStep
HyperLogLogKernel::OnStream(const StreamInput& input)
{
    Take(input.queuePair, input.isFirst, input.bytes);
    StreamStep step;
    const auto bytes = static_cast<uint32_t>(input.bytes.GetSize());
    step.readyAt = After(input.at, GetClock().GetWords(bytes));
    return step;
}

KernelStep
HyperLogLogKernel::OnPacket(const KernelInput& input)
{
    if (!input.isStream)
    {
        return OnParameters(input);
    }
    Take(input.queuePair, input.isFirst, input.bytes);
    KernelStep step;
    const auto bytes = static_cast<uint32_t>(input.bytes.GetSize());
    step.readyAt = After(input.at, GetClock().GetWords(bytes));
    return step;
}

KernelStep
HyperLogLogKernel::OnParameters(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    if (input.bytes.GetSize() < sizeof(uint64_t))
    {
        return step; // There is no address for an answer.
    }
    const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
    const uint32_t action = input.bytes.GetSize() < HyperLogLogParameters::BYTES
                                ? UINT32_MAX
                                : input.bytes.Get32(sizeof(uint64_t));
    if (action >= static_cast<uint32_t>(HyperLogLogParameters::Action::COUNT))
    {
        KernelReply::AddStatus(step, to, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        return step;
    }
    const double estimate = m_sketch ? m_sketch->Estimate() : 0;
    KernelReply reply{KernelStatus::OK, std::vector<uint8_t>(2 * sizeof(uint64_t))};
    boost::endian::store_little_u64(reply.value.data(),
                                    static_cast<uint64_t>(std::llround(estimate)));
    boost::endian::store_little_u64(reply.value.data() + sizeof(uint64_t), m_items);
    const Cycle registers = Cycle{1} << m_precision;
    reply.AddTo(step, to, After(input.at, m_latency + registers));
    if (action == static_cast<uint32_t>(HyperLogLogParameters::Action::CLEAR))
    {
        m_sketch.reset();
        m_items = 0;
    }
    return step;
}

} // namespace ns3::rdma
