// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-host.h"

#include "ns3/checked-kernel.h"
#include "ns3/kernel-reply.h"
#include "ns3/kernel-request-handler.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("KernelHost");

NS_OBJECT_ENSURE_REGISTERED(KernelHost);

uint64_t
GetKernelFrequency(const NicHardware& hardware)
{
    constexpr int64_t PS_PER_SECOND{1'000'000'000'000};
    constexpr int64_t FASTEST{322'000'000};
    TimeValue cycle;
    hardware.GetAttribute("Cycle", cycle);
    return static_cast<uint64_t>(std::min(PS_PER_SECOND / cycle.Get().GetPicoSeconds(), FASTEST));
}

TypeId
KernelHost::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::KernelHost")
                .SetParent<Object>()
                .SetGroupName("FpgaRnic")
                .AddConstructor<KernelHost>()
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
                                "ns3::rdma::KernelHost::StallCallback"))
            .Add("Frequency",
                 Member(&KernelHost::m_frequency, 156'250'000, 1'000'000, 10'000'000'000),
                 "Clock of the kernels, Hz (156.25 MHz: StRoM section 6.1)")
            .Add("BusBytes",
                 Member(&KernelHost::m_busBytes, 64, 1, 1024),
                 "Width of the kernels' data paths, bytes (64: StRoM section 5.2)")
            .Add("QueuePackets",
                 Member(&KernelHost::m_queuePackets, 512, 1, 1 << 20),
                 "Packets that wait for one kernel; more are dropped (512: the command FIFO of "
                 "fpgasystems/davos)")
            .Add("MaxReads",
                 Member(&KernelHost::m_maxReads, 64, 1, 1 << 16),
                 "Reads of the host's memory that one kernel has outstanding; later ones wait (64: "
                 "our estimate, as many as PCIe has tags at KV-Direct section 2.4)")
            .Add("WriteBufferBytes",
                 Member(&KernelHost::m_writeBufferBytes, 32768, 64, 1U << 30U),
                 "Bytes of one kernel's writes that the host cannot see yet; from there on the "
                 "kernel takes no packet (32 KiB: the FIFO of 512 words of 64 bytes to the DMA "
                 "engine of fpgasystems/davos)")
            .Add("MaxPacketBytes",
                 Member(&KernelHost::m_maxPacketBytes, 4096, 256, 4096),
                 "Payload of a packet behind services that change lengths, at most; a message with "
                 "a longer one is refused (4096: the path MTU of fpgasystems/Coyote)");
    return tid;
}

KernelHost::KernelHost()
    : m_tlb(CreateObject<Tlb>()),
      m_card(CreateObject<ChannelMemory>()),
      m_fallback(CreateObject<HostFallback>()),
      m_services([this](ServiceChain& chain, StreamInput input) { return Pass(chain, input); },
                 [this](const ServiceChain& chain) { return HasRoom(chain); })
{
}

KernelHost::~KernelHost() = default;

void
KernelHost::DoDispose()
{
    m_executor.reset();
    m_fallback->Dispose();
    if (m_engine)
    {
        m_engine->Unregister(m_target);
        m_engine.reset();
    }
    m_slots.clear();
    m_codes.clear();
    m_bindings.clear();
    m_nic = nullptr;
    m_pcie = nullptr;
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
        // The NIC has no delays. Its kernels' memory accesses have delays, on a separate link.
        constexpr uint64_t STREAM{0x6b65726e656c}; // "kernel".
        m_pcie = CreateObject<PcieLink>();
        m_pcie->Start(RandomStream(STREAM, nic->GetEndpoint()));
    }
    const KernelExecutorParts
        parts{*m_engine, *m_nic, *m_pcie, *m_memory, *m_tlb, *m_card, m_stats};
    KernelCommandClient& client = *this; // A private base.
    const KernelBounds bounds{m_maxReads, m_writeBufferBytes};
    m_executor = std::make_unique<KernelCommandExecutor>(parts, client, bounds, m_commandTrace);
    m_executor->SetListener(m_listener);
    m_fallback->Start({*m_engine, *m_nic, *m_pcie, *m_memory, *m_tlb});
}

void
KernelHost::Deploy(Ptr<OffloadKernel> kernel)
{
    const CheckedKernel checked(*kernel);
    if (const std::string fault = checked.FindFault(); !fault.empty())
    {
        throw VerbsError(kernel->GetInstanceTypeId().GetName() + ": " + fault);
    }
    const uint64_t code = checked.GetRpcCode();
    const auto slot = static_cast<uint32_t>(m_slots.size());
    if (!m_codes.emplace(code, slot).second)
    {
        throw VerbsError("two kernels have the code " + std::to_string(code) +
                         ", the second is a " + kernel->GetInstanceTypeId().GetName());
    }
    kernel->SetClock(ClockDomain(m_frequency, m_busBytes));
    const bool isService = DynamicCast<StreamService>(kernel) != nullptr;
    m_slots.push_back({KernelQueue(std::move(kernel)), nullptr});
    if (isService)
    {
        m_slots.back().received = MakeEntry(code);
    }
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

void
KernelHost::AttachToReceive(uint32_t queuePair, uint64_t code)
{
    m_services.GetReceive(queuePair).Add(m_slots[FindService(code)].received);
}

uint32_t
KernelHost::FindService(uint64_t code) const
{
    const auto found = m_codes.find(code);
    if (found == m_codes.end() || !m_slots[found->second].received)
    {
        throw VerbsError("no service for streams has the code " + std::to_string(code));
    }
    return found->second;
}

std::shared_ptr<ServiceEntry>
KernelHost::MakeEntry(uint64_t code) const
{
    const Ptr<StreamService> service = DynamicCast<StreamService>(FindKernel(code));
    if (!service)
    {
        throw VerbsError("no service for streams has the code " + std::to_string(code));
    }
    auto entry = std::make_shared<ServiceEntry>();
    entry->service = service;
    entry->slot = m_codes.at(code);
    return entry;
}

void
KernelHost::BindWrites(uint32_t queuePair, uint64_t code)
{
    if (m_codes.find(code) == m_codes.end())
    {
        throw VerbsError("no kernel has the code " + std::to_string(code));
    }
    m_bindings[queuePair] = code;
}

std::optional<uint64_t>
KernelHost::FindBinding(uint32_t queuePair) const
{
    const auto found = m_bindings.find(queuePair);
    return found == m_bindings.end() ? std::nullopt : std::optional<uint64_t>(found->second);
}

Ptr<OffloadKernel>
KernelHost::FindKernel(uint64_t code) const
{
    const auto found = m_codes.find(code);
    return found == m_codes.end() ? nullptr : &m_slots[found->second].queue.GetKernel();
}

bool
KernelHost::HasRoom(const ServiceChain& services) const
{
    return services.HasRoom(m_engine->Now(), m_queuePackets);
}

ChainOutcome
KernelHost::Pass(ServiceChain& services, StreamInput input)
{
    input.at = std::max(input.at, m_engine->Now());
    ChainOutcome outcome = services.Pass(input);
    ++m_stats.streamPackets;
    m_stats.streamRejects += outcome.isRejected;
    for (ChainOutcome::Commands& given : outcome.commands)
    {
        given.step.readyAt = 0; // The chain has its own value.
        Apply(given.slot, std::move(given.step));
    }
    return outcome;
}

void
KernelHost::EndQueuePair(uint32_t queuePair)
{
    if (!m_engine)
    {
        return; // Disposed of before the NIC's queue pairs.
    }
    for (uint32_t slot = 0; slot < m_slots.size(); ++slot)
    {
        KernelQueue& queue = m_slots[slot].queue;
        queue.Remove(queuePair);
        Apply(slot, CheckedKernel(queue.GetKernel()).OnQueuePairEnd(queuePair, m_engine->Now()));
    }
    m_fallback->EndQueuePair(queuePair);
    m_services.EndQueuePair(queuePair);
}

Ptr<const RequestHandlerFactory>
KernelHost::GetHandlers()
{
    return Create<KernelRequestHandlerFactory>(Ptr<KernelHost>(this));
}

void
KernelHost::DeployOnHost(Ptr<OffloadKernel> kernel)
{
    const uint64_t code = CheckedKernel(*kernel).GetRpcCode();
    if (!m_fallback->Deploy(std::move(kernel)))
    {
        throw VerbsError("two kernels of the host have the code " + std::to_string(code));
    }
}

void
KernelHost::SetListener(Listener listener)
{
    m_listener = std::move(listener);
    if (m_executor)
    {
        m_executor->SetListener(m_listener);
    }
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
    if (m_codes.find(code) == m_codes.end() || parameters.size() > MAX_STORED_PARAMETERS)
    {
        return false;
    }
    Call call;
    call.code = code;
    call.input.queuePair = queuePair;
    call.input.isLocal = true;
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
    KernelQueue& queue = m_slots[found->second].queue;
    if (queue.GetSize() >= m_queuePackets)
    {
        ++m_stats.drops;
        return Admission::BUSY;
    }
    queue.Push(input, m_engine->Now());
    ScheduleRun(found->second);
    return Admission::TAKEN;
}

bool
KernelHost::AnswerUnmatched(uint64_t code, const KernelInput& input)
{
    if (m_fallback->Accept(code, input))
    {
        return true;
    }
    // All parameters begin with the address of the answer.
    const bool hasAddress = !input.isStream && input.bytes.GetSize() >= sizeof(uint64_t);
    if (!hasAddress)
    {
        return false;
    }
    KernelStep step;
    const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
    KernelReply::AddStatus(step, to, KernelStatus::NO_KERNEL, m_engine->Now());
    for (KernelCommand& command : step.commands)
    {
        // Later: the transport is still processing this packet.
        m_executor->GiveLater(KernelCommandExecutor::NO_SLOT, std::move(command));
    }
    return true;
}

void
KernelHost::ScheduleRun(uint32_t place)
{
    if (m_executor->IsFull(place))
    {
        return; // OnKernelData() or OnKernelRoom() will schedule it.
    }
    const Tick at = m_slots[place].queue.PlanRun(m_engine->Now());
    if (at != TICK_NEVER)
    {
        Schedule(at, RUN, place);
    }
}

void
KernelHost::Run(uint32_t place)
{
    KernelQueue& queue = m_slots[place].queue;
    const CheckedKernel kernel(queue.GetKernel());
    const Tick now = m_engine->Now();
    while (queue.IsReady(now) && !m_executor->IsFull(place))
    {
        KernelQueue::Packet packet = queue.Pop();
        ++m_stats.inputs;
        m_stats.inputBytes += packet.bytes.size();
        NS_LOG_LOGIC("endpoint " << m_nic->GetEndpoint() << ": "
                                 << queue.GetKernel().GetInstanceTypeId().GetName() << " takes "
                                 << packet.bytes.size() << " B of queue pair "
                                 << packet.input.queuePair << ", which waited "
                                 << now - packet.input.at << " ps");
        if (packet.input.at < now)
        {
            ++m_stats.stalls;
            m_stallTrace(kernel.GetRpcCode(), now - packet.input.at);
        }
        packet.input.at = now;
        m_inputTrace(kernel.GetRpcCode(), packet.input);
        Apply(place, kernel.OnPacket(packet.input));
    }
    ScheduleRun(place);
}

void
KernelHost::Apply(uint32_t place, KernelStep step)
{
    if (step.readyAt != 0)
    {
        m_slots[place].queue.SetReadyAt(step.readyAt);
        ScheduleRun(place);
    }
    if (step.wakeAt != TICK_NEVER)
    {
        Schedule(step.wakeAt, WAKE, place);
    }
    for (KernelCommand& command : step.commands)
    {
        m_executor->Give(place, std::move(command));
    }
}

void
KernelHost::OnKernelData(uint32_t slot, uint64_t tag, ByteView bytes)
{
    ScheduleRun(slot);
    const CheckedKernel kernel(m_slots[slot].queue.GetKernel());
    Apply(slot, kernel.OnData(tag, bytes, m_engine->Now()));
}

void
KernelHost::OnKernelFault(uint32_t slot, uint64_t tag)
{
    const CheckedKernel kernel(m_slots[slot].queue.GetKernel());
    Apply(slot, kernel.OnFault(tag, m_engine->Now()));
}

void
KernelHost::OnKernelRoom(uint32_t slot)
{
    ScheduleRun(slot);
}

void
KernelHost::RunCall(Call call)
{
    call.input.bytes = ByteView(call.bytes);
    call.input.at = m_engine->Now();
    if (Accept(call.code, call.input) == Admission::BUSY)
    {
        // The host retries while the queue is full, as at the command FIFO.
        constexpr Tick RETRY_AFTER{100'000};
        Schedule(m_engine->Now() + RETRY_AFTER, CALL, m_calls.Put(std::move(call)));
    }
}

void
KernelHost::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case RUN:
        if (m_slots[argument].queue.TakeRun(m_engine->Now()))
        {
            Run(argument);
        }
        return;
    case WAKE:
        Apply(argument, CheckedKernel(m_slots[argument].queue.GetKernel()).OnWake(m_engine->Now()));
        return;
    default:
        RunCall(m_calls.Take(argument));
    }
}

} // namespace ns3::rdma
