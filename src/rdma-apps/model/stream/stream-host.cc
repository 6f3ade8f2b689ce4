// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-host.h"

#include "ns3/verbs-error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t REGIONS_BASE{uint64_t{1} << 30}; ///< 1 GiB: on a page of any size.
constexpr uint8_t REGION_ACCESS{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE};
constexpr uint32_t SENDER_INDEX{static_cast<uint32_t>(StreamRole::SENDER)};
constexpr uint32_t RECEIVER_INDEX{static_cast<uint32_t>(StreamRole::RECEIVER)};

/// Bytes of messages that have ended, or arrived.
uint64_t
GetStreamedBytes(const StreamSender& sender)
{
    return sender.GetCompletedBytes();
}

uint64_t
GetStreamedBytes(const StreamReceiver& receiver)
{
    const std::vector<uint64_t> bytes = receiver.GetArrivedBytes();
    return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}
} // namespace

StreamHost::StreamHost(uint32_t node,
                       const RdmaNic& nic,
                       std::shared_ptr<FabricEngine> engine,
                       uint64_t seed)
    : m_node(node),
      m_seed(seed),
      m_engine(std::move(engine)),
      m_cores(nic.GetDesign().Create<HostCores>()),
      m_noise(nic.GetDesign().Create<HostNoise>()),
      m_domain(Create<ProtectionDomain>())
{
    if (const std::string fault = m_noise->FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    m_cores->Start(m_engine,
                   nic.GetDesign().Create<HostCosts>(),
                   nic.GetDesign().Create<CacheHierarchy>());
}

StreamHost::~StreamHost()
{
    m_senders.clear();
    m_receivers.clear();
    m_noise->Dispose();
    m_cores->Dispose();
}

void
StreamHost::UseGpu(const RdmaNic& nic)
{
    m_hasGpu = true;
    Ptr<GpuMemory> memory = nic.GetGpuMemory();
    if (!memory)
    {
        // Of a NIC that another rank simulates: registered here for its keys alone.
        const auto path = nic.GetDesign().Create<GpuPath>();
        path->Start(RandomStream());
        memory = path->GetMemory();
    }
    m_domain->SetGpuMemory(memory);
}

RegionLayout
StreamHost::MakeLayout(const StreamSettings& settings)
{
    RegionLayout layout = RegionLayout::MakeDense(REGIONS_BASE + m_bytes,
                                                  settings.regions,
                                                  settings.linked,
                                                  settings.messageBytes);
    const uint64_t bytes = uint64_t{settings.regions} * settings.linked * settings.messageBytes;
    if (m_hasGpu)
    {
        m_remoteKey =
            m_domain->Register(REGIONS_BASE + m_bytes, bytes, REGION_ACCESS, MemoryKind::GPU)
                .remoteKey;
    }
    m_bytes += bytes;
    return layout;
}

uint32_t
StreamHost::GetRemoteKey()
{
    if (m_remoteKey == 0)
    {
        // One registration for the memory of all queue pairs, as large as it may get.
        const MemoryRegion region =
            m_domain->Register(REGIONS_BASE, uint64_t{1} << 48, REGION_ACCESS);
        m_remoteKey = region.remoteKey;
    }
    return m_remoteKey;
}

StreamSender&
StreamHost::AddSender(const StreamSettings& settings,
                      const StreamRoute& route,
                      const RegionLayout& layout,
                      const StreamSchedule& schedule)
{
    m_roles.emplace_back(StreamRole::SENDER, static_cast<uint32_t>(m_senders.size()));
    m_senders.push_back(
        std::make_unique<StreamSender>(*m_cores, settings, route, layout, schedule.first));
    m_starts.push_back(schedule.start);
    m_empties[SENDER_INDEX].push_back(0);
    return *m_senders.back();
}

StreamReceiver&
StreamHost::GetSharedReceiver(const StreamSettings& settings,
                              const Ptr<RdmaNic>& nic,
                              uint32_t queuePairs)
{
    if (!m_shared)
    {
        m_shared = Create<ReceiveQueue>(settings.receiveQueue, 1);
        m_completions = Create<CompletionQueue>(settings.receiveQueue);
        m_roles.emplace_back(StreamRole::RECEIVER, 0);
        m_receivers.push_back(std::make_unique<StreamReceiver>(*m_cores,
                                                               settings,
                                                               nic,
                                                               m_completions,
                                                               m_shared,
                                                               queuePairs));
        m_empties[RECEIVER_INDEX].push_back(0);
    }
    return *m_receivers.front();
}

StreamReceiver&
StreamHost::AddReceiver(const StreamSettings& settings, const Ptr<RdmaNic>& nic)
{
    m_completions = Create<CompletionQueue>(settings.receiveQueue);
    m_roles.emplace_back(StreamRole::RECEIVER, static_cast<uint32_t>(m_receivers.size()));
    m_receivers.push_back(
        std::make_unique<StreamReceiver>(*m_cores, settings, nic, m_completions, nullptr, 1));
    m_empties[RECEIVER_INDEX].push_back(0);
    return *m_receivers.back();
}

void
StreamHost::Start()
{
    for (const auto& receiver : m_receivers)
    {
        receiver->Start();
    }
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        m_senders[i]->Start(m_starts[i]);
    }
    m_noise->Start(m_engine, *m_cores, m_seed, m_node);
}

void
StreamHost::EndLoad()
{
    m_cores->StopIdleSlices();
    m_noise->Stop();
}

template <typename Programs>
StreamSample
StreamHost::SampleRole(const Programs& programs, StreamRole role)
{
    Sampled now;
    StreamSample sample;
    sample.server = m_node;
    sample.role = role;
    sample.leastFill = UINT32_MAX;
    std::vector<uint64_t>& empties = m_empties[static_cast<uint32_t>(role)];
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        const QueueFill fill = programs[i]->TakeFill();
        sample.leastFill = std::min(sample.leastFill, fill.least);
        sample.emptyQueues += fill.empty;
        empties[i] += fill.empty;
        now.bytes += GetStreamedBytes(*programs[i]);
        now.use += m_cores->GetUse(programs[i]->GetThread());
    }
    const Sampled before = std::exchange(m_sampled[static_cast<uint32_t>(role)], now);
    sample.bytes = now.bytes - before.bytes;
    sample.usePs = now.use - before.use;
    return sample;
}

void
StreamHost::TakeSample(int64_t endPs, std::vector<StreamSample>& samples)
{
    const auto add = [&](const auto& programs, StreamRole role) {
        if (!programs.empty())
        {
            samples.push_back(SampleRole(programs, role));
            samples.back().endPs = endPs;
        }
    };
    add(m_senders, StreamRole::SENDER);
    add(m_receivers, StreamRole::RECEIVER);
}

void
StreamHost::BeginMeasuring()
{
    m_atBegin.clear();
    for (const auto& thread : m_cores->GetThreads())
    {
        m_atBegin.push_back(
            {m_cores->GetAccount(*thread), m_cores->GetUse(*thread), thread->GetInterrupts()});
    }
}

MeasuredGoodput
StreamHost::GetMeasured(StreamRole role, Tick start, Tick interval, std::size_t intervals) const
{
    MeasuredGoodput goodput(start, interval, intervals);
    const auto add = [&goodput](const auto& programs) {
        for (const auto& program : programs)
        {
            goodput.Add(program->GetMeasurements());
        }
    };
    if (role == StreamRole::SENDER)
    {
        add(m_senders);
    }
    else
    {
        add(m_receivers);
    }
    return goodput;
}

std::vector<StreamThreadRecord>
StreamHost::GetThreadRecords(Tick from, Tick until) const
{
    std::vector<StreamThreadRecord> records;
    for (const auto& thread : m_cores->GetThreads())
    {
        const auto& [role, place] = m_roles[thread->GetNumber()];
        const AtBegin before = m_atBegin.empty() ? AtBegin{} : m_atBegin[thread->GetNumber()];
        const HostAccount account = m_cores->GetAccount(*thread);
        StreamThreadRecord record;
        record.server = m_node;
        record.thread = thread->GetNumber();
        record.core = thread->GetCore();
        record.role = role;
        record.streams = role == StreamRole::SENDER
                             ? 1
                             : static_cast<uint32_t>(m_receivers[place]->GetStreams().size());
        for (std::size_t task = 0; task < HOST_TASKS; ++task)
        {
            record.busyPs[task] = account.busy[task] - before.account.busy[task];
        }
        record.usePs = m_cores->GetUse(*thread) - before.use;
        record.interruptPs = static_cast<int64_t>(thread->GetInterrupts() - before.interrupts) *
                             m_cores->GetCosts().Get().interrupt;
        record.sleeps = thread->GetSleeps();
        record.switches = thread->GetSwitches();
        record.emptyQueues = m_empties[static_cast<uint32_t>(role)][place];
        record.measured =
            FindGoodputRange(role == StreamRole::SENDER ? m_senders[place]->GetMeasurements()
                                                        : m_receivers[place]->GetMeasurements(),
                             from,
                             until);
        records.push_back(record);
    }
    return records;
}

} // namespace ns3::rdma
