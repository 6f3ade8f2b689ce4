// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-traffic.h"

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
} // namespace

KvTraffic::KvTraffic(KvPlan plan, const TrafficContext& context)
    : RequestTraffic(context, plan.warmup, plan.duration),
      m_plan(std::move(plan)),
      m_unread(Create<CompletionQueue>(std::numeric_limits<uint32_t>::max()))
{
    MakeStores();
    const FabricCore& core = GetContext().fabric->GetCore();
    FlowEndpoints endpoints(core.endpoints, *GetContext().nics);
    for (const uint32_t node : m_plan.clients)
    {
        KvClient& client = AddClient(std::make_unique<KvClient>(*core.engine, m_plan, node));
        for (std::size_t store = 0; store < m_plan.stores.size(); ++store)
        {
            Connect(client, store, endpoints);
        }
    }
}

KvTraffic::~KvTraffic()
{
    RemoveClients();
}

Ptr<KvDirectKernel>
KvTraffic::FindKernel(uint32_t endpoint) const
{
    const Ptr<KernelHost> host = GetContext().kernels->Find(endpoint);
    return host ? DynamicCast<KvDirectKernel>(host->FindKernel(KvDirectKernel::RPC_CODE)) : nullptr;
}

void
KvTraffic::MakeStores()
{
    const KvFilling filling = m_plan.GetFilling();
    const std::size_t count = m_plan.stores.size();
    for (std::size_t place = 0; place < count; ++place)
    {
        KvStore* store = MakeStore(m_plan.stores[place]);
        if (store && !filling.Fill(*store, m_plan.workload.keys, place, count))
        {
            throw InputError(
                "expected a utilization that stores have room for, got one that is full at " +
                std::to_string(store->GetMemoryUtilization()));
        }
    }
}

KvStore*
KvTraffic::MakeStore(uint32_t endpoint)
{
    const FabricCore& core = GetContext().fabric->GetCore();
    const Endpoint place = core.endpoints.Get(endpoint);
    const bool isHere = GetContext().isHere(endpoint);
    const auto memory = isHere ? GetContext().kernels->GetMemory(place.server) : Ptr<HostMemory>();
    if (m_plan.cores > 0)
    {
        m_services.push_back(
            std::make_unique<KvCoreService>(*core.engine, m_plan, place.nic, memory));
        return m_services.back()->GetStore();
    }
    if (!isHere)
    {
        return nullptr;
    }
    const Ptr<KvDirectKernel> kernel = FindKernel(endpoint);
    if (m_plan.GetBatchBytes() > kernel->GetMaxBatchBytes())
    {
        throw InputError("expected batches that the kernel takes (KvDirectKernel::MaxBatchBytes, " +
                         std::to_string(kernel->GetMaxBatchBytes()) + "), got one of " +
                         std::to_string(m_plan.GetBatchBytes()) + " bytes");
    }
    const bool hasTail = m_plan.workload.popularity != KvPopularity::UNIFORM;
    kernel->Start(m_plan.MakeStoreSettings(place.nic),
                  memory,
                  m_plan.seed,
                  endpoint,
                  hasTail ? m_plan.workload.keys / m_plan.stores.size() : 0);
    // What updates of the workload name.
    kernel->AddFunction(m_plan.MakeFunction());
    return &kernel->GetStore();
}

ConnectionEnds
KvTraffic::Choose(uint32_t client, std::size_t store, FlowEndpoints& endpoints) const
{
    const EndpointMap& map = GetContext().fabric->GetCore().endpoints;
    const Endpoint place = map.Get(m_plan.stores[store]);
    if (map.CountNics(place.server) == 1)
    {
        return endpoints.Choose(client, place.server);
    }
    const auto nic = static_cast<uint32_t>(store % map.CountNics(client));
    return {map.Find({client, nic, 0}), m_plan.stores[store]};
}

void
KvTraffic::Connect(KvClient& client, std::size_t store, FlowEndpoints& endpoints)
{
    const EndpointMap& map = GetContext().fabric->GetCore().endpoints;
    const uint32_t server = map.Get(m_plan.stores[store]).server;
    const ConnectionEnds ends = Choose(client.GetNode(), store, endpoints);
    const uint32_t clientQp = QueuePairTable::GetNumber(CountQueuePair(client.GetNode()));
    const uint32_t serverQp = QueuePairTable::GetNumber(CountQueuePair(server));
    const uint64_t number = FIRST_NUMBER + m_connections++;
    if (GetContext().isHere(ends.dst))
    {
        ConnectServer(client,
                      store,
                      ends,
                      serverQp,
                      {ends.src, clientQp, FlowPath::MakeEntropy(number, false)});
    }
    const Ptr<RdmaNic>& nic = (*GetContext().nics)[ends.src];
    if (GetContext().isHere(ends.src))
    {
        nic->CreateQueuePair(client.MakeEnd(nic), clientQp, map.Get(ends.src).port);
        nic->Connect(clientQp, {ends.dst, serverQp, FlowPath::MakeEntropy(number, true)}, {});
    }
    KvClient::StoreConnection made;
    made.server = server;
    made.serverNic = map.Get(m_plan.stores[store]).nic;
    made.nic = nic;
    made.queuePair = clientQp;
    if (!m_services.empty())
    {
        const std::size_t place = GetClients().size() - 1;
        const KvCoreService& service = *m_services[store];
        made.requestAddress = service.GetRequestAddress(place, 0);
        made.requestStride = service.GetRequestAddress(place, 1) - made.requestAddress;
        made.requestKey = service.GetRequestKey();
    }
    client.AddConnection(made);
}

void
KvTraffic::ConnectServer(const KvClient& client,
                         std::size_t store,
                         const ConnectionEnds& ends,
                         uint32_t queuePair,
                         const Connection& connection)
{
    const Ptr<RdmaNic>& nic = (*GetContext().nics)[ends.dst];
    const Ptr<KernelHost> host = GetContext().kernels->Find(ends.dst);
    QueuePairInit init;
    if (m_services.empty())
    {
        init.sendCompletions = m_unread;
        init.handlers = host->GetHandlers();
    }
    else
    {
        init = m_services[store]->MakeEnd(nic);
    }
    nic->CreateQueuePair(init,
                         queuePair,
                         GetContext().fabric->GetCore().endpoints.Get(ends.dst).port);
    nic->Connect(queuePair, connection, {});
    if (m_services.empty())
    {
        host->BindWrites(queuePair, KvDirectKernel::RPC_CODE);
        FindKernel(ends.dst)->Connect(queuePair, client.GetReplyWindow());
        return;
    }
    m_services[store]->Add(nic, queuePair, client.GetReplyWindow());
}

} // namespace ns3::rdma
