// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traversal-kernel.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TraversalKernel);

TypeId
TraversalKernel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TraversalKernel")
            .SetParent<OffloadKernel>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<TraversalKernel>()
            .AddAttribute(
                "MaxElements",
                "That one call reads; then it ends with TOO_MANY_STEPS (4096: our bound; the "
                "paper has none)",
                UintegerValue(4096),
                MakeUintegerAccessor(&TraversalKernel::m_maxElements),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxCalls",
                          "Under way at a time; later ones wait in the kernel's queue (16: our "
                          "estimate, the depth "
                          "of the FIFOs between its functions)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&TraversalKernel::m_maxCalls),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Latency",
                          "Cycles from parameters or an element to the next command (10: five "
                          "functions with a FIFO "
                          "between them as in StRoM Listing 2, of 2 cycles each; our estimate)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&TraversalKernel::m_latency),
                          MakeUintegerChecker<uint32_t>(1, 10000));
    return tid;
}

TraversalKernel::TraversalKernel() = default;

uint64_t
TraversalKernel::GetRpcCode() const
{
    return RPC_CODE;
}

uint32_t
TraversalKernel::FindPlace() const
{
    const auto found =
        std::find_if(m_walks.begin(), m_walks.end(), [](const Walk& walk) { return !walk.isUsed; });
    return static_cast<uint32_t>(found - m_walks.begin());
}

void
TraversalKernel::Read(KernelStep& step, uint32_t place, uint64_t address, uint32_t bytes, Tick now)
    const
{
    KernelCommand command;
    command.kind = KernelCommand::Kind::READ_HOST;
    command.at = After(now, m_latency);
    command.address = address;
    command.length = bytes;
    command.tag = place;
    step.commands.push_back(std::move(command));
}

KernelStep
TraversalKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1); // Initiation interval 1.
    const auto parameters = TraversalParameters::Decode(input.bytes);
    if (!parameters)
    {
        if (input.bytes.GetSize() < sizeof(uint64_t) || !input.isFirst)
        {
            ++m_dropped;
            return step;
        }
        const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
        KernelReply::AddStatus(step, to, KernelStatus::BAD_PARAMETERS, After(input.at, m_latency));
        return step;
    }
    const uint32_t place = FindPlace();
    if (place == m_walks.size())
    {
        m_walks.emplace_back();
    }
    m_walks[place] = {*parameters,
                      {input.queuePair, parameters->target, input.replyKey},
                      1,
                      false,
                      true};
    ++m_used;
    Read(step, place, parameters->remoteAddress, TraversalParameters::ELEMENT_BYTES, input.at);
    step.readyAt = m_used < m_maxCalls ? step.readyAt : TICK_NEVER;
    return step;
}

KernelStep
TraversalKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    KernelStep step;
    const auto place = static_cast<uint32_t>(tag);
    Walk& walk = m_walks[place];
    if (walk.isAtValue)
    {
        KernelReply{KernelStatus::OK, bytes.Copy()}.AddTo(step, walk.reply, After(now, m_latency));
        walk.isUsed = false;
        --m_used;
        step.readyAt = After(now, 1);
        return step;
    }
    const TraversalParameters::Look look = walk.parameters.LookAt(bytes);
    if (look.isMatch)
    {
        walk.isAtValue = true;
        Read(step, place, look.pointer, walk.parameters.valueSize, now);
    }
    else if (look.pointer == 0)
    {
        End(step, place, KernelStatus::NOT_FOUND, now);
    }
    else if (walk.elements >= m_maxElements)
    {
        End(step, place, KernelStatus::TOO_MANY_STEPS, now);
    }
    else
    {
        ++walk.elements;
        Read(step, place, look.pointer, TraversalParameters::ELEMENT_BYTES, now);
    }
    return step;
}

KernelStep
TraversalKernel::OnFault(uint64_t tag, Tick now)
{
    KernelStep step;
    End(step, static_cast<uint32_t>(tag), KernelStatus::FAULT, now);
    return step;
}

void
TraversalKernel::End(KernelStep& step, uint32_t place, KernelStatus status, Tick now)
{
    KernelReply::AddStatus(step, m_walks[place].reply, status, After(now, m_latency));
    m_walks[place].isUsed = false;
    --m_used;
    step.readyAt = After(now, 1);
}

} // namespace ns3::rdma
