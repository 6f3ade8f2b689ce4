// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-host.h"

#include "ns3/assert.h"
#include "ns3/random-stream.h"
#include "ns3/simulator.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t BUFFER{uint64_t{1} << 32}; ///< Address of the region.
constexpr uint64_t GRH_BYTES{40};             ///< Before a datagram in its receive buffer.
constexpr uint64_t SMALLEST_BUFFER{4096};     ///< perftest's DEF_PAGE_SIZE.
constexpr uint64_t BUFFER_UNIT{64};           ///< perftest's DEF_CACHE_LINE_SIZE.
constexpr uint64_t HALVES{2};                 ///< Of the region: to send from, to receive to.
constexpr uint32_t QUEUE_KEY{0x11111111};     ///< perftest's.

WrOpcode
GetOpcode(const PerftestOptions& options)
{
    switch (options.kind.verb)
    {
    case PerftestVerb::WRITE:
        return options.hasImmediate ? WrOpcode::RDMA_WRITE_WITH_IMM : WrOpcode::RDMA_WRITE;
    case PerftestVerb::SEND:
        return options.hasImmediate ? WrOpcode::SEND_WITH_IMM : WrOpcode::SEND;
    case PerftestVerb::READ:
        return WrOpcode::RDMA_READ;
    case PerftestVerb::ATOMIC:
        return options.atomicType == PerftestAtomic::COMPARE_AND_SWAP
                   ? WrOpcode::ATOMIC_CMP_AND_SWP
                   : WrOpcode::ATOMIC_FETCH_AND_ADD;
    }
    throw VerbsError("perftest has no such verb");
}

/// @return bytes of each buffer. @param bytes that must fit
uint64_t
GetStride(uint64_t bytes)
{
    return (std::max(bytes, SMALLEST_BUFFER) + BUFFER_UNIT - 1) / BUFFER_UNIT * BUFFER_UNIT;
}

} // namespace

PerftestHost::PerftestHost(Ptr<RdmaNic> nic,
                           uint32_t node,
                           FlowServices& services,
                           const PerftestOptions& options,
                           uint64_t bytes)
    : m_nic(nic),
      m_node(node),
      m_services(services),
      m_options(options),
      m_bytes(bytes),
      m_headBytes(options.service == Service::UD ? GRH_BYTES : 0),
      m_stride(GetStride(m_headBytes + bytes)),
      m_domain(Create<ProtectionDomain>()),
      m_region(Register()),
      m_sendCompletions([this](const WorkCompletion& completion) { OnSent(completion); }),
      m_receiveCompletions([this](const WorkCompletion& completion) { OnReceived(completion); }),
      m_progress(options.queuePairs),
      m_list(options.postList),
      m_receiveList(options.receiveList)
{
    QueuePairInit init = m_services.MakeInit(node);
    init.service = options.service;
    init.domain = m_domain;
    init.sendCompletions = m_sendCompletions.Get();
    init.receiveCompletions = IsReceiving() ? m_receiveCompletions.Get() : nullptr;
    init.capabilities.maxInlineBytes =
        std::max(init.capabilities.maxInlineBytes, options.inlineBytes);
    for (uint32_t i = 0; i < options.queuePairs; ++i)
    {
        m_queuePairs.push_back(m_nic->CreateQueuePair(init));
    }
}

MemoryRegion
PerftestHost::Register() const
{
    if (m_options.isInGpu)
    {
        m_domain->SetGpuMemory(m_nic->GetGpuMemory());
    }
    return m_domain->Register(BUFFER,
                              HALVES * m_options.queuePairs * m_stride,
                              memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                  memory_access::REMOTE_READ | memory_access::REMOTE_ATOMIC,
                              m_options.isInGpu ? MemoryKind::GPU : MemoryKind::HOST);
}

QueuePairAttributes
PerftestHost::MakeAttributes() const
{
    QueuePairAttributes attributes;
    attributes.pathMtu = m_options.mtu;
    attributes.maxReadsAndAtomics = m_options.outstandingReads;
    attributes.maxDestReadsAndAtomics = m_options.outstandingReads;
    attributes.queueKey = QUEUE_KEY;
    attributes.timeout = m_options.timeout;
    attributes.retryCount = m_options.retries;
    attributes.rateLimit = m_options.queuePairRate;
    m_options.trafficClass.Apply(attributes);
    return attributes;
}

void
PerftestHost::Connect(PerftestHost& a, PerftestHost& b)
{
    a.SetPeer(b);
    b.SetPeer(a);
}

void
PerftestHost::SetPeer(const PerftestHost& peer)
{
    const uint32_t lists = IsReceiving() ? m_options.rxDepth / m_options.receiveList : 0;
    const QueuePairAttributes attributes = MakeAttributes();
    for (uint32_t i = 0; i < m_options.queuePairs; ++i)
    {
        // Each direction of each queue pair has a path of its own.
        const auto entropy =
            static_cast<uint32_t>(RandomStream::Scramble((uint64_t{m_node} << 32) + i));
        m_services.Attach(m_node, m_queuePairs[i], m_node, peer.m_node);
        m_nic->Connect(m_queuePairs[i], {peer.m_node, peer.m_queuePairs[i], entropy}, attributes);
        m_requests.push_back(MakeRequest(i, peer, entropy));
        for (uint32_t posted = 0; posted < lists; ++posted)
        {
            PostReceives(i);
        }
    }
}

SendWorkRequest
PerftestHost::MakeRequest(uint32_t index, const PerftestHost& peer, uint32_t entropy) const
{
    SendWorkRequest request;
    request.wrId = index;
    request.opcode = GetOpcode(m_options);
    request.sgList.push_back(
        {GetBuffer(index, false), static_cast<uint32_t>(m_bytes), m_region.localKey});
    request.isInline = m_options.inlineBytes > 0 && m_bytes <= m_options.inlineBytes;
    request.remoteAddress = peer.GetBuffer(index, true);
    request.remoteKey = peer.m_region.remoteKey;
    request.compareAdd = 1;
    request.destination = {peer.m_node, entropy};
    request.remoteQp = peer.m_queuePairs[index];
    request.remoteQueueKey = QUEUE_KEY;
    return request;
}

void
PerftestHost::SetSentHandler(SentHandler handler)
{
    m_onSent = std::move(handler);
}

void
PerftestHost::SetReceivedHandler(Handler handler)
{
    m_onReceived = std::move(handler);
}

void
PerftestHost::Post(uint32_t index, uint32_t count)
{
    NS_ASSERT_MSG(count > 0 && count <= m_list.size(), "a list of requests has a size of its own");
    uint64_t& posted = m_progress[index].posted;
    for (uint32_t i = 0; i < count; ++i)
    {
        ++posted;
        m_list[i] = m_requests[index];
        m_list[i].isSignaled =
            posted % m_options.completionInterval == 0 || posted == m_options.iterations;
        m_list[i].next = i + 1 < count ? &m_list[i + 1] : nullptr;
    }
    const PostResult result = m_nic->PostSend(m_queuePairs[index], m_list.front());
    if (result != PostResult::OK)
    {
        throw VerbsError("a message of perftest cannot be posted");
    }
}

const std::vector<uint32_t>&
PerftestHost::GetQueuePairs() const
{
    return m_queuePairs;
}

const RdmaNic&
PerftestHost::GetNic() const
{
    return *m_nic;
}

uint32_t
PerftestHost::GetNode() const
{
    return m_node;
}

uint64_t
PerftestHost::GetArrived(uint32_t index) const
{
    return m_nic->FindQueuePair(m_queuePairs[index])->GetArrivedMessages();
}

const std::string&
PerftestHost::GetFailure() const
{
    return m_failure;
}

void
PerftestHost::PostReceives(uint32_t index)
{
    ReceiveWorkRequest request;
    request.wrId = index;
    request.sgList.push_back(
        {GetBuffer(index, true), static_cast<uint32_t>(m_headBytes + m_bytes), m_region.localKey});
    for (std::size_t i = 0; i < m_receiveList.size(); ++i)
    {
        m_receiveList[i] = request;
        m_receiveList[i].next = i + 1 < m_receiveList.size() ? &m_receiveList[i + 1] : nullptr;
    }
    const PostResult result = m_nic->PostReceive(m_queuePairs[index], m_receiveList.front());
    if (result != PostResult::OK)
    {
        throw VerbsError("a receive request of perftest cannot be posted");
    }
}

void
PerftestHost::OnSent(const WorkCompletion& completion)
{
    if (Check(completion) && m_onSent)
    {
        const auto index = static_cast<uint32_t>(completion.wrId);
        uint64_t& completed = m_progress[index].completed;
        const uint64_t messages =
            std::min<uint64_t>(m_options.completionInterval, m_options.iterations - completed);
        completed += messages;
        m_onSent(index, static_cast<uint32_t>(messages));
    }
}

void
PerftestHost::OnReceived(const WorkCompletion& completion)
{
    const auto index = static_cast<uint32_t>(completion.wrId);
    if (!Check(completion))
    {
        return;
    }
    uint32_t& received = m_progress[index].received;
    ++received;
    if (received == m_options.receiveList)
    {
        received = 0;
        PostReceives(index);
    }
    if (m_onReceived)
    {
        m_onReceived(index);
    }
}

bool
PerftestHost::Check(const WorkCompletion& completion)
{
    if (completion.status == WcStatus::SUCCESS)
    {
        return true;
    }
    if (m_failure.empty())
    {
        m_failure = "server " + std::to_string(m_node) + ": a work request ended with " +
                    GetWcStatusName(completion.status);
        Simulator::Stop();
    }
    return false;
}

bool
PerftestHost::IsReceiving() const
{
    return m_options.ConsumesReceives();
}

uint64_t
PerftestHost::GetBuffer(uint32_t index, bool isForArrivals) const
{
    const uint64_t place = index + (isForArrivals ? m_options.queuePairs : 0);
    return m_region.address + place * m_stride;
}

} // namespace ns3::rdma
