// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clear-to-send-graph.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t KINDS{2}; ///< Entry and piece.

/// Times of messages with the flags of a protocol.
class FlaggedTimes : public PathTimes
{
  public:
    FlaggedTimes(const PathTimes& times, NcclProtocol protocol)
        : m_times(times),
          m_protocol(protocol)
    {
    }

    Tick GetArrival(uint32_t src, uint32_t dst, uint64_t bytes) const override
    {
        return m_times.GetArrival(src, dst, GetNcclWireBytes(m_protocol, bytes));
    }

    Tick GetDuration(uint32_t src, uint32_t dst, uint64_t bytes) const override
    {
        return m_times.GetDuration(src, dst, GetNcclWireBytes(m_protocol, bytes));
    }

    bool IsLocal(uint32_t src, uint32_t dst) const override
    {
        return m_times.IsLocal(src, dst);
    }

  private:
    const PathTimes& m_times;
    NcclProtocol m_protocol;
};

} // namespace

ClearToSendGraph::ClearToSendGraph(std::shared_ptr<const OperationGraph> graph,
                                   const ClearToSendRules& rules)
    : m_graph(std::move(graph)),
      m_rules(rules),
      m_parts(rules.schedule ? rules.schedule->GetParts() : 1),
      m_connections(m_graph->MakeConnections()),
      m_outgoing(m_graph->GetRanks()),
      m_incoming(m_graph->GetRanks())
{
    for (uint32_t connection = 0; connection < m_connections.size(); ++connection)
    {
        m_outgoing[m_connections[connection].src].push_back(connection);
        m_incoming[m_connections[connection].dst].push_back(connection);
    }
    if (m_rules.schedule)
    {
        // The connections of each sender are in the order of its rounds.
        const auto rounds = static_cast<uint32_t>(m_outgoing.front().size());
        for (std::vector<uint32_t>& incoming : m_incoming)
        {
            NS_ASSERT_MSG(incoming.size() == rounds, "ranks of a schedule differ in rounds");
            std::sort(incoming.begin(), incoming.end(), [rounds](uint32_t a, uint32_t b) {
                return a % rounds < b % rounds;
            });
        }
    }
}

uint32_t
ClearToSendGraph::GetRanks() const
{
    return m_graph->GetRanks();
}

uint64_t
ClearToSendGraph::GetCount() const
{
    return m_graph->GetCount() * m_parts * m_rules.pieces * KINDS;
}

ClearToSendGraph::Piece
ClearToSendGraph::FindPiece(uint64_t id) const
{
    const uint64_t piece = id / KINDS;
    const uint64_t part = piece / m_rules.pieces;
    return {part / m_parts,
            static_cast<uint32_t>(part % m_parts),
            static_cast<uint32_t>(piece % m_rules.pieces),
            id % KINDS == 0};
}

uint64_t
ClearToSendGraph::GetNumber(const Piece& piece) const
{
    const uint64_t part = piece.message * m_parts + piece.part;
    return (part * m_rules.pieces + piece.piece) * KINDS + (piece.isEntry ? 0 : 1);
}

const NcclLane*
ClearToSendGraph::FindLane(uint32_t connection) const
{
    return m_rules.schedule
               ? &m_rules.schedule->GetLanes()[connection % m_rules.schedule->GetLanes().size()]
               : nullptr;
}

uint32_t
ClearToSendGraph::GetWindow(uint32_t connection) const
{
    const NcclLane* lane = FindLane(connection);
    return lane ? lane->slots : m_rules.window;
}

uint32_t
ClearToSendGraph::CountBefore(uint32_t connection) const
{
    const NcclLane* lane = FindLane(connection);
    return lane ? static_cast<uint32_t>(lane->before.size()) : 0;
}

uint32_t
ClearToSendGraph::FindConnection(const std::vector<uint32_t>& connections, uint32_t lane) const
{
    return connections[lane / m_parts] * m_parts + lane % m_parts;
}

RankMessage
ClearToSendGraph::Get(uint64_t id) const
{
    const Piece piece = FindPiece(id);
    RankMessage message = m_graph->Get(piece.message);
    message.connection = message.connection * m_parts + piece.part;
    const bool isFirst = GetPlace(id) < GetWindow(message.connection);
    const uint32_t before = isFirst ? CountBefore(message.connection) : 0;
    if (piece.isEntry)
    {
        message.predecessors = isFirst ? before : 1;
        message.connection += static_cast<uint32_t>(m_connections.size()) * m_parts;
        std::swap(message.src, message.dst);
        message.bytes = ENTRY_BYTES;
        message.isControl = true;
        return message;
    }
    const uint64_t part = GetPartBytes(message.bytes, m_parts, piece.part);
    message.bytes =
        GetNcclWireBytes(m_rules.protocol, GetPartBytes(part, m_rules.pieces, piece.piece));
    message.hasSeparateNotice = message.bytes > m_rules.separateNoticeBytes;
    message.predecessors = message.predecessors * m_parts + before + 1;
    return message;
}

void
ClearToSendGraph::VisitPlace(uint32_t connection,
                             uint64_t place,
                             bool isEntry,
                             const Visitor& visit) const
{
    const uint32_t whole = connection / m_parts;
    if (place < m_connections[whole].messages * m_rules.pieces)
    {
        const uint64_t message = m_graph->Find(whole, place / m_rules.pieces);
        const auto piece = static_cast<uint32_t>(place % m_rules.pieces);
        visit(GetNumber({message, connection % m_parts, piece, isEntry}));
    }
}

void
ClearToSendGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (const uint32_t whole : m_incoming[rank])
    {
        for (uint32_t part = 0; part < m_parts; ++part)
        {
            const uint32_t connection = whole * m_parts + part;
            const uint32_t window = CountBefore(connection) > 0 ? 0 : GetWindow(connection);
            for (uint32_t place = 0; place < window; ++place)
            {
                VisitPlace(connection, place, true, visit);
            }
        }
    }
}

void
ClearToSendGraph::VisitNextBatch(const RankMessage& message,
                                 uint32_t connection,
                                 const Visitor& visit) const
{
    const NcclLane* lane = FindLane(connection);
    if (!lane)
    {
        return;
    }
    for (const uint32_t next : lane->after)
    {
        const uint32_t incoming = FindConnection(m_incoming[message.dst], next);
        const uint32_t outgoing = FindConnection(m_outgoing[message.src], next);
        const uint32_t window = GetWindow(incoming);
        for (uint32_t place = 0; place < window; ++place)
        {
            VisitPlace(incoming, place, true, visit);
            VisitPlace(outgoing, place, false, visit);
        }
    }
}

void
ClearToSendGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    const Piece piece = FindPiece(id);
    if (piece.isEntry)
    {
        visit(id + 1);
        return;
    }
    const RankMessage message = m_graph->Get(piece.message);
    const uint32_t connection = message.connection * m_parts + piece.part;
    VisitPlace(connection, GetPlace(id) + GetWindow(connection), true, visit);
    if (piece.piece + 1 < m_rules.pieces)
    {
        return;
    }
    VisitNextBatch(message, connection, visit);
    m_graph->ForEachDependent(piece.message, [this, &visit](uint64_t dependent) {
        for (uint32_t part = 0; part < m_parts; ++part)
        {
            for (uint32_t next = 0; next < m_rules.pieces; ++next)
            {
                visit(GetNumber({dependent, part, next, false}));
            }
        }
    });
}

bool
ClearToSendGraph::HasSenderDependencies() const
{
    const auto hasBatches = [this] {
        const auto& lanes = m_rules.schedule->GetLanes();
        return std::any_of(lanes.begin(), lanes.end(), [](const NcclLane& lane) {
            return !lane.before.empty();
        });
    };
    return m_graph->HasSenderDependencies() || (m_rules.schedule && hasBatches());
}

std::vector<RankConnection>
ClearToSendGraph::MakeConnections() const
{
    std::vector<RankConnection> connections;
    connections.reserve(m_connections.size() * m_parts * 2);
    for (const RankConnection& whole : m_connections)
    {
        for (uint32_t part = 0; part < m_parts; ++part)
        {
            RankConnection connection = whole;
            connection.messages *= m_rules.pieces;
            if (const NcclLane* lane = FindLane(static_cast<uint32_t>(connections.size())))
            {
                constexpr uint32_t ALL{NcclPeerSchedule::ALL_WARPS};
                connection.staging = {m_rules.copyBps * lane->sendWarps / ALL,
                                      m_rules.copyBps * lane->receiveWarps / ALL,
                                      lane->slots};
            }
            connections.push_back(connection);
        }
    }
    const auto forward = static_cast<uint32_t>(connections.size());
    for (uint32_t number = 0; number < forward; ++number)
    {
        RankConnection back = connections[number];
        std::swap(back.src, back.dst);
        back.reverseOf = number;
        back.staging = {};
        connections.push_back(back);
    }
    return connections;
}

uint64_t
ClearToSendGraph::GetPlace(uint64_t id) const
{
    const Piece piece = FindPiece(id);
    return m_graph->GetPlace(piece.message) * m_rules.pieces + piece.piece;
}

uint64_t
ClearToSendGraph::Find(uint32_t connection, uint64_t place) const
{
    const auto forward = static_cast<uint32_t>(m_connections.size()) * m_parts;
    const uint32_t number = connection % forward;
    const uint64_t message = m_graph->Find(number / m_parts, place / m_rules.pieces);
    const auto piece = static_cast<uint32_t>(place % m_rules.pieces);
    return GetNumber({message, number % m_parts, piece, connection >= forward});
}

Tick
ClearToSendGraph::FindBound(const PathTimes& times) const
{
    return m_graph->FindBound(FlaggedTimes(times, m_rules.protocol));
}

} // namespace ns3::rdma
