// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"

#include "ns3/field-reader.h"
#include "ns3/link-fields.h"
#include "ns3/topology-check.h"

#include <limits>

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

Announcement
ReadAnnouncement(FieldReader& reader)
{
    if (!reader.Next())
    {
        reader.Fail("a line \"nodes switches links\"", "an empty file");
    }
    reader.ExpectFieldCount(3, "nodes switches links");
    Announcement announcement;
    announcement.line = reader.GetLineNumber();
    announcement.nodes = static_cast<uint32_t>(
        reader.GetUnsigned(0, "a number of nodes", 2, HpccTopologyFile::MAX_NODES));
    announcement.switches =
        static_cast<uint32_t>(reader.GetUnsigned(1, "a number of switches", 0, announcement.nodes));
    announcement.links =
        reader.GetUnsigned(2, "a number of links", 1, std::numeric_limits<uint32_t>::max());
    return announcement;
}

void
ReadSwitches(FieldReader& reader, const Announcement& announcement, TopologyGraph& graph)
{
    if (announcement.switches == 0)
    {
        return; // Without switches, line 2 is empty, and empty lines are skipped.
    }
    const std::string expected = std::to_string(announcement.switches) + " switch ids";
    if (!reader.Next())
    {
        reader.Fail("a line with " + expected, "the end of the file (truncated)");
    }
    for (size_t i = 0; i < reader.GetFields().size(); ++i)
    {
        const uint32_t id = ReadNodeField(reader, i, announcement.nodes);
        if (graph.isSwitch[id])
        {
            reader.Fail("each switch id once", std::to_string(id) + " twice");
        }
        graph.isSwitch[id] = true;
    }
    if (reader.GetFields().size() != announcement.switches)
    {
        reader.Fail(expected + " as line " + std::to_string(announcement.line) + " says",
                    std::to_string(reader.GetFields().size()));
    }
}

/// Reports a server's second link with its line number, which is not available in CheckTopology().
void
CheckPortFree(const FieldReader& reader,
              const GraphLink& link,
              const TopologyGraph& graph,
              std::vector<bool>& hasLink)
{
    for (const uint32_t node : {link.a, link.b})
    {
        if (hasLink[node] && !graph.isSwitch[node])
        {
            reader.Fail("only one link for " + graph.GetNodeName(node), "another one");
        }
        hasLink[node] = true;
    }
}

} // namespace

TopologyGraph
HpccTopologyFile::Read(const std::string& path)
{
    FieldReader reader(path);
    const Announcement announcement = ReadAnnouncement(reader);
    const std::string expected = std::to_string(announcement.links) + " links as line " +
                                 std::to_string(announcement.line) + " says";
    TopologyGraph graph;
    graph.isSwitch.assign(announcement.nodes, false);
    ReadSwitches(reader, announcement, graph);
    std::vector<bool> hasLink(announcement.nodes, false);
    while (reader.Next())
    {
        if (graph.links.size() == announcement.links)
        {
            reader.Fail("the end of the file after " + expected, "another line");
        }
        graph.links.push_back(ReadLinkFields(reader, announcement.nodes));
        CheckPortFree(reader, graph.links.back(), graph, hasLink);
    }
    if (graph.links.size() < announcement.links)
    {
        reader.Fail(expected,
                    "the end of the file (truncated) after " + std::to_string(graph.links.size()));
    }
    CheckTopology(graph, path + ":" + std::to_string(announcement.line));
    return graph;
}

} // namespace ns3::rdma
