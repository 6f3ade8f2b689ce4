// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-traffic.h"

#include "ns3/input-error.h"
#include "ns3/kernel-deployment.h"
#include "ns3/polled-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// READs under way on a queue pair: what ConnectX NICs have, and perftest takes.
constexpr uint32_t OUTSTANDING_READS{16};
} // namespace

RpcTraffic::RpcTraffic(RpcPlan plan, const TrafficContext& context)
    : RequestTraffic(context, plan.times),
      m_plan(std::move(plan)),
      m_keys(m_plan.keys, m_plan.zipf),
      m_unread(PolledQueue::MakeUnpolled())
{
    MakeStores();
    FabricEngine& engine = *GetContext().fabric->GetCore().engine;
    for (const uint32_t node : m_plan.clients)
    {
        RpcClient& client = AddClient(std::make_unique<RpcClient>(engine, m_plan, m_keys, node));
        for (std::size_t server = 0; server < m_plan.servers.size(); ++server)
        {
            Connect(client, server);
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
        m_stores.push_back(std::make_unique<RpcStore>(m_plan, server, memory, GetContext().poll));
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
RpcTraffic::Connect(RpcClient& client, std::size_t server)
{
    const auto [src, dst] = GetConnector().Add(client.GetNode(), m_plan.servers[server]);
    if (dst.isHere)
    {
        ConnectServer(dst, server);
    }
    const QueuePairInit init = client.GetMethod().MakeEnd(src.nic);
    const RpcConnection made{src.nic, src.queuePair, m_stores[server].get()};
    if (src.isHere)
    {
        QueuePairAttributes attributes;
        attributes.maxReadsAndAtomics = OUTSTANDING_READS;
        GetConnector().Make(src, init, attributes);
    }
    client.AddConnection(made);
    if (src.isHere)
    {
        client.GetMethod().OnConnected(made);
    }
}

void
RpcTraffic::ConnectServer(const ProgramEnd& end, std::size_t server)
{
    const RpcStore& store = *m_stores[server];
    QueuePairInit init;
    init.domain = store.GetDomain();
    init.sendCompletions = m_unread;
    if (!m_services.empty())
    {
        init = m_services[server]->MakeEnd();
    }
    else if (const auto kernels = GetContext().kernels->Find(end.endpoint))
    {
        init.handlers = kernels->GetHandlers();
        if (!kernels->GetTlb()->Pin(store.GetRegion().address, store.GetRegion().length))
        {
            throw InputError("expected tables that a TLB can pin (ns3::rdma::Tlb::Entries), got " +
                             std::to_string(store.GetRegion().length) + " bytes");
        }
    }
    QueuePairAttributes attributes;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    GetConnector().Make(end, init, attributes);
    if (!m_services.empty())
    {
        m_services[server]->Add(end.nic, end.queuePair);
    }
}

} // namespace ns3::rdma
