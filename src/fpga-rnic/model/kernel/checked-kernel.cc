// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/checked-kernel.h"

#include "ns3/policy-error.h"

namespace ns3::rdma
{

namespace
{
void
CheckCommand(const OffloadKernel& kernel, const char* call, const KernelCommand& command)
{
    const auto kind = static_cast<uint32_t>(command.kind);
    if (kind >= static_cast<uint32_t>(KernelCommand::Kind::COUNT))
    {
        FailPolicy(kernel, call, "commands of KernelCommand::Kind", "kind " + std::to_string(kind));
    }
    if (command.at < 0 || command.at == TICK_NEVER)
    {
        FailPolicy(kernel, call, "commands at a time from 0 on", DescribeTick(command.at));
    }
}
} // namespace

KernelStep
CheckStep(const OffloadKernel& kernel, const char* call, KernelStep step)
{
    if (step.commands.size() > MAX_STEP_COMMANDS)
    {
        FailPolicy(kernel,
                   call,
                   "at most " + std::to_string(MAX_STEP_COMMANDS) + " commands",
                   std::to_string(step.commands.size()));
    }
    for (const KernelCommand& command : step.commands)
    {
        CheckCommand(kernel, call, command);
    }
    if (step.readyAt < 0)
    {
        FailPolicy(kernel, call, "readyAt from 0 on", DescribeTick(step.readyAt));
    }
    if (step.wakeAt < 0)
    {
        FailPolicy(kernel, call, "wakeAt from 0 on", DescribeTick(step.wakeAt));
    }
    return step;
}

uint64_t
CheckedKernel::GetRpcCode() const
{
    return CallPolicy(m_kernel, "GetRpcCode()", [&] { return m_kernel.GetRpcCode(); });
}

std::string
CheckedKernel::FindFault() const
{
    const std::string fault =
        CallPolicy(m_kernel, "FindFault()", [&] { return m_kernel.FindFault(); });
    if (fault.find_first_of("\n\r\x1b") != std::string::npos)
    {
        FailPolicy(m_kernel, "FindFault()", "one line of text", "several, or control characters");
    }
    return fault;
}

KernelStep
CheckedKernel::OnPacket(const KernelInput& input) const
{
    constexpr const char* CALL{"OnPacket()"};
    return CheckStep(m_kernel, CALL, CallPolicy(m_kernel, CALL, [&] {
                         return m_kernel.OnPacket(input);
                     }));
}

KernelStep
CheckedKernel::OnData(uint64_t tag, ByteView bytes, Tick now) const
{
    constexpr const char* CALL{"OnData()"};
    return CheckStep(m_kernel, CALL, CallPolicy(m_kernel, CALL, [&] {
                         return m_kernel.OnData(tag, bytes, now);
                     }));
}

KernelStep
CheckedKernel::OnFault(uint64_t tag, Tick now) const
{
    constexpr const char* CALL{"OnFault()"};
    return CheckStep(m_kernel, CALL, CallPolicy(m_kernel, CALL, [&] {
                         return m_kernel.OnFault(tag, now);
                     }));
}

KernelStep
CheckedKernel::OnWake(Tick now) const
{
    constexpr const char* CALL{"OnWake()"};
    KernelStep step =
        CheckStep(m_kernel, CALL, CallPolicy(m_kernel, CALL, [&] { return m_kernel.OnWake(now); }));
    if (step.wakeAt <= now)
    {
        FailPolicy(m_kernel,
                   CALL,
                   "wakeAt after now, " + DescribeTick(now),
                   DescribeTick(step.wakeAt));
    }
    return step;
}

KernelStep
CheckedKernel::OnQueuePairEnd(uint32_t queuePair, Tick now) const
{
    constexpr const char* CALL{"OnQueuePairEnd()"};
    return CheckStep(m_kernel, CALL, CallPolicy(m_kernel, CALL, [&] {
                         return m_kernel.OnQueuePairEnd(queuePair, now);
                     }));
}

} // namespace ns3::rdma
