// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/spread-turns.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

SpreadTurns::SpreadTurns(FabricCore& core,
                         const QueuePairTable& table,
                         std::vector<PacketPath*> paths)
    : m_core(core),
      m_table(table),
      m_paths(std::move(paths))
{
}

void
SpreadTurns::Add(const QueuePair& queuePair)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    m_states.resize(std::max<std::size_t>(m_states.size(), place + 1));
    m_states[place] = {};
}

void
SpreadTurns::Connect(const QueuePair& queuePair)
{
    m_states[m_table.GetPlace(queuePair.GetNumber())].common =
        FindCommon(queuePair.GetConnection().remoteEndpoint);
}

void
SpreadTurns::Forget(const QueuePair& queuePair)
{
    m_states[m_table.GetPlace(queuePair.GetNumber())].readyAt = TICK_NEVER;
}

void
SpreadTurns::SetScheduled(const QueuePair& queuePair, uint32_t port, bool isScheduled)
{
    uint32_t& scheduled = m_states[m_table.GetPlace(queuePair.GetNumber())].scheduled;
    scheduled = (scheduled & ~(1U << port)) | (uint32_t{isScheduled} << port);
}

bool
SpreadTurns::ExpectReady(const QueuePair& queuePair, Tick when)
{
    Tick& readyAt = m_states[m_table.GetPlace(queuePair.GetNumber())].readyAt;
    const bool isEarlier = when < readyAt;
    readyAt = std::min(readyAt, when);
    return isEarlier;
}

bool
SpreadTurns::TakeReady(const QueuePair& queuePair, Tick now)
{
    Tick& readyAt = m_states[m_table.GetPlace(queuePair.GetNumber())].readyAt;
    const bool isExpected = readyAt == now;
    readyAt = isExpected ? TICK_NEVER : readyAt;
    return isExpected;
}

void
SpreadTurns::Activate(QueuePair& queuePair)
{
    const bool isSooner = queuePair.GetRequester()->ConsumeEarlierSendTime();
    // The first port that is free takes the next packet: that of the selector's next value.
    auto left = static_cast<uint32_t>((uint64_t{1} << m_paths.size()) - 1);
    while (left != 0)
    {
        const auto preferred = FindPreferred(queuePair, left);
        const uint32_t port = preferred.value_or(static_cast<uint32_t>(__builtin_ctz(left)));
        left &= ~(1U << port);
        m_paths[port]->ActivateHere(queuePair, isSooner);
    }
}

std::optional<uint32_t>
SpreadTurns::FindPreferred(QueuePair& queuePair, uint32_t among) const
{
    const Tick now = m_core.engine->Now();
    Requester* const readSender = queuePair.GetReadSender();
    if (queuePair.GetRequester()->GetNextSendTime() > now &&
        !(readSender && readSender->GetNextSendTime() <= now))
    {
        return std::nullopt; // GetPlanes() needs a packet.
    }
    const uint32_t planes = GetPlanes(queuePair);
    const auto find = [&](const Requester& sender) {
        return sender.GetNextSendTime() <= now
                   ? sender.FindRoutes()->FindPreferred(among,
                                                        planes,
                                                        sender.GetInFlightBytes(),
                                                        now)
                   : std::nullopt;
    };
    const auto ofRequests = find(*queuePair.GetRequester());
    return ofRequests || !readSender ? ofRequests : find(*readSender);
}

uint32_t
SpreadTurns::FindCommon(uint32_t remote) const
{
    uint32_t common = 0;
    for (uint32_t port = 0; port < m_paths.size(); ++port)
    {
        common |= uint32_t{m_core.endpoints.FindPort(remote, port) != EndpointMap::NONE} << port;
    }
    return common;
}

uint32_t
SpreadTurns::GetPlanes(const QueuePair& queuePair) const
{
    if (queuePair.IsConnected())
    {
        return m_up & m_states[m_table.GetPlace(queuePair.GetNumber())].common;
    }
    const PacketWindow& window = queuePair.GetRequester()->GetWindow();
    const Message& next = window.GetQueue().Find(window.GetNext());
    return m_up & FindCommon(next.GetRequest().destination.remoteEndpoint);
}

} // namespace ns3::rdma
