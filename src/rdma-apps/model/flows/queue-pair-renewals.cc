// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-renewals.h"

#include "ns3/input-error.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace ns3::rdma
{

QueuePairRenewals::QueuePairRenewals(const TrafficContext& context,
                                     ProgramConnector& connector,
                                     Tick time)
    : m_context(context),
      m_connector(connector),
      m_engine(*context.fabric->GetCore().engine),
      m_half(time / 2),
      m_target(m_engine.Register(this))
{
    const Tick shortest = std::max<Tick>(m_context.fabric->GetMaxBaseRtt(0, 0), 2);
    if (time < shortest)
    {
        m_engine.Unregister(m_target);
        throw InputError("expected a renewal of at least the longest round trip, " +
                         FormatTime(PicoSeconds(shortest)) + ", got " +
                         FormatTime(PicoSeconds(time)));
    }
}

QueuePairRenewals::~QueuePairRenewals()
{
    m_engine.Unregister(m_target);
}

uint32_t
QueuePairRenewals::Add(const ProgramConnection& connection, const QueuePairAttributes& attributes)
{
    const auto number = static_cast<uint32_t>(m_ends.size());
    for (const ProgramEnd* place : {&connection.src, &connection.dst})
    {
        End end;
        end.place = *place;
        end.attributes = attributes;
        end.port = m_context.fabric->GetCore().endpoints.Get(place->endpoint).port;
        m_ends.push_back(end);
    }
    return number;
}

void
QueuePairRenewals::Watch(uint32_t end, const QueuePairInit& init, RenewalHandler& handler)
{
    m_ends[end].init = init;
    m_ends[end].handler = &handler;
}

uint32_t
QueuePairRenewals::ChoosePort(const End& end) const
{
    const RdmaNic& nic = *end.place.nic;
    const uint32_t count = nic.GetPortCount();
    for (uint32_t step = 1; step < count; ++step)
    {
        const uint32_t port = (end.port + step) % count;
        if (nic.GetDevice(port)->IsLinkUp())
        {
            return port;
        }
    }
    return end.port;
}

void
QueuePairRenewals::OnError(uint32_t number)
{
    End& end = m_ends[number];
    if (end.state != State::READY)
    {
        return;
    }
    const Tick now = m_engine.Now();
    Follow(number, number, now, ChoosePort(end));
    Send({now + m_half, now, 0, GetPeer(number), end.renewals, end.port, false});
}

void
QueuePairRenewals::Follow(uint32_t number, uint32_t leader, Tick brokenAt, uint32_t port)
{
    End& end = m_ends[number];
    end.state = State::BROKEN;
    end.leader = leader;
    end.brokenAt = brokenAt;
    end.port = port;
    m_engine.Schedule(brokenAt + m_half, FabricEngine::MakeOwner(m_target, QUIT), number);
}

void
QueuePairRenewals::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == QUIT)
    {
        Quit(argument);
        return;
    }
    while (!m_heap.empty() && m_heap.front().at <= m_engine.Now())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        const Notice notice = m_heap.back();
        m_heap.pop_back();
        Handle(notice);
    }
}

void
QueuePairRenewals::Handle(const Notice& notice)
{
    End& end = m_ends[notice.end];
    if (notice.renewal != end.renewals)
    {
        return; // Of a queue pair that is renewed already.
    }
    if (notice.isCount)
    {
        Renew(notice.end, notice.consumed);
        return;
    }
    // If both ends have failed, the one that failed first leads.
    const uint32_t peer = GetPeer(notice.end);
    if (end.state == State::READY ||
        std::tie(notice.brokenAt, peer) < std::tie(end.brokenAt, end.leader))
    {
        Follow(notice.end, peer, notice.brokenAt, notice.port);
    }
}

void
QueuePairRenewals::Quit(uint32_t number)
{
    End& end = m_ends[number];
    if (end.state != State::BROKEN || end.brokenAt + m_half != m_engine.Now())
    {
        return; // It leads no more.
    }
    end.state = State::DESTROYED;
    end.handler->OnQuit(number);
    m_connector.Unmake(end.place);
    Send({end.brokenAt + 2 * m_half,
          end.brokenAt,
          end.consumed,
          GetPeer(number),
          end.renewals,
          end.port,
          true});
}

void
QueuePairRenewals::Renew(uint32_t number, uint64_t consumedByPeer)
{
    End& end = m_ends[number];
    const EndpointMap& endpoints = m_context.fabric->GetCore().endpoints;
    const uint32_t remote = endpoints.FindPort(end.place.connection.remoteEndpoint, end.port);
    const uint32_t own = endpoints.FindPort(end.place.endpoint, end.port);
    if (remote != EndpointMap::NONE && own != EndpointMap::NONE)
    {
        end.place.connection.remoteEndpoint = remote;
        end.place.endpoint = own;
    }
    end.state = State::READY;
    end.consumed = 0;
    ++end.renewals;
    // Late packets of the former queue pair are far from those of the new one.
    constexpr uint32_t PSN_STEP{1 << 20};
    constexpr uint32_t PSNS{1 << 24};
    end.place.connection.initialPsn = end.renewals * PSN_STEP % PSNS;
    ++m_counts.queuePairs;
    m_connector.Make(end.place, end.init, end.attributes);
    end.handler->OnRenewed(number, consumedByPeer);
}

void
QueuePairRenewals::Send(const Notice& notice)
{
    if (m_ends[notice.end].place.isHere)
    {
        Enter(notice);
        return;
    }
    m_sent.push_back(notice);
    m_earliestSent = std::min(m_earliestSent, notice.at);
}

bool
QueuePairRenewals::IsLater(const Notice& left, const Notice& right)
{
    return std::tie(left.at, left.end, left.isCount) > std::tie(right.at, right.end, right.isCount);
}

void
QueuePairRenewals::Enter(const Notice& notice)
{
    m_heap.push_back(notice);
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    m_engine.Schedule(notice.at, FabricEngine::MakeOwner(m_target, NOTICE), 0);
}

void
QueuePairRenewals::AddTo(WindowState& state) const
{
    state.nextTime = std::min(state.nextTime, m_earliestSent);
}

void
QueuePairRenewals::Pack(uint32_t rank, ByteBuffer& buffer)
{
    m_packed.resize(std::max<std::size_t>(m_packed.size(), rank + 1), 0);
    buffer.Put(std::vector<Notice>(m_sent.begin() + static_cast<std::ptrdiff_t>(m_packed[rank]),
                                   m_sent.end()));
    m_packed[rank] = m_sent.size();
}

void
QueuePairRenewals::Unpack(ByteReader& reader)
{
    for (const Notice& notice : reader.Get<std::vector<Notice>>())
    {
        if (m_ends[notice.end].place.isHere)
        {
            Enter(notice);
        }
    }
}

void
QueuePairRenewals::OnWindow()
{
    m_earliestSent = TICK_NEVER;
}

nlohmann::ordered_json
WriteCounts(const RenewalCounts& counts)
{
    return {{"queue_pairs", counts.queuePairs},
            {"repeated", counts.repeated},
            {"spared", counts.spared}};
}

RenewalCounts
CollectCounts(RankGroup& ranks, QueuePairRenewals& renewals)
{
    std::vector<RenewalCounts> counts{renewals.GetCounts()};
    ranks.CollectAtFirst(counts);
    RenewalCounts sum;
    for (const RenewalCounts& one : counts)
    {
        sum.Add(one);
    }
    return sum;
}

} // namespace ns3::rdma
