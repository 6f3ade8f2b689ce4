// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/transfer-traffic.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// READs under way on a queue pair: what ConnectX NICs have, and perftest takes.
constexpr uint8_t OUTSTANDING_READS{16};
} // namespace

TransferTraffic::TransferTraffic(TransferPlan plan, const TrafficContext& context)
    : RequestTraffic(context, plan.times),
      m_plan(std::move(plan))
{
    FabricEngine& engine = *GetContext().fabric->GetCore().engine;
    for (const uint32_t node : m_plan.clients)
    {
        TransferClient& client = AddClient(std::make_unique<TransferClient>(engine, m_plan, node));
        for (const uint32_t server : m_plan.servers)
        {
            for (uint32_t number = 0; number < m_plan.queuePairs; ++number)
            {
                Connect(client, server);
            }
        }
    }
    if (std::none_of(GetClients().begin(), GetClients().end(), [](const auto& client) {
            return client->HasArrival();
        }))
    {
        throw InputError("expected requestsPerSecond and duration with at least one request, got "
                         "none of any server");
    }
}

TransferTraffic::~TransferTraffic()
{
    RemoveClients();
}

void
TransferTraffic::Connect(TransferClient& client, uint32_t server)
{
    const auto [src, dst] = GetConnector().Add(client.GetNode(), server);
    QueuePairAttributes attributes;
    attributes.maxReadsAndAtomics = OUTSTANDING_READS;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    if (dst.isHere)
    {
        GetConnector().Make(dst, QueuePairInit(), attributes);
    }
    if (src.isHere)
    {
        QueuePairInit init;
        init.sendCompletions = client.GetCompletions();
        GetConnector().Make(src, init, attributes);
    }
    client.AddQueuePair(src.isHere ? src.nic : Ptr<RdmaNic>(), src.queuePair);
}

} // namespace ns3::rdma
