// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/call-kernel.h"

#include "ns3/log.h"
#include "ns3/policy-error.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("CallKernel");

NS_OBJECT_ENSURE_REGISTERED(CallKernel);

namespace
{
/// Of the first part of a value: a packet of StRoM (fpga-network-stack, PMTU).
constexpr uint32_t PACKET_BYTES{1408};
constexpr uint64_t SECOND_PART{uint64_t{1} << 32}; ///< In the tag of the read of the other bytes.
constexpr uint64_t PLACE_MASK{SECOND_PART - 1};
} // namespace

TypeId
CallKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::CallKernel").SetParent<OffloadKernel>().SetGroupName("FpgaRnic"))
            .Add("MaxCalls",
                 Member(&CallKernel::m_maxCalls, 16, 1, 4096),
                 "Calls in progress at a time; later calls wait in the kernel's queue (16: our "
                 "estimate, the depth of the FIFOs between a kernel's functions)");
    return tid;
}

std::optional<ReplyAddress>
CallKernel::FindReply(const KernelInput& input)
{
    if (input.bytes.GetSize() < sizeof(uint64_t) || !input.isFirst)
    {
        ++m_dropped;
        return std::nullopt;
    }
    return ReplyAddress{input.queuePair, input.bytes.Get64(0), input.replyKey};
}

uint32_t
CallKernel::Begin(const ReplyAddress& reply, Tick now, KernelStep& step)
{
    const auto free = std::find_if(m_places.begin(), m_places.end(), [](const Place& place) {
        return !place.isUsed;
    });
    const auto place = static_cast<uint32_t>(free - m_places.begin());
    if (place == m_places.size())
    {
        m_places.emplace_back();
    }
    m_places[place] = {};
    m_places[place].reply = reply;
    m_places[place].isUsed = true;
    ++m_used;
    NS_LOG_LOGIC(GetInstanceTypeId().GetName() << ", queue pair " << reply.queuePair << ": call "
                                               << place << " begins, " << m_used << " in progress");
    step.readyAt = m_used < m_maxCalls ? After(now, 1) : TICK_NEVER; // Initiation interval 1.
    return place;
}

uint32_t
CallKernel::GetPlace(const char* handler, uint64_t tag) const
{
    const uint64_t place = tag & PLACE_MASK;
    if (place >= m_places.size() || !m_places[place].isUsed)
    {
        FailPolicy(*this, handler, "the tag of a call under way", std::to_string(tag));
    }
    return static_cast<uint32_t>(place);
}

void
CallKernel::End(uint32_t place, const KernelReply& reply, Tick at, Tick now, KernelStep& step)
{
    NS_LOG_LOGIC(GetInstanceTypeId().GetName()
                 << ", queue pair " << m_places[place].reply.queuePair << ": call " << place
                 << " ends, " << GetKernelStatusName(reply.status) << ", " << reply.value.size()
                 << " B leave in " << at - now << " ps");
    reply.AddTo(step, m_places[place].reply, at, m_places[place].sent);
    m_places[place].isUsed = false;
    --m_used;
    step.readyAt = After(now, 1);
}

void
CallKernel::Refuse(const ReplyAddress& reply, Tick now, KernelStep& step) const
{
    NS_LOG_INFO(GetInstanceTypeId().GetName()
                << ", queue pair " << reply.queuePair << ": a call is refused, BAD_PARAMETERS");
    KernelReply::AddStatus(step, reply, KernelStatus::BAD_PARAMETERS, After(now, m_latency));
    step.readyAt = After(now, 1);
}

void
CallKernel::Read(uint32_t place, uint64_t address, uint32_t bytes, Tick now, KernelStep& step) const
{
    ReadPart(place, address, bytes, now, step);
}

void
CallKernel::ReadValue(uint32_t place, uint64_t address, uint32_t bytes, Tick now, KernelStep& step)
{
    const uint32_t first = std::min(bytes, PACKET_BYTES);
    ReadPart(place, address, first, now, step);
    m_places[place].partsLeft = 1;
    if (bytes > first)
    {
        ReadPart(place | SECOND_PART, address + first, bytes - first, now, step);
        m_places[place].partsLeft = 2;
    }
}

void
CallKernel::OnValue(uint64_t tag, ByteView bytes, Tick now, KernelStep& step)
{
    const uint32_t number = GetPlace("OnData()", tag);
    Place& place = m_places[number];
    --place.partsLeft;
    const bool isWhole = place.partsLeft == 0 && place.sent == 0;
    if (!isWhole && !place.hasFault)
    {
        const uint32_t offset = (tag & SECOND_PART) != 0 ? PACKET_BYTES : 0;
        KernelReply::AddPart(step, place.reply, offset, bytes.Copy(), After(now, m_latency));
        place.sent += static_cast<uint32_t>(bytes.GetSize());
    }
    EndValue(number, isWhole ? bytes.Copy() : std::vector<uint8_t>(), now, step);
}

void
CallKernel::OnValueFault(uint64_t tag, Tick now, KernelStep& step)
{
    const uint32_t number = GetPlace("OnFault()", tag);
    m_places[number].hasFault = true;
    --m_places[number].partsLeft;
    EndValue(number, {}, now, step);
}

void
CallKernel::EndValue(uint32_t place, std::vector<uint8_t> value, Tick now, KernelStep& step)
{
    if (m_places[place].partsLeft > 0)
    {
        return;
    }
    KernelReply reply{KernelStatus::OK, std::move(value)};
    if (m_places[place].hasFault)
    {
        reply = {KernelStatus::FAULT, {}};
        m_places[place].sent = 0;
    }
    End(place, reply, After(now, m_latency), now, step);
}

void
CallKernel::ReadPart(uint64_t tag, uint64_t address, uint32_t bytes, Tick now, KernelStep& step)
    const
{
    KernelCommand command;
    command.kind = KernelCommand::Kind::READ_HOST;
    command.at = After(now, m_latency);
    command.address = address;
    command.length = bytes;
    command.tag = tag;
    step.commands.push_back(std::move(command));
}

} // namespace ns3::rdma
