// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-traffic.h"

#include "ns3/input-error.h"
#include "ns3/kernel-deployment.h"
#include "ns3/peak-memory.h"
#include "ns3/polled-queue.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Of the operations that warm counted stores; away from the streams of clients.
constexpr uint64_t WARMING_STREAM{0x6b777761726d0000ULL};
} // namespace

KvTraffic::KvTraffic(KvPlan plan, const TrafficContext& context)
    : RequestTraffic(context, plan.times),
      m_plan(std::move(plan)),
      m_unread(PolledQueue::MakeUnpolled())
{
    MakeStores();
    FabricEngine& engine = *GetContext().fabric->GetCore().engine;
    for (const uint32_t node : m_plan.clients)
    {
        KvClient& client = AddClient(std::make_unique<KvClient>(engine, m_plan, node));
        for (std::size_t store = 0; store < m_plan.stores.size(); ++store)
        {
            Connect(client, store);
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
KvTraffic::CheckRoom() const
{
    const auto isHere = [this](uint32_t store) { return GetContext().isHere(store); };
    const auto here = std::count_if(m_plan.stores.begin(), m_plan.stores.end(), isHere);
    // A counted store has the tags of its DRAM only.
    constexpr uint64_t TAG_BYTES{16};
    const uint64_t lines = m_plan.memoryBytes / KvMemoryEngine::LINE_BYTES;
    const uint64_t bytes = m_plan.isCounted
                               ? lines * TAG_BYTES
                               : m_plan.GetFilling().CountUsedBytes(m_plan.memoryBytes);
    const std::string lack =
        DescribeLackOfRoom(static_cast<uint64_t>(here), bytes, "stores of this memory");
    if (!lack.empty())
    {
        throw InputError(lack);
    }
}

void
KvTraffic::MakeStores()
{
    CheckRoom();
    const KvFilling filling = m_plan.GetFilling();
    const std::size_t count = m_plan.stores.size();
    for (std::size_t place = 0; place < count; ++place)
    {
        KvStore* store = MakeStore(m_plan.stores[place]);
        if (store && !filling.Fill(*store, m_plan.workload.keys, place, count, GetContext().poll))
        {
            throw InputError(
                "expected a utilization that stores have room for, got one that is full at " +
                std::to_string(store->GetMemoryUtilization()));
        }
    }
    WarmStores();
}

void
KvTraffic::WarmStores()
{
    const uint64_t count = m_plan.warming * m_plan.stores.size();
    if (count == 0)
    {
        return;
    }
    constexpr uint64_t OPERATIONS_PER_POLL{4096};
    std::vector<Ptr<KvDirectKernel>> kernels;
    for (const uint32_t endpoint : m_plan.stores)
    {
        kernels.push_back(GetContext().isHere(endpoint) ? FindKernel(endpoint) : nullptr);
    }
    KvWorkload stream(m_plan.workload, RandomStream(m_plan.seed, WARMING_STREAM));
    for (uint64_t i = 0; i < count; ++i)
    {
        if (GetContext().poll && i % OPERATIONS_PER_POLL == 0)
        {
            GetContext().poll();
        }
        const KvOperation operation = stream.Next();
        if (const auto& kernel = kernels[m_plan.GetStore(stream.GetNumber())])
        {
            kernel->Warm(operation);
        }
    }
}

void
KvTraffic::CheckBatches(const KvDirectKernel& kernel) const
{
    if (m_plan.GetBatchBytes() > kernel.GetMaxBatchBytes())
    {
        throw InputError("expected batches that the kernel takes (KvDirectKernel::MaxBatchBytes, " +
                         std::to_string(kernel.GetMaxBatchBytes()) + "), got one of " +
                         std::to_string(m_plan.GetBatchBytes()) + " bytes");
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
    CheckBatches(*kernel);
    const KvStoreSettings settings = m_plan.MakeStoreSettings(place.nic);
    const bool hasTail = m_plan.workload.popularity != KvPopularity::UNIFORM;
    const uint64_t keys = hasTail ? m_plan.workload.keys / m_plan.stores.size() : 0;
    if (m_plan.isCounted)
    {
        kernel->StartCounted(settings, m_plan.GetPairsOfStore(), m_plan.seed, endpoint, keys);
    }
    else
    {
        kernel->Start(settings, memory, m_plan.seed, endpoint, keys);
    }
    // What updates of the workload name.
    kernel->AddFunction(m_plan.MakeFunction());
    return m_plan.isCounted ? nullptr : &kernel->GetStore();
}

ProgramConnection
KvTraffic::AddConnection(uint32_t client, std::size_t store)
{
    const EndpointMap& map = GetContext().fabric->GetCore().endpoints;
    const Endpoint place = map.Get(m_plan.stores[store]);
    if (map.CountNics(place.server) == 1)
    {
        return GetConnector().Add(client, place.server);
    }
    const auto nic = static_cast<uint32_t>(store % map.CountNics(client));
    return GetConnector().Add(client,
                              place.server,
                              {map.Find({client, nic, 0}), m_plan.stores[store]});
}

void
KvTraffic::Connect(KvClient& client, std::size_t store)
{
    const auto [src, dst] = AddConnection(client.GetNode(), store);
    if (dst.isHere)
    {
        ConnectServer(client, store, dst);
    }
    if (src.isHere)
    {
        GetConnector().Make(src, client.MakeEnd(src.nic));
    }
    KvClient::StoreConnection made;
    made.server = dst.server;
    made.serverNic = GetContext().fabric->GetCore().endpoints.Get(m_plan.stores[store]).nic;
    made.nic = src.nic;
    made.queuePair = src.queuePair;
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
KvTraffic::ConnectServer(const KvClient& client, std::size_t store, const ProgramEnd& end)
{
    if (!m_services.empty())
    {
        GetConnector().Make(end, m_services[store]->MakeEnd(end.nic));
        m_services[store]->Add(end.nic, end.queuePair, client.GetReplyWindow());
        return;
    }
    const Ptr<KernelHost> host = GetContext().kernels->Find(end.endpoint);
    QueuePairInit init;
    init.sendCompletions = m_unread;
    init.handlers = host->GetHandlers();
    GetConnector().Make(end, init);
    host->BindWrites(end.queuePair, KvDirectKernel::RPC_CODE);
    FindKernel(end.endpoint)->Connect(end.queuePair, client.GetReplyWindow());
}

} // namespace ns3::rdma
