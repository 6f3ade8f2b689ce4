// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/per-flow-queue-pairs.h"

#include "ns3/flow-path.h"

#include <utility>

namespace ns3::rdma
{

PerFlowQueuePairs::PerFlowQueuePairs(FlowEndpoints& endpoints,
                                     const std::vector<Ptr<RdmaNic>>& nics,
                                     std::function<bool(uint32_t endpoint)> isHere,
                                     QueuePairNumbers& numbers,
                                     uint64_t pathBase,
                                     WrOpcode operation,
                                     const TrafficClass& trafficClass,
                                     FlowServices* services,
                                     FlowGpuMemory* gpuMemory)
    : m_endpoints(endpoints),
      m_nics(nics),
      m_isHere(std::move(isHere)),
      m_numbers(numbers),
      m_pathBase(pathBase),
      m_operation(operation),
      m_trafficClass(trafficClass),
      m_attributes(trafficClass.MakeAttributes()),
      m_services(services),
      m_gpuMemory(gpuMemory)
{
}

void
PerFlowQueuePairs::Make(const End& end,
                        const Ptr<ProtectionDomain>& domain,
                        const Connection& connection)
{
    static const QueuePairInit PLAIN; // Made once: nearly all flows need no more.
    RdmaNic& nic = *m_nics[end.endpoint];
    const uint32_t port = m_endpoints.GetPort(end.endpoint);
    if (!m_services && !domain)
    {
        nic.CreateQueuePair(PLAIN, end.number, port);
    }
    else
    {
        QueuePairInit init = m_services ? m_services->MakeInit(end.endpoint) : PLAIN;
        init.domain = domain;
        nic.CreateQueuePair(init, end.number, port);
    }
    Attach(end, connection);
}

void
PerFlowQueuePairs::MakeReceiver(const End& end, const Connection& connection, uint64_t bytes)
{
    std::unique_ptr<PolledQueue>& received = m_received[end.endpoint];
    if (!received)
    {
        received = std::make_unique<PolledQueue>([](const WorkCompletion&) {});
    }
    RdmaNic& nic = *m_nics[end.endpoint];
    QueuePairInit init = m_services ? m_services->MakeInit(end.endpoint) : QueuePairInit();
    init.receiveCompletions = received->Get();
    nic.CreateQueuePair(init, end.number, m_endpoints.GetPort(end.endpoint));
    Attach(end, connection);
    ReceiveWorkRequest request;
    request.sgList = {{0, static_cast<uint32_t>(bytes), 0}};
    nic.PostReceive(end.number, request);
}

void
PerFlowQueuePairs::Attach(const End& end, const Connection& connection)
{
    if (m_services)
    {
        m_services->Attach(end.endpoint, end.number, end.server, end.peer);
    }
    m_nics[end.endpoint]->Connect(end.number, connection, m_attributes);
}

void
PerFlowQueuePairs::UseClass(const FlowArrival& arrival)
{
    m_attributes.serviceLevel = arrival.priority ? arrival.priority : m_trafficClass.priority;
}

FlowQueuePair
PerFlowQueuePairs::Open(uint64_t flow, const FlowArrival& arrival)
{
    FlowQueuePair made{m_endpoints.Choose(arrival.src, arrival.dst),
                       m_numbers.TakeNext(arrival.src),
                       m_numbers.TakeNext(arrival.dst),
                       false,
                       std::nullopt};
    const ConnectionEnds& ends = made.ends;
    UseClass(arrival);
    if (m_gpuMemory)
    {
        made.place = m_gpuMemory->TakePlace(ends.dst, arrival.bytes - arrival.fluidBytes);
    }
    if (m_isHere(ends.dst))
    {
        const End end{ends.dst, made.dstQp, arrival.dst, arrival.src};
        const Connection connection{ends.src,
                                    made.srcQp,
                                    FlowPath::MakeEntropy(m_pathBase + flow, false)};
        if (m_operation == WrOpcode::SEND)
        {
            MakeReceiver(end, connection, arrival.bytes);
        }
        else
        {
            Make(end, made.place ? m_gpuMemory->GetDomain(ends.dst) : nullptr, connection);
        }
    }
    if (m_isHere(ends.src))
    {
        Make({ends.src, made.srcQp, arrival.src, arrival.dst},
             nullptr,
             {ends.dst, made.dstQp, FlowPath::MakeEntropy(m_pathBase + flow, true)});
    }
    return made;
}

bool
PerFlowQueuePairs::Post(uint64_t, const FlowQueuePair& queuePair, uint64_t bytes, uint64_t wrId)
{
    RdmaNic& sender = *m_nics[queuePair.ends.src];
    if (!queuePair.place && m_operation == WrOpcode::RDMA_WRITE)
    {
        sender.PostWrite(queuePair.srcQp, wrId, bytes);
        return true;
    }
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = m_operation;
    if (queuePair.place)
    {
        request.remoteAddress = queuePair.place->address;
        request.remoteKey = queuePair.place->remoteKey;
    }
    request.sgList = {{0, static_cast<uint32_t>(bytes), 0}}; // FlowKind has checked the size.
    return sender.PostSend(queuePair.srcQp, request) == PostResult::OK;
}

void
PerFlowQueuePairs::Close(uint64_t, uint32_t srcEndpoint, uint32_t srcQp)
{
    m_nics[srcEndpoint]->DestroyQueuePair(srcQp);
}

WrOpcode
PerFlowQueuePairs::GetOperation(uint64_t) const
{
    return m_operation;
}

RequesterStats
PerFlowQueuePairs::TakeStats(uint64_t, uint32_t srcEndpoint, uint32_t srcQp)
{
    return m_nics[srcEndpoint]->FindQueuePair(srcQp)->requester->GetStats();
}

} // namespace ns3::rdma
