// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-hosts.h"

#include "ns3/exact-quantity.h"
#include "ns3/input-error.h"
#include "ns3/kernel-reply.h"
#include "ns3/simulator.h"
#include "ns3/strom-verbs.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t REGION_BYTES{uint64_t{1} << 36U}; ///< Twice what the TLB's entries reach.
constexpr uint64_t GPU_BASE{uint64_t{1} << 44U};     ///< Of no host's memory.
constexpr uint32_t FCS_BYTES{4};
constexpr uint32_t SHORTEST_FRAME{60}; ///< Without FCS (IEEE 802.3).
constexpr uint32_t DOMAIN_STRIDE{1000};
constexpr Tick TICKS_PER_SECOND{1'000'000'000'000};
constexpr uint8_t ALL_ACCESS{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                             memory_access::REMOTE_READ};

/// READs under way, as PerftestHost has them.
constexpr uint32_t OUTSTANDING_READS{16};

} // namespace

OffloadHosts::OffloadHosts(Fabric& fabric, NicDesign design, uint64_t seed)
    : m_fabric(fabric),
      m_design(std::move(design)),
      m_seed(seed)
{
    const std::vector<uint32_t> servers = fabric.GetGraph().GetServers();
    if (servers.size() != 2)
    {
        throw VerbsError("offload tasks have two hosts, not " + std::to_string(servers.size()));
    }
    m_used = {"ns3::rdma::Tlb::Entries", "ns3::rdma::Tlb::PageSize"}; // Memory is pinned.
    for (const End end : {CLIENT, SERVER})
    {
        MakeHost(end, fabric.GetNodes().Get(servers[end])->GetObject<RdmaNic>());
    }
    Connect();
}

OffloadHosts::~OffloadHosts()
{
    for (OffloadHost& host : m_hosts)
    {
        host.completions.reset(); // The NIC may outlive this.
        host.kernels->Dispose();
    }
}

void
OffloadHosts::MakeHost(End end, Ptr<RdmaNic> nic)
{
    if (!nic->GetHardware())
    {
        throw VerbsError("offload tasks need NICs whose hardware takes time");
    }
    OffloadHost& host = m_hosts[end];
    host.nic = nic;
    host.memory = ns3::Create<HostMemory>();
    host.domain = ns3::Create<ProtectionDomain>(host.memory, 1 + DOMAIN_STRIDE * end);
    host.region = host.domain->Register(BASE, REGION_BYTES, ALL_ACCESS);
    host.completions = std::make_unique<PolledQueue>(
        [this](const WorkCompletion& completion) { OnCompletion(completion); });
    MakeKernels(host);
    const std::function<void(const Frame&, Time)> tap = [this, end](const Frame& frame, Time at) {
        OnPlaced(end, frame, at);
    };
    nic->GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(tap));
    CountFrames(end);
}

void
OffloadHosts::MakeKernels(OffloadHost& host)
{
    // Kernels and TLB run at the clock of the NIC's stack (StRoM sections 6.1 and 7).
    const uint64_t frequency = GetKernelFrequency(*host.nic->GetHardware());
    for (const std::string name : {"ns3::rdma::KernelHost::Frequency", "ns3::rdma::Tlb::Frequency"})
    {
        SetDefault(name, std::to_string(frequency));
    }
    host.kernels = m_design.Create<KernelHost>();
    m_design.GetValues().ApplyTo(*host.kernels->GetTlb());
    host.kernels->Start(host.nic, host.memory);
    host.pinned = std::make_unique<PinnedMemory>(host.memory, host.kernels->GetTlb(), BASE);
}

void
OffloadHosts::CountFrames(End end)
{
    OffloadHost& host = m_hosts[end];
    const std::function<void(const Frame&)> tap = [&host](const Frame& frame) {
        ++host.sent.frames;
        host.sent.bytes += std::max<uint32_t>(frame.wireBytes, SHORTEST_FRAME) + FCS_BYTES;
    };
    host.nic->GetDevice()->GetPort().GetTraces().transmit.ConnectWithoutContext(
        Callback<void, const Frame&>(tap));
}

void
OffloadHosts::Connect()
{
    for (OffloadHost& host : m_hosts)
    {
        QueuePairInit init;
        init.domain = host.domain;
        init.sendCompletions = host.completions->Get();
        init.handlers = host.kernels->GetHandlers();
        host.queuePair = host.nic->CreateQueuePair(init);
        for (const uint64_t code : host.services)
        {
            host.kernels->AttachToReceive(host.queuePair, code);
        }
    }
    ++m_connections;
    QueuePairAttributes attributes;
    attributes.maxReadsAndAtomics = OUTSTANDING_READS;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    for (const End end : {CLIENT, SERVER})
    {
        const OffloadHost& peer = m_hosts[1 - end];
        m_hosts[end].nic->Connect(m_hosts[end].queuePair,
                                  {peer.nic->GetEndpoint(), peer.queuePair, m_connections},
                                  attributes);
    }
}

void
OffloadHosts::Reconnect()
{
    ++m_reconnections;
    for (OffloadHost& host : m_hosts)
    {
        host.nic->DestroyQueuePair(host.queuePair);
    }
    Connect();
}

uint64_t
OffloadHosts::Allocate(End end, uint64_t bytes)
{
    const auto address = m_hosts[end].pinned->Allocate(bytes);
    if (!address)
    {
        throw InputError("measure: expected data that the TLB can pin (ns3::rdma::Tlb::Entries), "
                         "got " +
                         std::to_string(bytes) + " bytes more");
    }
    return *address;
}

void
OffloadHosts::Deploy(const std::string& type, End end)
{
    TypeId kernel;
    if (!TypeId::LookupByNameFailSafe(type, &kernel) ||
        !kernel.IsChildOf(OffloadKernel::GetTypeId()))
    {
        throw VerbsError(type + " is not the type of a kernel");
    }
    MarkType(kernel);
    MarkType(KernelHost::GetTypeId());
    MarkType(Tlb::GetTypeId());
    m_hosts[end].kernels->Deploy(m_design.Create<OffloadKernel>(kernel));
}

void
OffloadHosts::DeployService(const std::string& type, uint64_t code, End end)
{
    Deploy(type, end);
    m_hosts[end].kernels->AttachToReceive(m_hosts[end].queuePair, code);
    m_hosts[end].services.push_back(code);
}

MemoryRegion
OffloadHosts::RegisterGpuMemory(uint64_t bytes)
{
    const OffloadHost& server = m_hosts[SERVER];
    server.domain->SetGpuMemory(server.nic->GetGpuMemory());
    return server.domain->Register(GPU_BASE, bytes, ALL_ACCESS, MemoryKind::GPU);
}

void
OffloadHosts::SetDefault(const std::string& name, const std::string& value)
{
    if (!m_design.GetValues().Find(name))
    {
        m_design.Set(name, value);
    }
}

void
OffloadHosts::MarkType(TypeId type)
{
    while (m_used.insert(type.GetName()).second && type.HasParent())
    {
        type = type.GetParent(); // Whose attributes it has, too.
    }
}

void
OffloadHosts::ReadAttribute(TypeId kernel, const std::string& attribute, AttributeValue& value)
{
    m_used.insert(kernel.GetName() + "::" + attribute);
    m_design.Create<OffloadKernel>(kernel)->GetAttribute(attribute, value);
}

bool
OffloadHosts::HasEffect(const std::string& name) const
{
    return m_used.count(name) > 0 || m_used.count(name.substr(0, name.rfind("::"))) > 0;
}

uint64_t
OffloadHosts::Expect(Ended ended)
{
    m_pending.emplace(++m_lastWrId, std::move(ended));
    return m_lastWrId;
}

void
OffloadHosts::Post(End from, SendWorkRequest request, Ended ended)
{
    if (m_hosts[from].nic->FindQueuePair(m_hosts[from].queuePair)->state == QpState::ERR)
    {
        Reconnect();
    }
    request.wrId = Expect(std::move(ended));
    const PostResult result = m_hosts[from].nic->PostSend(m_hosts[from].queuePair, request);
    if (result != PostResult::OK)
    {
        m_pending.erase(request.wrId);
        throw VerbsError("a request of an offload task cannot be posted");
    }
}

void
OffloadHosts::Read(End from,
                   uint64_t remote,
                   uint64_t local,
                   uint32_t bytes,
                   Ended ended,
                   std::optional<uint32_t> key)
{
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList = {{local, bytes, key.value_or(m_hosts[from].region.localKey)}};
    request.remoteAddress = remote;
    request.remoteKey = m_hosts[1 - from].region.remoteKey;
    Post(from, std::move(request), std::move(ended));
}

void
OffloadHosts::Write(End from,
                    uint64_t local,
                    uint64_t remote,
                    uint32_t bytes,
                    Ended ended,
                    std::optional<uint32_t> key)
{
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.sgList = {{local, bytes, m_hosts[from].region.localKey}};
    request.remoteAddress = remote;
    request.remoteKey = key.value_or(m_hosts[1 - from].region.remoteKey);
    Post(from, std::move(request), std::move(ended));
}

void
OffloadHosts::Call(uint64_t code,
                   std::vector<uint8_t> parameters,
                   uint64_t answer,
                   Answered answered)
{
    OffloadHost& client = m_hosts[CLIENT];
    client.memory->Write64(answer, 0);
    if (client.nic->FindQueuePair(client.queuePair)->state == QpState::ERR)
    {
        Reconnect();
    }
    const auto shared = std::make_shared<Answered>(std::move(answered));
    Await(CLIENT, answer, [this, answer, shared] {
        const HostMemory& memory = *m_hosts[CLIENT].memory;
        const uint64_t word = memory.Read64(answer);
        std::vector<uint8_t> value(KernelReply::GetBytes(word));
        memory.Read(answer + KernelReply::WORD_BYTES, value.data(), value.size());
        (*shared)(GetKernelStatusName(KernelReply::GetStatus(word)), std::move(value));
    });
    const uint64_t wrId = Expect([this, shared](WcStatus status) {
        if (status != WcStatus::SUCCESS && m_awaited[CLIENT].seen)
        {
            m_awaited[CLIENT].seen = nullptr;
            (*shared)(GetWcStatusName(status), {});
        }
    });
    const PostResult result = PostRpc(*client.nic,
                                      client.queuePair,
                                      wrId,
                                      code,
                                      std::move(parameters),
                                      client.region.remoteKey);
    if (result != PostResult::OK)
    {
        m_pending.erase(wrId);
        m_awaited[CLIENT].seen = nullptr;
        throw VerbsError("a call of an offload task cannot be posted");
    }
}

void
OffloadHosts::Await(End end, uint64_t address, std::function<void()> seen)
{
    if (m_awaited[end].seen)
    {
        throw VerbsError("a core awaits one answer at a time");
    }
    m_awaited[end] = {address, std::move(seen)};
}

void
OffloadHosts::OnPlaced(End end, const Frame& frame, Time seenAt)
{
    Awaited& awaited = m_awaited[end];
    if (!awaited.seen || !opcode::IsRequest(frame.opcode) || frame.remoteAddress != awaited.address)
    {
        return;
    }
    const std::function<void()> seen = std::exchange(awaited.seen, nullptr);
    Simulator::Schedule(seenAt - Simulator::Now(), [this, end, seen] {
        HostCpu& cpu = m_hosts[end].nic->GetHardware()->GetCpu();
        const Tick now = Now();
        After(cpu.Run(now, now, m_hosts[end].queuePair, CpuTask::POLL) - now, seen);
    });
}

void
OffloadHosts::OnCompletion(const WorkCompletion& completion)
{
    const auto found = m_pending.find(completion.wrId);
    if (found == m_pending.end())
    {
        return; // Of a kernel's WRITE that failed.
    }
    const Ended handler = std::move(found->second);
    m_pending.erase(found);
    handler(completion.status);
}

TcpRpc
OffloadHosts::MakeTcpRpc()
{
    const GraphLink& link = m_fabric.GetGraph().links.front();
    KernelTcpLoad load;
    load.rate = link.rate;
    load.delay = link.delay;
    return {this->Create<KernelTcp>(), this->Create<SoftwareCosts>(), load};
}

void
OffloadHosts::CountWire(End from, const WireShare& share)
{
    m_hosts[from].sent.frames += share.frames;
    m_hosts[from].sent.bytes += share.bytes;
}

void
OffloadHosts::After(Tick delay, std::function<void()> then)
{
    constexpr Tick LAST{MAX_SECONDS * TICKS_PER_SECOND};
    if (delay > LAST - Now())
    {
        throw InputError("measure: expected rates and sizes with which a run takes at most " +
                         std::to_string(MAX_SECONDS) + " s, got more");
    }
    Simulator::Schedule(ToTime(delay), std::move(then));
}

Tick
OffloadHosts::Now()
{
    return ToTick(Simulator::Now());
}

RandomStream
OffloadHosts::MakeRandom(uint64_t consumer) const
{
    constexpr uint64_t STREAMS{0x6f66666c6f6164}; // "offload".
    return {m_seed, STREAMS + consumer};
}

} // namespace ns3::rdma
