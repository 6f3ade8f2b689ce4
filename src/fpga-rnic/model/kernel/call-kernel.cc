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
    m_places[place] = {reply, true};
    ++m_used;
    NS_LOG_LOGIC(GetInstanceTypeId().GetName() << ", queue pair " << reply.queuePair << ": call "
                                               << place << " begins, " << m_used << " in progress");
    step.readyAt = m_used < m_maxCalls ? After(now, 1) : TICK_NEVER; // Initiation interval 1.
    return place;
}

uint32_t
CallKernel::GetPlace(const char* handler, uint64_t tag) const
{
    if (tag >= m_places.size() || !m_places[tag].isUsed)
    {
        FailPolicy(*this, handler, "the tag of a call under way", std::to_string(tag));
    }
    return static_cast<uint32_t>(tag);
}

void
CallKernel::End(uint32_t place, const KernelReply& reply, Tick at, Tick now, KernelStep& step)
{
    NS_LOG_LOGIC(GetInstanceTypeId().GetName()
                 << ", queue pair " << m_places[place].reply.queuePair << ": call " << place
                 << " ends, " << GetKernelStatusName(reply.status) << ", " << reply.value.size()
                 << " B leave in " << at - now << " ps");
    reply.AddTo(step, m_places[place].reply, at);
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
    KernelCommand command;
    command.kind = KernelCommand::Kind::READ_HOST;
    command.at = After(now, m_latency);
    command.address = address;
    command.length = bytes;
    command.tag = place;
    step.commands.push_back(std::move(command));
}

} // namespace ns3::rdma
