// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-probe.h"

#include "ns3/kernel-reply.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

KernelProbe::KernelProbe(OffloadKernel& kernel)
    : m_kernel(kernel),
      m_host(Create<HostMemory>()),
      m_card(Create<HostMemory>()),
      m_caller(Create<HostMemory>())
{
}

std::string
KernelProbe::Call(const std::vector<uint8_t>& parameters,
                  uint64_t target,
                  const std::vector<uint8_t>& value)
{
    KernelInput input;
    input.bytes = ByteView(parameters);
    Apply(m_kernel.OnPacket(input), 0);
    constexpr uint32_t MAX_EVENTS{10'000}; // More than a GET needs; a kernel may go on for ever.
    for (uint32_t i = 0; i < MAX_EVENTS && !m_events.empty(); ++i)
    {
        const auto next = m_events.begin();
        const Tick now = next->first;
        const auto command = std::move(next->second);
        m_events.erase(next);
        if (command)
        {
            Execute(*command, now);
        }
        else
        {
            Apply(m_kernel.OnWake(now), now);
        }
        if (const uint64_t word = m_caller->Read64(target); word != 0)
        {
            return Compare(word, target, value);
        }
    }
    return "does not answer";
}

std::string
KernelProbe::Compare(uint64_t word, uint64_t target, const std::vector<uint8_t>& value) const
{
    if (KernelReply::GetStatus(word) != KernelStatus::OK)
    {
        return std::string("answers ") + GetKernelStatusName(KernelReply::GetStatus(word));
    }
    std::vector<uint8_t> found(value.size());
    m_caller->Read(target + KernelReply::WORD_BYTES, found.data(), found.size());
    return KernelReply::GetBytes(word) == value.size() && found == value ? ""
                                                                         : "answers another value";
}

void
KernelProbe::Apply(const KernelStep& step, Tick now)
{
    for (const KernelCommand& command : step.commands)
    {
        m_events.emplace(std::max(command.at, now), command);
    }
    if (step.wakeAt != TICK_NEVER)
    {
        m_events.emplace(std::max(step.wakeAt, now), std::nullopt);
    }
}

void
KernelProbe::Execute(const KernelCommand& command, Tick now)
{
    using Kind = KernelCommand::Kind;
    const bool isOfHost = command.kind == Kind::READ_HOST || command.kind == Kind::WRITE_HOST;
    HostMemory& memory = command.kind == Kind::SEND_WRITE ? *m_caller
                         : isOfHost                       ? *m_host
                                                          : *m_card;
    switch (command.kind)
    {
    case Kind::READ_HOST:
    case Kind::READ_CARD: {
        constexpr uint32_t MAX_READ{1U << 24}; // Parameters of another kind may mean any length.
        if (command.length == 0 || command.length > MAX_READ)
        {
            Apply(m_kernel.OnFault(command.tag, now), now);
            return;
        }
        std::vector<uint8_t> bytes(command.length);
        memory.Read(command.address, bytes.data(), bytes.size());
        Apply(m_kernel.OnData(command.tag, ByteView(bytes), now), now);
        return;
    }
    case Kind::WRITE_HOST:
    case Kind::WRITE_CARD:
    case Kind::SEND_WRITE:
        memory.Write(command.address, command.bytes.data(), command.bytes.size());
        return;
    default:
        return; // Notifications.
    }
}

} // namespace ns3::rdma
