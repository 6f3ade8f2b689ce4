// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-host.h"

#include "ns3/kernel-reply.h"
#include "ns3/kernel-request-handler.h"
#include "ns3/object-factory.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(KernelHost);

TypeId
KernelHost::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::KernelHost")
            .SetParent<Object>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<KernelHost>()
            .AddAttribute("Frequency",
                          "Of the kernels' clock, Hz (156.25 MHz: StRoM section 6.1)",
                          UintegerValue(156'250'000),
                          MakeUintegerAccessor(&KernelHost::m_frequency),
                          MakeUintegerChecker<uint64_t>(1'000'000, 10'000'000'000))
            .AddAttribute("BusBytes",
                          "Of the kernels' data paths (64: StRoM section 5.2)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&KernelHost::m_busBytes),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute(
                "QueuePackets",
                "Packets that wait for one kernel; more are dropped (512: the command FIFO of "
                "fpgasystems/davos)",
                UintegerValue(512),
                MakeUintegerAccessor(&KernelHost::m_queuePackets),
                MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("MaxReads",
                          "Reads of the host's memory that one kernel has outstanding; later ones "
                          "wait (64: our "
                          "estimate, as many as PCIe has tags at KV-Direct section 2.4)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&KernelHost::m_maxReads),
                          MakeUintegerChecker<uint32_t>(1, 1 << 16))
            .AddTraceSource("Input",
                            "A kernel takes a packet: code, input",
                            MakeTraceSourceAccessor(&KernelHost::m_inputTrace),
                            "ns3::rdma::KernelHost::InputCallback")
            .AddTraceSource("Command",
                            "A command of a kernel is carried out",
                            MakeTraceSourceAccessor(&KernelHost::m_commandTrace),
                            "ns3::rdma::KernelHost::CommandCallback")
            .AddTraceSource("Stall",
                            "A kernel takes a packet that had to wait for it: code, ps waited",
                            MakeTraceSourceAccessor(&KernelHost::m_stallTrace),
                            "ns3::rdma::KernelHost::StallCallback");
    return tid;
}

KernelHost::KernelHost()
    : m_tlb(CreateObject<Tlb>()),
      m_card(CreateObject<ChannelMemory>())
{
}

KernelHost::~KernelHost() = default;

void
KernelHost::DoDispose()
{
    m_dma.reset();
    if (m_engine)
    {
        m_engine->Unregister(m_target);
        m_engine.reset();
    }
    m_slots.clear();
    m_codes.clear();
    m_nic = nullptr;
    m_pcie = nullptr;
    m_fallback = nullptr;
    m_listener = nullptr;
    Object::DoDispose();
}

void
KernelHost::Start(Ptr<RdmaNic> nic, Ptr<HostMemory> memory)
{
    if (m_engine)
    {
        throw VerbsError("a kernel host is started once");
    }
    m_nic = nic;
    m_memory = memory;
    m_engine = nic->GetCore().engine;
    m_target = m_engine->Register(this);
    if (const NicHardware* hardware = nic->GetHardware())
    {
        m_pcie = &hardware->GetPcie();
    }
    else
    {
        // The NIC takes no time; its kernels' memory accesses do, on a link of their own.
        constexpr uint64_t STREAM{0x6b65726e656c}; // "kernel".
        m_pcie = CreateObject<PcieLink>();
        m_pcie->Start(RandomStream(STREAM, nic->GetEndpoint()));
    }
    DmaClient& client = *this; // A private base.
    m_dma = std::make_unique<DmaEngine>(*m_engine, *m_pcie, *m_tlb, *m_memory, client);
}

void
KernelHost::Deploy(Ptr<OffloadKernel> kernel)
{
    const uint64_t code = kernel->GetRpcCode();
    const auto slot = static_cast<uint32_t>(m_slots.size());
    if (!m_codes.emplace(code, slot).second)
    {
        throw VerbsError("two kernels have the code " + std::to_string(code) +
                         ", the second is a " + kernel->GetInstanceTypeId().GetName());
    }
    kernel->SetClock(ClockDomain(m_frequency, m_busBytes));
    m_slots.emplace_back();
    m_slots.back().kernel = std::move(kernel);
}

void
KernelHost::Deploy(const std::string& typeName)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type) ||
        !type.IsChildOf(OffloadKernel::GetTypeId()) || !type.HasConstructor())
    {
        throw VerbsError(typeName + " is not the type of a kernel");
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    Deploy(factory.Create<OffloadKernel>());
}

Ptr<const RequestHandlerFactory>
KernelHost::GetHandlers()
{
    return Create<KernelRequestHandlerFactory>(Ptr<KernelHost>(this));
}

void
KernelHost::SetFallback(Fallback fallback)
{
    m_fallback = std::move(fallback);
}

void
KernelHost::SetListener(Listener listener)
{
    m_listener = std::move(listener);
}

void
KernelHost::Schedule(Tick at, Event kind, uint32_t argument)
{
    m_engine->Schedule(std::max(at, m_engine->Now()),
                       FabricEngine::MakeOwner(m_target, kind),
                       argument);
}

bool
KernelHost::Invoke(uint64_t code,
                   uint32_t queuePair,
                   uint32_t replyKey,
                   std::vector<uint8_t> parameters)
{
    constexpr std::size_t MAX_PARAMETERS{64}; // Two AVX2 stores.
    if (m_codes.find(code) == m_codes.end() || parameters.size() > MAX_PARAMETERS)
    {
        return false;
    }
    Call call;
    call.code = code;
    call.input.queuePair = queuePair;
    call.input.opcode = opcode::STROM_RPC_PARAMS;
    call.input.replyKey = replyKey;
    const auto bytes = static_cast<uint32_t>(std::max<std::size_t>(parameters.size(), 1));
    call.bytes = std::move(parameters);
    const Tick at = m_pcie->Store(m_engine->Now(), bytes);
    Schedule(at, CALL, m_calls.Put(std::move(call)));
    return true;
}

KernelHost::Admission
KernelHost::Accept(uint64_t code, const KernelInput& input)
{
    const auto found = m_codes.find(code);
    if (found == m_codes.end())
    {
        m_stats.unmatched += input.isFirst;
        return AnswerUnmatched(code, input) ? Admission::TAKEN : Admission::UNKNOWN;
    }
    if (m_slots[found->second].queue.size() >= m_queuePackets)
    {
        ++m_stats.drops;
        return Admission::BUSY;
    }
    Enqueue(found->second, input);
    return Admission::TAKEN;
}

bool
KernelHost::AnswerUnmatched(uint64_t code, const KernelInput& input)
{
    if (m_fallback)
    {
        m_fallback(code, input);
        return true;
    }
    // All parameters begin with where the answer goes.
    const bool hasAddress =
        input.opcode == opcode::STROM_RPC_PARAMS && input.bytes.GetSize() >= sizeof(uint64_t);
    if (!hasAddress)
    {
        return false;
    }
    KernelStep step;
    const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
    KernelReply::AddStatus(step, to, KernelStatus::NO_KERNEL, m_engine->Now());
    for (KernelCommand& command : step.commands)
    {
        // Not at once: the transport is in the midst of this packet.
        Schedule(command.at, COMMAND, m_commands.Put({UINT32_MAX, std::move(command)}));
    }
    return true;
}

void
KernelHost::Enqueue(uint32_t place, const KernelInput& input)
{
    Slot& slot = m_slots[place];
    slot.queue.push_back({input, input.bytes.Copy()});
    slot.queue.back().input.at = m_engine->Now();
    ScheduleRun(place);
}

void
KernelHost::ScheduleRun(uint32_t place)
{
    Slot& slot = m_slots[place];
    if (slot.queue.empty() || slot.readyAt == TICK_NEVER)
    {
        return;
    }
    const Tick at = std::max(slot.readyAt, m_engine->Now());
    if (at < slot.runAt)
    {
        slot.runAt = at;
        Schedule(at, RUN, place);
    }
}

void
KernelHost::Run(uint32_t place)
{
    Slot& slot = m_slots[place];
    const Tick now = m_engine->Now();
    while (!slot.queue.empty() && slot.readyAt <= now && slot.heldReads.empty())
    {
        Waiting waiting = std::move(slot.queue.front());
        slot.queue.pop_front();
        ++m_stats.inputs;
        m_stats.inputBytes += waiting.bytes.size();
        if (waiting.input.at < now)
        {
            ++m_stats.stalls;
            m_stallTrace(slot.kernel->GetRpcCode(), now - waiting.input.at);
        }
        waiting.input.bytes = ByteView(waiting.bytes);
        waiting.input.at = now;
        m_inputTrace(slot.kernel->GetRpcCode(), waiting.input);
        Apply(place, slot.kernel->OnPacket(waiting.input));
    }
    ScheduleRun(place);
}

void
KernelHost::Apply(uint32_t place, KernelStep step)
{
    Slot& slot = m_slots[place];
    const Tick now = m_engine->Now();
    if (step.readyAt != 0)
    {
        slot.readyAt = step.readyAt;
        ScheduleRun(place);
    }
    if (step.wakeAt != TICK_NEVER)
    {
        Schedule(step.wakeAt, WAKE, place);
    }
    for (KernelCommand& command : step.commands)
    {
        if (command.at <= now)
        {
            Execute(place, command);
            continue;
        }
        const Tick at = command.at;
        Schedule(at, COMMAND, m_commands.Put({place, std::move(command)}));
    }
}

void
KernelHost::Execute(uint32_t slot, KernelCommand& command)
{
    ++m_stats.commands[static_cast<std::size_t>(command.kind)];
    m_commandTrace(command);
    switch (command.kind)
    {
    case KernelCommand::Kind::READ_HOST:
        ReadHost(slot, command);
        return;
    case KernelCommand::Kind::WRITE_HOST:
        WriteHost(slot, command);
        return;
    case KernelCommand::Kind::READ_CARD:
    case KernelCommand::Kind::WRITE_CARD:
        AccessCard(slot, command);
        return;
    case KernelCommand::Kind::SEND_WRITE:
        SendWrite(command);
        return;
    default:
        if (m_listener)
        {
            m_listener(command, m_engine->Now());
        }
    }
}

void
KernelHost::ReadHost(uint32_t place, const KernelCommand& command)
{
    Slot& slot = m_slots[place];
    if (slot.reads >= m_maxReads)
    {
        slot.heldReads.push_back(command);
        return;
    }
    const uint32_t access = m_accesses.Put({place, command.tag, true});
    if (command.length == 0 || m_dma->Read(command.address, command.length, access) == TICK_NEVER)
    {
        ++m_stats.faults;
        Schedule(m_engine->Now(), FAULT, access);
        return;
    }
    ++slot.reads;
}

void
KernelHost::WriteHost(uint32_t place, KernelCommand& command)
{
    const uint32_t access = m_accesses.Put({place, command.tag, false});
    if (command.bytes.empty() ||
        m_dma->Write(command.address, std::move(command.bytes), access) == TICK_NEVER)
    {
        ++m_stats.faults;
        Schedule(m_engine->Now(), FAULT, access);
    }
}

void
KernelHost::AccessCard(uint32_t place, KernelCommand& command)
{
    const bool isRead = command.kind == KernelCommand::Kind::READ_CARD;
    const auto bytes = isRead ? command.length : static_cast<uint32_t>(command.bytes.size());
    const Tick now = m_engine->Now();
    if (bytes == 0 || !m_card->Contains(command.address, bytes))
    {
        ++m_stats.faults;
        Schedule(now, FAULT, m_accesses.Put({place, command.tag, isRead}));
        return;
    }
    const Tick at = m_card->Access(now, now, command.address, bytes);
    Schedule(at, CARD, m_commands.Put({place, std::move(command)}));
}

void
KernelHost::FinishCard(uint32_t place)
{
    const Pending pending = m_commands.Take(place);
    const KernelCommand& command = pending.command;
    if (command.kind == KernelCommand::Kind::WRITE_CARD)
    {
        m_card->GetBytes().Write(command.address, command.bytes.data(), command.bytes.size());
        return;
    }
    std::vector<uint8_t> bytes(command.length);
    m_card->GetBytes().Read(command.address, bytes.data(), bytes.size());
    OffloadKernel& kernel = *m_slots[pending.slot].kernel;
    Apply(pending.slot, kernel.OnData(command.tag, ByteView(bytes), m_engine->Now()));
}

void
KernelHost::SendWrite(KernelCommand& command)
{
    if (!m_nic->FindQueuePair(command.queuePair))
    {
        ++m_stats.failedPosts;
        return;
    }
    SendWorkRequest request;
    request.wrId = command.tag;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.origin = PayloadOrigin::CHIP;
    request.isSignaled = false;
    request.remoteAddress = command.address;
    request.remoteKey = command.remoteKey;
    request.sgList = {{0, static_cast<uint32_t>(command.bytes.size()), 0}};
    request.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(command.bytes));
    m_stats.failedPosts += m_nic->PostOnChip(command.queuePair, request) != PostResult::OK;
}

void
KernelHost::OnRead(uint64_t tag, std::vector<uint8_t> bytes)
{
    const Access access = m_accesses.Take(static_cast<uint32_t>(tag));
    EndRead(access.slot);
    OffloadKernel& kernel = *m_slots[access.slot].kernel;
    Apply(access.slot, kernel.OnData(access.tag, ByteView(bytes), m_engine->Now()));
}

void
KernelHost::OnWritten(uint64_t tag)
{
    m_accesses.Take(static_cast<uint32_t>(tag));
}

void
KernelHost::EndRead(uint32_t place)
{
    Slot& slot = m_slots[place];
    --slot.reads;
    while (!slot.heldReads.empty() && slot.reads < m_maxReads)
    {
        const KernelCommand command = std::move(slot.heldReads.front());
        slot.heldReads.pop_front();
        ReadHost(place, command);
    }
    ScheduleRun(place);
}

void
KernelHost::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case RUN:
        if (m_slots[argument].runAt == m_engine->Now())
        {
            m_slots[argument].runAt = TICK_NEVER;
            Run(argument);
        }
        return;
    case WAKE:
        Apply(argument, m_slots[argument].kernel->OnWake(m_engine->Now()));
        return;
    case COMMAND: {
        Pending pending = m_commands.Take(argument);
        Execute(pending.slot, pending.command);
        return;
    }
    case FAULT: {
        const Access access = m_accesses.Take(argument);
        OffloadKernel& kernel = *m_slots[access.slot].kernel;
        Apply(access.slot, kernel.OnFault(access.tag, m_engine->Now()));
        return;
    }
    case CARD:
        FinishCard(argument);
        return;
    default: {
        Call call = m_calls.Take(argument);
        call.input.bytes = ByteView(call.bytes);
        call.input.at = m_engine->Now();
        if (Accept(call.code, call.input) == Admission::BUSY)
        {
            // The host waits for room, as it does at the command FIFO; it looks again later.
            constexpr Tick LOOK_AGAIN{100'000};
            Schedule(m_engine->Now() + LOOK_AGAIN, CALL, m_calls.Put(std::move(call)));
        }
    }
    }
}

} // namespace ns3::rdma
