// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-fallback.h"

#include "ns3/checked-kernel.h"
#include "ns3/kernel-command-executor.h"
#include "ns3/log.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("HostFallback");

NS_OBJECT_ENSURE_REGISTERED(HostFallback);

TypeId
HostFallback::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<HostFallback, Object>("ns3::rdma::HostFallback", "FpgaRnic")
            .Add("PollTime",
                 Member(&HostFallback::m_pollTime, NanoSeconds(100), Time(0), MilliSeconds(1)),
                 "Time from the arrival of a request in memory until a core has it (100 ns: our "
                 "estimate, a miss and the loop around it)")
            .Add("MemoryLatency",
                 Member(&HostFallback::m_memoryLatency, NanoSeconds(80), Time(0), MilliSeconds(1)),
                 "Latency of a load that misses the caches (80 ns: StRoM footnote 7)")
            .Add("Frequency",
                 Member(&HostFallback::m_frequency, 3'600'000'000, 1'000'000, 10'000'000'000),
                 "Clock of the core, Hz; cycles of kernels are cycles of this clock (3.6 GHz: "
                 "StRoM section 7.2)");
    return tid;
}

HostFallback::~HostFallback() = default;

void
HostFallback::DoDispose()
{
    if (m_parts)
    {
        m_parts->engine.Unregister(m_target);
        m_parts.reset();
    }
    m_kernels.clear();
    m_codes.clear();
    Object::DoDispose();
}

bool
HostFallback::Deploy(Ptr<OffloadKernel> kernel)
{
    constexpr uint32_t WORD_BYTES{8};
    const auto slot = static_cast<uint32_t>(m_kernels.size());
    if (!m_codes.emplace(CheckedKernel(*kernel).GetRpcCode(), slot).second)
    {
        return false;
    }
    kernel->SetClock(ClockDomain(m_frequency, WORD_BYTES));
    m_kernels.push_back(std::move(kernel));
    return true;
}

void
HostFallback::Start(const HostFallbackParts& parts)
{
    m_parts = std::make_unique<HostFallbackParts>(parts);
    m_target = parts.engine.Register(this);
}

void
HostFallback::Schedule(Tick at, Event kind, uint32_t argument)
{
    m_parts->engine.Schedule(at, FabricEngine::MakeOwner(m_target, kind), argument);
}

Tick
HostFallback::Work(Tick duration)
{
    m_freeAt = std::max(m_freeAt, m_parts->engine.Now()) + duration;
    return m_freeAt;
}

bool
HostFallback::Accept(uint64_t code, const KernelInput& input)
{
    const auto found = m_codes.find(code);
    if (found == m_codes.end())
    {
        return false;
    }
    const Tick now = m_parts->engine.Now();
    const auto bytes = static_cast<uint32_t>(std::max<std::size_t>(input.bytes.GetSize(), 1));
    const Tick visibleAt = m_parts->pcie.Write(now, now, DmaKind::PAYLOAD, 0, bytes);
    m_freeAt = std::max(m_freeAt, visibleAt); // The core only polls until then.
    Schedule(Work(ToTick(m_pollTime)),
             CALL,
             m_packets.Put({found->second, input, input.bytes.Copy()}));
    return true;
}

void
HostFallback::EndQueuePair(uint32_t queuePair)
{
    for (uint32_t slot = 0; slot < m_kernels.size(); ++slot)
    {
        const CheckedKernel kernel(*m_kernels[slot]);
        Apply(slot, kernel.OnQueuePairEnd(queuePair, m_parts->engine.Now()));
    }
}

void
HostFallback::HandleEvent(uint32_t kind, uint32_t argument)
{
    const Tick now = m_parts->engine.Now();
    if (kind == CALL)
    {
        Packet packet = m_packets.Take(argument);
        packet.input.bytes = ByteView(packet.bytes);
        packet.input.at = now;
        ++m_calls;
        NS_LOG_LOGIC("endpoint " << m_parts->nic.GetEndpoint() << ": a core of the host runs "
                                 << m_kernels[packet.slot]->GetInstanceTypeId().GetName() << " on "
                                 << packet.bytes.size() << " B of queue pair "
                                 << packet.input.queuePair);
        Apply(packet.slot, CheckedKernel(*m_kernels[packet.slot]).OnPacket(packet.input));
        return;
    }
    const Load load = m_loads.Take(argument);
    const CheckedKernel kernel(*m_kernels[load.slot]);
    const uint64_t tag = load.command.tag;
    if (load.isFault)
    {
        Apply(load.slot, kernel.OnFault(tag, now));
        return;
    }
    std::vector<uint8_t> bytes(load.command.length);
    m_parts->memory.Read(load.command.address, bytes.data(), bytes.size());
    Apply(load.slot, kernel.OnData(tag, ByteView(bytes), now));
}

void
HostFallback::Apply(uint32_t slot, KernelStep step)
{
    for (KernelCommand& command : step.commands)
    {
        Execute(slot, command);
    }
}

void
HostFallback::Execute(uint32_t slot, KernelCommand& command)
{
    if (command.kind == KernelCommand::Kind::SEND_WRITE)
    {
        Send(command);
        return;
    }
    const bool isRead = command.kind == KernelCommand::Kind::READ_HOST;
    if (!isRead && command.kind != KernelCommand::Kind::WRITE_HOST)
    {
        return; // A core cannot access the card's memory: the command is dropped.
    }
    const uint64_t bytes = isRead ? command.length : command.bytes.size();
    // Memory that is not pinned does not belong to the application of this core.
    const bool isFault = bytes == 0 || !m_parts->tlb.IsPinned(command.address, bytes);
    if (!isRead && !isFault)
    {
        m_parts->memory.Write(command.address, command.bytes.data(), bytes);
        return;
    }
    Schedule(Work(ToTick(m_memoryLatency)), DATA, m_loads.Put({slot, std::move(command), isFault}));
}

void
HostFallback::Send(KernelCommand& command)
{
    if (!m_parts->nic.FindQueuePair(command.queuePair))
    {
        return; // The queue pair has been destroyed.
    }
    const uint32_t queuePair = command.queuePair;
    m_parts->nic.PostSend(queuePair, MakeWrite(command)); // Dropped if the queue is full.
}

} // namespace ns3::rdma
