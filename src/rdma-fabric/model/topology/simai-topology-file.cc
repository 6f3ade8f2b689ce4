// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simai-topology-file.h"

#include "ns3/field-reader.h"
#include "ns3/link-fields.h"
#include "ns3/server-ports.h"
#include "ns3/topology-check.h"

#include <limits>

namespace ns3::rdma
{

namespace
{

/// Line 1.
struct Announcement
{
    uint64_t line{0};
    uint32_t nodes{0};
    uint32_t gpusPerServer{0};
    uint32_t nvSwitches{0};
    uint32_t switches{0};
    uint64_t links{0};

    uint32_t GetGpuCount() const
    {
        return nodes - nvSwitches - switches;
    }
};

enum class Role
{
    GPU,
    NV_SWITCH,
    SWITCH
};

/// Reads one file.
class Parser
{
  public:
    explicit Parser(const std::string& path)
        : m_reader(path)
    {
        ReadAnnouncement();
        ReadRoles();
        NumberNodes();
        ReadLinks();
        AddEndpoints();
        CheckTopology(m_graph, path + ":" + std::to_string(m_announcement.line));
    }

    TopologyGraph& GetGraph()
    {
        return m_graph;
    }

  private:
    /// A link of a GPU to a switch.
    struct GpuLink
    {
        std::size_t link; ///< In the graph.
        uint32_t gpu;     ///< Number in the file.
        uint32_t port;    ///< Number of earlier such links of this GPU.
    };

    void ReadAnnouncement()
    {
        constexpr std::string_view FORM{"nodes gpus-per-server nvswitches switches links gpu-type"};
        if (!m_reader.Next())
        {
            m_reader.Fail("a line \"" + std::string(FORM) + '"', "an empty file");
        }
        m_reader.ExpectFieldCount(6, FORM);
        const auto read = [this](size_t index, const char* what, uint64_t low, uint64_t high) {
            return static_cast<uint32_t>(m_reader.GetUnsigned(index, what, low, high));
        };
        m_announcement.line = m_reader.GetLineNumber();
        m_announcement.nodes = read(0, "a number of nodes", 2, SimaiTopologyFile::MAX_NODES);
        m_announcement.gpusPerServer =
            read(1, "a number of GPUs per server", 1, ServerPorts::MAX_NICS);
        m_announcement.nvSwitches = read(2, "a number of NVSwitches", 0, m_announcement.nodes);
        m_announcement.switches =
            read(3, "a number of switches", 0, m_announcement.nodes - m_announcement.nvSwitches);
        m_announcement.links =
            m_reader.GetUnsigned(4, "a number of links", 1, std::numeric_limits<uint32_t>::max());
    }

    void ReadRoles()
    {
        m_roles.assign(m_announcement.nodes, Role::GPU);
        const uint32_t count = m_announcement.nvSwitches + m_announcement.switches;
        const std::string expected = std::to_string(count) + " ids of NVSwitches and switches";
        uint32_t done = 0;
        while (done < count)
        {
            if (!m_reader.Next())
            {
                m_reader.Fail(expected,
                              "the end of the file (truncated) after " + std::to_string(done));
            }
            const std::size_t fields = m_reader.GetFields().size();
            if (done + fields > count)
            {
                m_reader.Fail(expected + " as line " + std::to_string(m_announcement.line) +
                                  " says",
                              std::to_string(done + fields));
            }
            for (std::size_t i = 0; i < fields; ++i, ++done)
            {
                const uint32_t id = ReadNodeField(m_reader, i, m_announcement.nodes);
                if (m_roles[id] != Role::GPU)
                {
                    m_reader.Fail("each id once", std::to_string(id) + " twice");
                }
                m_roles[id] = done < m_announcement.nvSwitches ? Role::NV_SWITCH : Role::SWITCH;
            }
        }
        for (uint32_t id = 0; id < m_announcement.GetGpuCount(); ++id)
        {
            if (m_roles[id] != Role::GPU)
            {
                m_reader.Fail("GPUs as nodes 0 to " +
                                  std::to_string(m_announcement.GetGpuCount() - 1),
                              "switch " + std::to_string(id));
            }
        }
    }

    void NumberNodes()
    {
        const uint32_t gpus = m_announcement.GetGpuCount();
        m_servers = (gpus + m_announcement.gpusPerServer - 1) / m_announcement.gpusPerServer;
        m_graph.isSwitch.assign(m_servers, false);
        m_graph.isSwitch.resize(m_servers + m_announcement.switches, true);
        m_numbers.assign(m_announcement.nodes, 0);
        uint32_t next = m_servers;
        for (uint32_t id = gpus; id < m_announcement.nodes; ++id)
        {
            m_numbers[id] = m_roles[id] == Role::SWITCH ? next++ : 0;
        }
        m_portCounts.assign(gpus, 0);
    }

    void ReadLinks()
    {
        const std::string expected = std::to_string(m_announcement.links) + " links as line " +
                                     std::to_string(m_announcement.line) + " says";
        uint64_t count = 0;
        while (m_reader.Next())
        {
            if (count == m_announcement.links)
            {
                m_reader.Fail("the end of the file after " + expected, "another line");
            }
            m_reader.ExpectLineEnd();
            AddLink(ReadLinkFields(m_reader, m_announcement.nodes));
            ++count;
        }
        if (count < m_announcement.links)
        {
            m_reader.Fail(expected,
                          "the end of the file (truncated) after " + std::to_string(count));
        }
    }

    void AddLink(GraphLink link)
    {
        uint32_t gpu = link.a;
        uint32_t other = link.b;
        if (m_roles[gpu] != Role::GPU)
        {
            std::swap(gpu, other);
        }
        if (m_roles[gpu] == Role::GPU && m_roles[other] == Role::GPU)
        {
            m_reader.Fail("a link to a switch or an NVSwitch",
                          "one between GPUs " + std::to_string(link.a) + " and " +
                              std::to_string(link.b));
        }
        const bool leadsToNvSwitch =
            m_roles[gpu] == Role::NV_SWITCH || m_roles[other] == Role::NV_SWITCH;
        if (leadsToNvSwitch && m_roles[gpu] != Role::GPU)
        {
            m_reader.Fail("links of NVSwitches to GPUs",
                          "one between " + std::to_string(link.a) + " and " +
                              std::to_string(link.b));
        }
        if (leadsToNvSwitch)
        {
            return; // Links within a server are not modelled.
        }
        link.a = m_numbers[link.a];
        link.b = m_numbers[link.b];
        if (m_roles[gpu] == Role::GPU)
        {
            // The endpoint's id is known when all links are.
            link.a = 0;
            link.b = m_numbers[other];
            m_gpuLinks.push_back({m_graph.links.size(), gpu, m_portCounts[gpu]++});
        }
        m_graph.links.push_back(link);
    }

    void AddEndpoints()
    {
        const uint32_t ports = m_portCounts.empty() ? 0 : m_portCounts[0];
        for (uint32_t gpu = 0; gpu < m_portCounts.size(); ++gpu)
        {
            if (m_portCounts[gpu] != ports || ports == 0 || ports > ServerPorts::MAX_PORTS)
            {
                m_reader.FailAt(m_announcement.line,
                                "the same number of links to switches for each GPU, from 1 to " +
                                    std::to_string(ServerPorts::MAX_PORTS),
                                std::to_string(m_portCounts[gpu]) + " for GPU " +
                                    std::to_string(gpu) + " and " + std::to_string(ports) +
                                    " for GPU 0");
            }
        }
        // By GPU and port: the endpoint's id, that of the server for its first port.
        std::vector<uint32_t> ids;
        for (uint32_t gpu = 0; gpu < m_portCounts.size(); ++gpu)
        {
            const uint32_t server = gpu / m_announcement.gpusPerServer;
            const uint32_t nic = gpu % m_announcement.gpusPerServer;
            for (uint32_t port = 0; port < ports; ++port)
            {
                const bool isFirst = nic == 0 && port == 0;
                ids.push_back(isFirst ? server : m_graph.GetIdCount());
                if (!isFirst)
                {
                    m_graph.endpoints.push_back({server, nic, port});
                }
            }
        }
        for (const GpuLink& link : m_gpuLinks)
        {
            m_graph.links[link.link].a = ids[link.gpu * ports + link.port];
        }
    }

    FieldReader m_reader;
    Announcement m_announcement;
    uint32_t m_servers{0};
    std::vector<Role> m_roles;          ///< By id in the file.
    std::vector<uint32_t> m_numbers;    ///< By id in the file: node id of a switch.
    std::vector<uint32_t> m_portCounts; ///< By GPU: links to switches.
    std::vector<GpuLink> m_gpuLinks;
    TopologyGraph m_graph;
};

} // namespace

TopologyGraph
SimaiTopologyFile::Read(const std::string& path)
{
    return std::move(Parser(path).GetGraph());
}

} // namespace ns3::rdma
