// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clear-to-send-graph.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t PARTS{2}; ///< Entry and piece.

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
      m_connections(m_graph->MakeConnections()),
      m_incoming(m_graph->GetRanks())
{
    for (uint32_t connection = 0; connection < m_connections.size(); ++connection)
    {
        m_incoming[m_connections[connection].dst].push_back(connection);
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
    return m_graph->GetCount() * m_rules.pieces * PARTS;
}

ClearToSendGraph::Part
ClearToSendGraph::FindPart(uint64_t id) const
{
    const uint64_t piece = id / PARTS;
    return {piece / m_rules.pieces, static_cast<uint32_t>(piece % m_rules.pieces), id % PARTS == 0};
}

uint64_t
ClearToSendGraph::GetNumber(const Part& part) const
{
    return (part.message * m_rules.pieces + part.piece) * PARTS + (part.isEntry ? 0 : 1);
}

RankMessage
ClearToSendGraph::Get(uint64_t id) const
{
    const Part part = FindPart(id);
    RankMessage message = m_graph->Get(part.message);
    if (part.isEntry)
    {
        const bool isFirst = GetPlace(id) < m_rules.window;
        std::swap(message.src, message.dst);
        message.bytes = ENTRY_BYTES;
        message.isControl = true;
        message.connection += static_cast<uint32_t>(m_connections.size());
        message.predecessors = isFirst ? 0 : 1;
        return message;
    }
    message.bytes =
        GetNcclWireBytes(m_rules.protocol, GetPartBytes(message.bytes, m_rules.pieces, part.piece));
    message.hasSeparateNotice = message.bytes > m_rules.separateNoticeBytes;
    ++message.predecessors;
    return message;
}

void
ClearToSendGraph::VisitEntry(uint32_t connection, uint64_t place, const Visitor& visit) const
{
    if (place < m_connections[connection].messages * m_rules.pieces)
    {
        const uint64_t message = m_graph->Find(connection, place / m_rules.pieces);
        visit(GetNumber({message, static_cast<uint32_t>(place % m_rules.pieces), true}));
    }
}

void
ClearToSendGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (const uint32_t connection : m_incoming[rank])
    {
        for (uint32_t place = 0; place < m_rules.window; ++place)
        {
            VisitEntry(connection, place, visit);
        }
    }
}

void
ClearToSendGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    const Part part = FindPart(id);
    if (part.isEntry)
    {
        visit(id + 1);
        return;
    }
    VisitEntry(m_graph->Get(part.message).connection, GetPlace(id) + m_rules.window, visit);
    if (part.piece + 1 == m_rules.pieces)
    {
        m_graph->ForEachDependent(part.message, [this, &visit](uint64_t dependent) {
            for (uint32_t piece = 0; piece < m_rules.pieces; ++piece)
            {
                visit(GetNumber({dependent, piece, false}));
            }
        });
    }
}

bool
ClearToSendGraph::HasSenderDependencies() const
{
    return m_graph->HasSenderDependencies();
}

std::vector<RankConnection>
ClearToSendGraph::MakeConnections() const
{
    std::vector<RankConnection> connections = m_connections;
    for (RankConnection& connection : connections)
    {
        connection.messages *= m_rules.pieces;
    }
    for (uint32_t forward = 0; forward < m_connections.size(); ++forward)
    {
        RankConnection back = connections[forward];
        std::swap(back.src, back.dst);
        back.reverseOf = forward;
        connections.push_back(back);
    }
    return connections;
}

uint64_t
ClearToSendGraph::GetPlace(uint64_t id) const
{
    const Part part = FindPart(id);
    return m_graph->GetPlace(part.message) * m_rules.pieces + part.piece;
}

uint64_t
ClearToSendGraph::Find(uint32_t connection, uint64_t place) const
{
    const auto forward = static_cast<uint32_t>(m_connections.size());
    const uint64_t message = m_graph->Find(connection % forward, place / m_rules.pieces);
    const auto piece = static_cast<uint32_t>(place % m_rules.pieces);
    return GetNumber({message, piece, connection >= forward});
}

Tick
ClearToSendGraph::FindBound(const PathTimes& times) const
{
    return m_graph->FindBound(FlaggedTimes(times, m_rules.protocol));
}

} // namespace ns3::rdma
