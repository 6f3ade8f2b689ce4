// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/program-connector.h"

#include "ns3/flow-path.h"
#include "ns3/flow-services.h"
#include "ns3/input-error.h"
#include "ns3/peak-memory.h"
#include "ns3/queue-pair-table.h"

namespace ns3::rdma
{

ProgramConnector::ProgramConnector(const TrafficContext& context, uint64_t firstNumber)
    : m_context(context),
      m_endpoints(context.fabric->GetCore().endpoints, *context.nics),
      m_trafficClass(context.trafficClass),
      m_nextNumber(context.streamKey + firstNumber),
      m_made(context.madeQueuePairs),
      m_queuePairs(context.nics->size(), 0)
{
    m_made.resize(context.nics->size(), 0);
}

void
ProgramConnector::CheckRoom(uint64_t queuePairs)
{
    // Of an all-to-all: 3.43 kB more per queue pair from 256 to 512 ranks.
    constexpr uint64_t BYTES_PER_QUEUE_PAIR{3400};
    const std::string lack = DescribeLackOfRoom(queuePairs, BYTES_PER_QUEUE_PAIR, "queue pairs");
    if (!lack.empty())
    {
        throw InputError(lack);
    }
}

ProgramConnection
ProgramConnector::Add(uint32_t src, uint32_t dst)
{
    return Add(src, dst, m_endpoints.Choose(src, dst));
}

ProgramConnection
ProgramConnector::Add(uint32_t src, uint32_t dst, const ConnectionEnds& ends)
{
    const uint32_t srcQp = QueuePairTable::GetNumber(m_made[src] + m_queuePairs[src]++);
    const uint32_t dstQp = QueuePairTable::GetNumber(m_made[dst] + m_queuePairs[dst]++);
    const uint64_t number = m_nextNumber++;
    const auto make =
        [this](uint32_t endpoint, uint32_t queuePair, uint32_t server, uint32_t peer) {
            ProgramEnd end;
            end.endpoint = endpoint;
            end.queuePair = queuePair;
            end.server = server;
            end.peer = peer;
            end.nic = (*m_context.nics)[endpoint];
            end.isHere = m_context.isHere(endpoint);
            return end;
        };
    ProgramConnection made{make(ends.src, srcQp, src, dst), make(ends.dst, dstQp, dst, src)};
    made.src.connection = {ends.dst, dstQp, FlowPath::MakeEntropy(number, true)};
    made.dst.connection = {ends.src, srcQp, FlowPath::MakeEntropy(number, false)};
    for (const ProgramEnd* end : {&made.src, &made.dst})
    {
        if (end->isHere)
        {
            m_ends.emplace_back(PeekPointer(end->nic), end->queuePair);
        }
    }
    return made;
}

void
ProgramConnector::AddDelivered(std::vector<uint64_t>& bytes) const
{
    uint64_t sum = m_deliveredBefore;
    for (const auto& [nic, number] : m_ends)
    {
        sum += GetDelivered(*nic, number);
    }
    bytes[m_context.workload] += sum;
}

uint64_t
ProgramConnector::GetDelivered(const RdmaNic& nic, uint32_t number)
{
    uint64_t sum = 0;
    if (const auto queuePair = nic.FindQueuePair(number))
    {
        sum += queuePair->responder ? queuePair->responder->GetPlacedBytes() : 0;
        sum += queuePair->unreliable ? queuePair->unreliable->GetPlacedBytes() : 0;
        sum += queuePair->requester ? queuePair->requester->GetStats().readBytes : 0;
    }
    return sum;
}

void
ProgramConnector::Unmake(const ProgramEnd& end)
{
    m_deliveredBefore += GetDelivered(*end.nic, end.queuePair);
    end.nic->DestroyQueuePair(end.queuePair);
}

void
ProgramConnector::Make(const ProgramEnd& end,
                       const QueuePairInit& init,
                       QueuePairAttributes attributes) const
{
    m_trafficClass.Apply(attributes);
    end.nic->CreateQueuePair(init, end.queuePair, m_endpoints.GetPort(end.endpoint));
    end.nic->Connect(end.queuePair, end.connection, attributes);
}

void
ProgramConnector::MakeServed(const ProgramEnd& end, QueuePairInit init) const
{
    // The slots are in the path of reliable connections.
    FlowServices* const services = init.service == Service::RC ? m_context.services : nullptr;
    if (!services)
    {
        Make(end, init);
        return;
    }
    init.handlers = services->MakeInit(end.endpoint).handlers;
    end.nic->CreateQueuePair(init, end.queuePair, m_endpoints.GetPort(end.endpoint));
    services->Attach(end.endpoint, end.queuePair, end.server, end.peer);
    end.nic->Connect(end.queuePair, end.connection, m_trafficClass.MakeAttributes());
}

} // namespace ns3::rdma
