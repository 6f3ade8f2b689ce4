// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-traffic.h"

#include "ns3/flow-path.h"
#include "ns3/input-error.h"
#include "ns3/kernel-deployment.h"
#include "ns3/queue-pair-table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Connections have numbers that no flow has, so that paths differ, too.
constexpr uint64_t FIRST_NUMBER{uint64_t{1} << 48};

/// READs under way on a queue pair: what ConnectX NICs have, and perftest takes.
constexpr uint32_t OUTSTANDING_READS{16};
} // namespace

RpcTraffic::RpcTraffic(RpcPlan plan, const TrafficContext& context)
    : RequestTraffic(context, plan.warmup, plan.duration),
      m_plan(std::move(plan)),
      m_keys(m_plan.keys, m_plan.zipf),
      m_unread(Create<CompletionQueue>(std::numeric_limits<uint32_t>::max()))
{
    MakeStores();
    const FabricCore& core = GetContext().fabric->GetCore();
    FlowEndpoints endpoints(core.endpoints, *GetContext().nics);
    for (const uint32_t node : m_plan.clients)
    {
        RpcClient& client =
            AddClient(std::make_unique<RpcClient>(*core.engine, m_plan, m_keys, node));
        for (std::size_t server = 0; server < m_plan.servers.size(); ++server)
        {
            Connect(client, server, endpoints);
        }
    }
    if (std::none_of(GetClients().begin(), GetClients().end(), [](const auto& client) {
            return client->HasArrival();
        }))
    {
        throw InputError("expected requestsPerSecond and duration with at least one request, got "
                         "none of any client");
    }
}

RpcTraffic::~RpcTraffic()
{
    RemoveClients();
}

void
RpcTraffic::MakeStores()
{
    for (std::size_t server = 0; server < m_plan.servers.size(); ++server)
    {
        const uint32_t node = m_plan.servers[server];
        const auto memory =
            GetContext().isHere(node) ? GetContext().kernels->GetMemory(node) : Ptr<HostMemory>();
        m_stores.push_back(std::make_unique<RpcStore>(m_plan, server, memory));
        if (FindRpcMethod(m_plan.request).hasService)
        {
            m_services.push_back(
                std::make_unique<TcpService>(*GetContext().fabric->GetCore().engine,
                                             m_plan,
                                             *m_stores.back(),
                                             memory));
        }
    }
}

void
RpcTraffic::Connect(RpcClient& client, std::size_t server, FlowEndpoints& endpoints)
{
    const ConnectionEnds ends = endpoints.Choose(client.GetNode(), m_plan.servers[server]);
    const uint32_t clientQp = QueuePairTable::GetNumber(CountQueuePair(client.GetNode()));
    const uint32_t serverQp = QueuePairTable::GetNumber(CountQueuePair(m_plan.servers[server]));
    const uint64_t number = FIRST_NUMBER + m_connections++;
    if (GetContext().isHere(ends.dst))
    {
        ConnectServer(ends,
                      server,
                      serverQp,
                      {ends.src, clientQp, FlowPath::MakeEntropy(number, false)});
    }
    const Ptr<RdmaNic>& nic = (*GetContext().nics)[ends.src];
    const QueuePairInit init = client.GetMethod().MakeEnd(nic);
    const bool isHere = GetContext().isHere(ends.src);
    if (isHere)
    {
        nic->CreateQueuePair(init,
                             clientQp,
                             GetContext().fabric->GetCore().endpoints.Get(ends.src).port);
        QueuePairAttributes attributes;
        attributes.maxReadsAndAtomics = OUTSTANDING_READS;
        nic->Connect(clientQp,
                     {ends.dst, serverQp, FlowPath::MakeEntropy(number, true)},
                     attributes);
    }
    client.AddConnection({nic, clientQp, m_stores[server].get()});
    if (isHere)
    {
        client.GetMethod().OnConnected({nic, clientQp, m_stores[server].get()});
    }
}

void
RpcTraffic::ConnectServer(const ConnectionEnds& ends,
                          std::size_t server,
                          uint32_t queuePair,
                          const Connection& connection)
{
    const RpcStore& store = *m_stores[server];
    QueuePairInit init;
    init.domain = store.GetDomain();
    init.sendCompletions = m_unread;
    if (!m_services.empty())
    {
        init = m_services[server]->MakeEnd();
    }
    else if (const auto kernels = GetContext().kernels->Find(ends.dst))
    {
        init.handlers = kernels->GetHandlers();
        if (!kernels->GetTlb()->Pin(RpcStore::BASE, store.GetRegion().length))
        {
            throw InputError("expected tables that a TLB can pin (ns3::rdma::Tlb::Entries), got " +
                             std::to_string(store.GetRegion().length) + " bytes");
        }
    }
    const Ptr<RdmaNic>& nic = (*GetContext().nics)[ends.dst];
    nic->CreateQueuePair(init,
                         queuePair,
                         GetContext().fabric->GetCore().endpoints.Get(ends.dst).port);
    QueuePairAttributes attributes;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    nic->Connect(queuePair, connection, attributes);
    if (!m_services.empty())
    {
        m_services[server]->Add(nic, queuePair);
    }
}

} // namespace ns3::rdma
