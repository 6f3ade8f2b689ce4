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
    if (m_plan.renewal)
    {
        m_renewals =
            std::make_unique<QueuePairRenewals>(GetContext(), GetConnector(), *m_plan.renewal);
    }
    for (const uint32_t node : m_plan.clients)
    {
        TransferClient& client =
            AddClient(std::make_unique<TransferClient>(engine, m_plan, node, m_renewals.get()));
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
    const ProgramConnection made = GetConnector().Add(client.GetNode(), server);
    const auto& [src, dst] = made;
    QueuePairAttributes attributes;
    attributes.maxReadsAndAtomics = OUTSTANDING_READS;
    attributes.maxDestReadsAndAtomics = OUTSTANDING_READS;
    if (dst.isHere)
    {
        GetConnector().Make(dst, QueuePairInit(), attributes);
    }
    std::optional<QueuePairInit> init;
    if (src.isHere)
    {
        init.emplace().sendCompletions = client.GetCompletions();
        GetConnector().Make(src, *init, attributes);
    }
    client.AddQueuePair(src.isHere ? src.nic : Ptr<RdmaNic>(), src.queuePair);
    if (!m_renewals)
    {
        return;
    }
    const uint32_t end = m_renewals->Add(made, attributes);
    client.RenewLast(end, init);
    if (dst.isHere)
    {
        m_renewals->Watch(end + 1, QueuePairInit(), m_idle);
    }
}

void
TransferTraffic::AddTo(WindowState& state, bool isDue) const
{
    RequestTraffic::AddTo(state, isDue);
    if (m_renewals)
    {
        m_renewals->AddTo(state);
    }
}

void
TransferTraffic::Pack(uint32_t rank, ByteBuffer& buffer)
{
    RequestTraffic::Pack(rank, buffer);
    if (m_renewals)
    {
        m_renewals->Pack(rank, buffer);
    }
}

void
TransferTraffic::Unpack(ByteReader& reader)
{
    RequestTraffic::Unpack(reader);
    if (m_renewals)
    {
        m_renewals->Unpack(reader);
    }
}

void
TransferTraffic::OnWindow(const WindowState&, Tick)
{
    if (m_renewals)
    {
        m_renewals->OnWindow();
    }
}

std::vector<ResultPart>
TransferTraffic::Report(RankGroup& ranks, bool isPartial)
{
    if (m_renewals)
    {
        SetRenewals(CollectCounts(ranks, *m_renewals));
    }
    return RequestTraffic::Report(ranks, isPartial);
}

} // namespace ns3::rdma
