// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/watched-client.h"

#include <utility>

namespace ns3::rdma
{

WatchedClient::WatchedClient(WindowClient& client,
                             const RankGroup& ranks,
                             Look look,
                             std::chrono::milliseconds period)
    : m_client(client),
      m_ranks(ranks),
      m_look(std::move(look)),
      m_period(period),
      m_views(ranks.GetCount())
{
}

bool
WatchedClient::IsDue() const
{
    return Clock::now() - m_latest >= m_period;
}

RunView
WatchedClient::GetView()
{
    if (IsDue())
    {
        m_latest = Clock::now();
        m_views[m_ranks.GetRank()] = m_look();
    }
    RunView all;
    for (const RunView& view : m_views)
    {
        all.Add(view);
    }
    return all;
}

WindowState
WatchedClient::GetState(bool isDue) const
{
    return m_client.GetState(isDue);
}

void
WatchedClient::Pack(uint32_t rank, ByteBuffer& buffer)
{
    m_client.Pack(rank, buffer);
    if (rank != 0)
    {
        return;
    }
    Message message{m_ranks.GetRank(), IsDue(), {}};
    if (message.hasView)
    {
        m_latest = Clock::now();
        message.view = m_look();
    }
    buffer.Put(message);
}

void
WatchedClient::Unpack(ByteReader& reader)
{
    m_client.Unpack(reader);
    if (m_ranks.GetRank() != 0)
    {
        return;
    }
    const auto message = reader.Get<Message>();
    if (message.hasView)
    {
        m_views[message.rank] = message.view;
    }
}

void
WatchedClient::OnWindow(const WindowState& all, Tick end)
{
    m_client.OnWindow(all, end);
}

Tick
WatchedClient::GetSampleTime() const
{
    return m_client.GetSampleTime();
}

void
WatchedClient::Sample()
{
    m_client.Sample();
}

void
WatchedClient::SkipIdle(const WindowState& all)
{
    m_client.SkipIdle(all);
}

Tick
WatchedClient::GetDecisionTime() const
{
    return m_client.GetDecisionTime();
}

bool
WatchedClient::Decide(const WindowState& all)
{
    return m_client.Decide(all);
}

} // namespace ns3::rdma
