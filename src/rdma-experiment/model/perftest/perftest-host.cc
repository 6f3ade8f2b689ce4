// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-host.h"

#include "ns3/abort.h"
#include "ns3/random-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t BUFFER{uint64_t{1} << 32}; ///< Address of the region.
constexpr uint64_t GRH_BYTES{40};             ///< Before a datagram in its receive buffer.
constexpr uint64_t RX_DEPTH{512};             ///< perftest's default.
constexpr uint32_t QUEUE_KEY{0x11111111};     ///< perftest's.

/// READs and atomics under way: what ConnectX NICs have, and perftest takes.
constexpr uint32_t OUTSTANDING_READS{16};

WrOpcode
GetOpcode(PerftestVerb verb)
{
    switch (verb)
    {
    case PerftestVerb::WRITE:
        return WrOpcode::RDMA_WRITE;
    case PerftestVerb::SEND:
        return WrOpcode::SEND;
    case PerftestVerb::READ:
        return WrOpcode::RDMA_READ;
    case PerftestVerb::ATOMIC:
        return WrOpcode::ATOMIC_FETCH_AND_ADD;
    }
    NS_ABORT_MSG("no verb: " << static_cast<unsigned>(verb));
}

std::vector<WorkCompletion>
PollAll(CompletionQueue& queue)
{
    std::vector<WorkCompletion> completions;
    queue.Poll(queue.GetCount(), completions);
    return completions;
}

} // namespace

PerftestHost::PerftestHost(Ptr<RdmaNic> nic,
                           uint32_t node,
                           const PerftestOptions& options,
                           uint64_t bytes)
    : m_nic(nic),
      m_node(node),
      m_options(options),
      m_bytes(bytes),
      m_domain(Create<ProtectionDomain>()),
      m_region(m_domain->Register(BUFFER,
                                  GRH_BYTES + bytes,
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                      memory_access::REMOTE_READ | memory_access::REMOTE_ATOMIC)),
      // Every consumer polls at once, so neither queue ever holds this many.
      m_sendCompletions(Create<CompletionQueue>(std::numeric_limits<uint32_t>::max())),
      m_receiveCompletions(Create<CompletionQueue>(std::numeric_limits<uint32_t>::max()))
{
    m_sendCompletions->SetNotifier([this] { OnSent(); });
    m_receiveCompletions->SetNotifier([this] { OnReceived(); });
    m_sendCompletions->RequestNotify(false);
    m_receiveCompletions->RequestNotify(false);
    QueuePairInit init;
    init.service = options.service;
    init.domain = m_domain;
    init.sendCompletions = m_sendCompletions;
    init.receiveCompletions = IsReceiving() ? m_receiveCompletions : nullptr;
    for (uint32_t i = 0; i < options.queuePairs; ++i)
    {
        m_queuePairs.push_back(m_nic->CreateQueuePair(init));
    }
}

PerftestHost::~PerftestHost()
{
    m_sendCompletions->SetNotifier(nullptr); // The NIC may outlive this host.
    m_receiveCompletions->SetNotifier(nullptr);
}

void
PerftestHost::Connect(PerftestHost& a, PerftestHost& b)
{
    a.Learn(b);
    b.Learn(a);
}

void
PerftestHost::Learn(const PerftestHost& peer)
{
    const uint64_t receives = IsReceiving() ? std::min(RX_DEPTH, m_options.iterations) : 0;
    for (uint32_t i = 0; i < m_options.queuePairs; ++i)
    {
        // Each direction of each queue pair has a path of its own.
        const auto entropy =
            static_cast<uint32_t>(RandomStream::Scramble((uint64_t{m_node} << 32) + i));
        QueuePairAttributes attributes;
        attributes.pathMtu = m_options.mtu;
        attributes.maxReadsAndAtomics = OUTSTANDING_READS;
        attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
        attributes.queueKey = QUEUE_KEY;
        const uint32_t remoteQp = peer.m_queuePairs[i];
        m_nic->Connect(m_queuePairs[i], {peer.m_node, remoteQp, entropy}, attributes);

        SendWorkRequest request;
        request.wrId = i;
        request.opcode = GetOpcode(m_options.kind.verb);
        request.sgList.push_back(MakeBuffer(m_bytes));
        request.remoteAddress = peer.m_region.address;
        request.remoteKey = peer.m_region.remoteKey;
        request.compareAdd = 1;
        request.destination = {peer.m_node, entropy};
        request.remoteQp = remoteQp;
        request.remoteQueueKey = QUEUE_KEY;
        m_requests.push_back(request);
        for (uint64_t posted = 0; posted < receives; ++posted)
        {
            PostReceive(i);
        }
    }
}

void
PerftestHost::SetSentHandler(Handler handler)
{
    m_onSent = std::move(handler);
}

void
PerftestHost::SetReceivedHandler(Handler handler)
{
    m_onReceived = std::move(handler);
}

void
PerftestHost::Post(uint32_t index)
{
    const PostResult result = m_nic->PostSend(m_queuePairs[index], m_requests[index]);
    NS_ABORT_MSG_IF(result != PostResult::OK, "a message of perftest cannot be posted");
}

uint64_t
PerftestHost::GetArrived(uint32_t index) const
{
    const QueuePair& queuePair = *m_nic->FindQueuePair(m_queuePairs[index]);
    if (queuePair.service == Service::RC)
    {
        return queuePair.responder ? queuePair.responder->GetMsn() : 0;
    }
    return queuePair.unreliable ? queuePair.unreliable->GetMessages() : 0;
}

const std::string&
PerftestHost::GetFailure() const
{
    return m_failure;
}

void
PerftestHost::PostReceive(uint32_t index)
{
    ReceiveWorkRequest request;
    request.wrId = index;
    request.sgList.push_back(MakeBuffer(GRH_BYTES + m_bytes));
    const PostResult result = m_nic->PostReceive(m_queuePairs[index], request);
    NS_ABORT_MSG_IF(result != PostResult::OK, "a receive request of perftest cannot be posted");
}

void
PerftestHost::OnSent()
{
    m_sendCompletions->RequestNotify(false);
    for (const WorkCompletion& completion : PollAll(*m_sendCompletions))
    {
        if (Check(completion) && m_onSent)
        {
            m_onSent(static_cast<uint32_t>(completion.wrId));
        }
    }
}

void
PerftestHost::OnReceived()
{
    m_receiveCompletions->RequestNotify(false);
    for (const WorkCompletion& completion : PollAll(*m_receiveCompletions))
    {
        const auto index = static_cast<uint32_t>(completion.wrId);
        if (!Check(completion))
        {
            return;
        }
        PostReceive(index);
        if (m_onReceived)
        {
            m_onReceived(index);
        }
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
    return m_options.kind.verb == PerftestVerb::SEND;
}

Sge
PerftestHost::MakeBuffer(uint64_t bytes) const
{
    return {m_region.address, static_cast<uint32_t>(bytes), m_region.localKey};
}

} // namespace ns3::rdma
