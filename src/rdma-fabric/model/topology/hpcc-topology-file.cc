// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"

#include "ns3/counted-lines.h"
#include "ns3/field-reader.h"
#include "ns3/link-fields.h"
#include "ns3/server-ports.h"
#include "ns3/topology-check.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// The numbers in line 1.
struct Announcement
{
    uint64_t line{0};
    uint32_t nodes{0};
    uint32_t switches{0};
    uint64_t links{0};
};

/// Fields of line 1: of HPCC, of PowerTCP, of Reverie.
constexpr size_t HPCC_FIELDS{3};
constexpr size_t POWERTCP_FIELDS{4};
constexpr size_t REVERIE_FIELDS{6};

/// @throws InputError unless line 1 is that of a known simulator
void
CheckForm(const FieldReader& reader)
{
    const size_t count = reader.GetFields().size();
    if (count != HPCC_FIELDS && count != POWERTCP_FIELDS && count != REVERIE_FIELDS)
    {
        reader.Fail("3 numbers (nodes switches links), 4 (nodes switches ToRs links) or 6 (nodes "
                    "switches ToRs links rate rate)",
                    std::to_string(count) + (count == 1 ? " field" : " fields"));
    }
    if (count != REVERIE_FIELDS)
    {
        return;
    }
    constexpr std::string_view DIGITS{"0123456789."};
    for (size_t i = POWERTCP_FIELDS; i < REVERIE_FIELDS; ++i)
    {
        if (reader.GetFields()[i].find_first_not_of(DIGITS) != std::string_view::npos)
        {
            reader.Fail("a rate in bit/s (a file of SimAI, which has the type of a GPU there, is "
                        "topology \"simai-file\")",
                        FieldReader::Quote(reader.GetFields()[i]));
        }
    }
}

Announcement
ReadAnnouncement(FieldReader& reader)
{
    if (!reader.Next())
    {
        reader.Fail("a line \"nodes switches links\"", "an empty file");
    }
    CheckForm(reader);
    Announcement announcement;
    announcement.line = reader.GetLineNumber();
    announcement.nodes = static_cast<uint32_t>(
        reader.GetUnsigned(0, "a number of nodes", 2, HpccTopologyFile::MAX_NODES));
    announcement.switches =
        static_cast<uint32_t>(reader.GetUnsigned(1, "a number of switches", 0, announcement.nodes));
    const bool hasTors = reader.GetFields().size() > HPCC_FIELDS;
    if (hasTors)
    {
        reader.GetUnsigned(2, "a number of ToRs", 0, announcement.switches);
    }
    announcement.links = reader.GetUnsigned(hasTors ? 3 : 2,
                                            "a number of links",
                                            1,
                                            std::numeric_limits<uint32_t>::max());
    return announcement;
}

/// Reads the ids of the switches, which may be on several lines.
void
ReadSwitches(FieldReader& reader, const Announcement& announcement, TopologyGraph& graph)
{
    const std::string expected = std::to_string(announcement.switches) + " switch ids";
    size_t done = 0;
    while (done < announcement.switches)
    {
        if (!reader.Next())
        {
            reader.Fail("a line with " + expected, "the end of the file (truncated)");
        }
        const size_t fields = reader.GetFields().size();
        if (done + fields > announcement.switches)
        {
            reader.Fail(expected + " as line " + std::to_string(announcement.line) + " says",
                        std::to_string(done + fields));
        }
        for (size_t i = 0; i < fields; ++i, ++done)
        {
            const uint32_t id = ReadNodeField(reader, i, announcement.nodes);
            if (graph.isSwitch[id])
            {
                reader.Fail("each switch id once", std::to_string(id) + " twice");
            }
            graph.isSwitch[id] = true;
        }
    }
}

/// Gives servers with several links a port or a NIC for each of them, in the order of the links.
class EndpointMaker
{
  public:
    EndpointMaker(const FieldReader& reader, TopologyGraph& graph)
        : m_reader(reader),
          m_graph(graph),
          m_ends(graph.isSwitch.size())
    {
    }

    /// The last link of the graph is that of the current line.
    void AddLink()
    {
        const auto number = static_cast<uint32_t>(m_graph.links.size() - 1);
        GraphLink& link = m_graph.links.back();
        for (uint32_t* end : {&link.a, &link.b})
        {
            if (!m_graph.isSwitch[*end])
            {
                AddEnd(*end, {number, end == &link.a, m_reader.GetLineNumber()});
            }
        }
    }

    /// All links are there.
    void Finish()
    {
        for (uint32_t server = 0; server < m_ends.size(); ++server)
        {
            CheckForwarding(server);
        }
        const bool hasPlanes = HasPlanes();
        for (uint32_t server = 0; server < m_ends.size(); ++server)
        {
            for (uint32_t number = 1; number < m_ends[server].size(); ++number)
            {
                const End& end = m_ends[server][number];
                GraphLink& link = m_graph.links[end.link];
                (end.isFirst ? link.a : link.b) = m_graph.GetIdCount();
                m_graph.endpoints.push_back(
                    {server, hasPlanes ? 0 : number, hasPlanes ? number : 0});
            }
        }
    }

  private:
    /// An end of a link at a server.
    struct End
    {
        uint32_t link; ///< In the graph.
        bool isFirst;  ///< GraphLink::a, not b.
        uint64_t line; ///< In the file.
    };

    /// @return whether links are ports of one NIC, which needs the same number for each server.
    bool HasPlanes() const
    {
        const std::vector<uint32_t> servers = m_graph.GetServers();
        const size_t count = servers.empty() ? 0 : m_ends[servers.front()].size();
        return count <= ServerPorts::MAX_PORTS &&
               std::all_of(servers.begin(), servers.end(), [this, count](uint32_t server) {
                   return m_ends[server].size() == count;
               });
    }

    void AddEnd(uint32_t server, const End& end)
    {
        if (m_ends[server].size() == ServerPorts::MAX_NICS)
        {
            m_reader.Fail("at most " + std::to_string(ServerPorts::MAX_NICS) + " links of " +
                              m_graph.GetNodeName(server),
                          "another one");
        }
        m_ends[server].push_back(end);
    }

    /// Reports a link between servers, one of which has several links.
    void CheckForwarding(uint32_t server) const
    {
        for (const End& end : m_ends[server])
        {
            const GraphLink& link = m_graph.links[end.link];
            const uint32_t other = end.isFirst ? link.b : link.a;
            if (m_ends[server].size() > 1 && !m_graph.isSwitch[other])
            {
                m_reader.FailAt(end.line,
                                "links to switches for " + m_graph.GetNodeName(server) +
                                    ", which has several (servers do not forward frames)",
                                "one to " + m_graph.GetNodeName(other));
            }
        }
    }

    const FieldReader& m_reader;
    TopologyGraph& m_graph;
    std::vector<std::vector<End>> m_ends; ///< By node id; empty for switches.
};

} // namespace

HpccTopology
HpccTopologyFile::Read(const std::string& path)
{
    FieldReader reader(path);
    const Announcement announcement = ReadAnnouncement(reader);
    CountedLines lines(reader, announcement.line, announcement.links, "links");
    HpccTopology topology;
    TopologyGraph& graph = topology.graph;
    graph.isSwitch.assign(announcement.nodes, false);
    ReadSwitches(reader, announcement, graph);
    EndpointMaker endpoints(reader, graph);
    while (lines.Next())
    {
        graph.links.push_back(ReadLinkFields(reader, announcement.nodes));
        endpoints.AddLink();
    }
    endpoints.Finish();
    CheckTopology(graph, path + ":" + std::to_string(announcement.line));
    topology.notes = lines.GetNotes();
    return topology;
}

} // namespace ns3::rdma
