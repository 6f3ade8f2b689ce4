// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-traffic.h"

#include "ns3/flow-path.h"
#include "ns3/input-error.h"
#include "ns3/kernel-deployment.h"
#include "ns3/object-factory.h"
#include "ns3/queue-pair-table.h"
#include "ns3/rpc-collection.h"
#include "ns3/uinteger.h"

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
    : m_plan(std::move(plan)),
      m_context(context),
      m_unread(Create<CompletionQueue>(std::numeric_limits<uint32_t>::max())),
      m_queuePairs(context.nics->size(), 0)
{
    MakeStores();
    const FabricCore& core = m_context.fabric->GetCore();
    FlowEndpoints endpoints(core.endpoints, *m_context.nics);
    for (const uint32_t node : m_plan.clients)
    {
        m_clients.push_back(std::make_unique<KvClient>(*core.engine, m_plan, node));
        for (std::size_t store = 0; store < m_plan.stores.size(); ++store)
        {
            Connect(*m_clients.back(), store, endpoints);
        }
    }
}

Ptr<KvDirectKernel>
KvTraffic::FindKernel(uint32_t endpoint) const
{
    const Ptr<KernelHost> host = m_context.kernels->Find(endpoint);
    return host ? DynamicCast<KvDirectKernel>(host->FindKernel(KvDirectKernel::RPC_CODE)) : nullptr;
}

void
KvTraffic::MakeStores()
{
    const KvFilling filling = m_plan.GetFilling();
    const bool hasTail = m_plan.workload.popularity != KvPopularity::UNIFORM;
    const std::size_t count = m_plan.stores.size();
    for (std::size_t store = 0; store < count; ++store)
    {
        const uint32_t endpoint = m_plan.stores[store];
        if (!m_context.isHere(endpoint))
        {
            continue;
        }
        const Endpoint place = m_context.fabric->GetCore().endpoints.Get(endpoint);
        const Ptr<KvDirectKernel> kernel = FindKernel(endpoint);
        kernel->Start(m_plan.MakeStoreSettings(place.nic),
                      m_context.kernels->GetMemory(place.server),
                      m_plan.seed,
                      endpoint,
                      hasTail ? m_plan.workload.keys / count : 0);
        // What updates of the workload name.
        kernel->AddFunction(CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(1)));
        const uint64_t stored =
            filling.Fill(kernel->GetStore(), m_plan.workload.keys, store, count);
        if (stored < m_plan.workload.keys)
        {
            throw InputError("expected stores that take the keys, got one that is full at a "
                             "utilization of " +
                             std::to_string(kernel->GetStore().GetMemoryUtilization()));
        }
    }
}

ConnectionEnds
KvTraffic::Choose(uint32_t client, std::size_t store, FlowEndpoints& endpoints) const
{
    const EndpointMap& map = m_context.fabric->GetCore().endpoints;
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
    const EndpointMap& map = m_context.fabric->GetCore().endpoints;
    const uint32_t server = map.Get(m_plan.stores[store]).server;
    const ConnectionEnds ends = Choose(client.GetNode(), store, endpoints);
    const uint32_t clientQp = QueuePairTable::GetNumber(m_queuePairs[client.GetNode()]++);
    const uint32_t serverQp = QueuePairTable::GetNumber(m_queuePairs[server]++);
    const uint64_t number = FIRST_NUMBER + m_connections++;
    if (m_context.isHere(ends.dst))
    {
        ConnectServer(client,
                      ends,
                      serverQp,
                      {ends.src, clientQp, FlowPath::MakeEntropy(number, false)});
    }
    const Ptr<RdmaNic>& nic = (*m_context.nics)[ends.src];
    if (m_context.isHere(ends.src))
    {
        nic->CreateQueuePair(client.MakeEnd(nic), clientQp, map.Get(ends.src).port);
        nic->Connect(clientQp, {ends.dst, serverQp, FlowPath::MakeEntropy(number, true)}, {});
    }
    client.AddConnection(nic, clientQp, server);
}

void
KvTraffic::ConnectServer(const KvClient& client,
                         const ConnectionEnds& ends,
                         uint32_t queuePair,
                         const Connection& connection)
{
    const Ptr<KernelHost> host = m_context.kernels->Find(ends.dst);
    QueuePairInit init;
    init.sendCompletions = m_unread;
    init.handlers = host->GetHandlers();
    const Ptr<RdmaNic>& nic = (*m_context.nics)[ends.dst];
    nic->CreateQueuePair(init, queuePair, m_context.fabric->GetCore().endpoints.Get(ends.dst).port);
    nic->Connect(queuePair, connection, {});
    host->BindWrites(queuePair, KvDirectKernel::RPC_CODE);
    FindKernel(ends.dst)->Connect(queuePair, client.GetReplyWindow());
}

void
KvTraffic::Start()
{
    for (const auto& client : m_clients)
    {
        if (m_context.isHere(client->GetNode()))
        {
            client->Start();
        }
    }
}

Tick
KvTraffic::GetEnd() const
{
    return m_plan.duration.GetPicoSeconds();
}

void
KvTraffic::AddTo(WindowState& state) const
{
    for (const auto& client : m_clients)
    {
        state.started += client->GetStarted();
        state.done += client->GetRecords().size();
        state.progress += client->GetProgress();
        state.endTime = std::max(state.endTime, client->GetLastEnd());
    }
}

void
KvTraffic::Finish(bool isStalled)
{
    for (const auto& client : m_clients)
    {
        client->Finish(isStalled ? RpcStatus::STALLED : RpcStatus::UNFINISHED);
    }
}

void
KvTraffic::Report(RankGroup& ranks, RunReport& report)
{
    std::vector<RpcRecord> records;
    for (const auto& client : m_clients)
    {
        records.insert(records.end(), client->GetRecords().begin(), client->GetRecords().end());
    }
    CollectRpcs(ranks,
                {m_plan.warmup.GetPicoSeconds(), m_plan.duration.GetPicoSeconds(), records},
                report);
}

} // namespace ns3::rdma
