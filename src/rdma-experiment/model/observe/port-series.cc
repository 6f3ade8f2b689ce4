// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-series.h"

namespace ns3::rdma
{

namespace
{
const TableSchema QUEUE_TABLE{"series/queue.csv",
                              {{"time_ns", "ns", "time of the sample", ColumnType::REAL},
                               {"node", "", "node id of the port"},
                               {"port", "", "place of the port in the node's DeviceList"},
                               {"peer", "", "node at the other end of the link"},
                               {"bytes", "bytes", "bytes in all queues of the port"},
                               {"max_bytes", "bytes", "maximum of them since the previous row"}},
                              TableScope::RUN};

const TableSchema PORT_TABLE{"series/port.csv",
                             {{"time_ns", "ns", "time of the sample", ColumnType::REAL},
                              {"node", "", "node id of the port"},
                              {"port", "", "place of the port in the node's DeviceList"},
                              {"peer", "", "node at the other end of the link"},
                              {"line_gbps", "Gb/s", "rate of the link", ColumnType::REAL},
                              {"gbps",
                               "Gb/s",
                               "sent at the wire since the previous row, preamble and gap included",
                               ColumnType::REAL},
                              {"marks", "", "CE marks since the previous row"},
                              {"drops", "", "frames dropped since the previous row"},
                              {"pauses_sent", "", "PFC pause frames sent since the previous row"},
                              {"paused_ns",
                               "ns",
                               "time paused since the previous row, summed over priorities",
                               ColumnType::REAL}},
                             TableScope::RUN};
} // namespace

PortSeries::PortSeries(const SeriesRequest& request,
                       Fabric& fabric,
                       const std::function<bool(uint32_t node)>& isHere,
                       Tick begin)
    : m_request(request),
      m_fabric(fabric),
      m_begin(begin),
      m_queues(request.ports.size()),
      m_traffic(request.ports.size())
{
    NumberPorts();
    for (uint32_t place = 0; place < request.ports.size(); ++place)
    {
        if (isHere(GetEnd(place)))
        {
            FabricPort& port = GetPort(place);
            port.StartCounters();
            m_followed.push_back({place, &port});
        }
    }
}

uint32_t
PortSeries::GetEnd(std::size_t place) const
{
    const auto [link, end] = m_request.ports[place];
    const GraphLink& ends = m_fabric.GetGraph().links[link];
    return end == 0 ? ends.a : ends.b;
}

void
PortSeries::NumberPorts()
{
    // As Fabric adds devices to nodes: in the order of the links.
    const TopologyGraph& graph = m_fabric.GetGraph();
    std::vector<uint32_t> devices(graph.isSwitch.size(), 0);
    std::vector<std::array<uint32_t, 2>> numbers;
    for (const GraphLink& link : graph.links)
    {
        const uint32_t a = devices[graph.GetEndpoint(link.a).server]++;
        const uint32_t b = devices[graph.GetEndpoint(link.b).server]++;
        numbers.push_back({a, b});
    }
    for (const auto& [link, end] : m_request.ports)
    {
        m_numbers.push_back(numbers[link][end]);
    }
}

FabricPort&
PortSeries::GetPort(std::size_t place) const
{
    return m_fabric.GetLinkPort(m_request.ports[place].link, m_request.ports[place].end);
}

void
PortSeries::Sample(Tick at)
{
    std::vector<QueueRow> queues;
    std::vector<TrafficRow> traffic;
    for (const auto& [place, port] : m_followed)
    {
        if (m_request.hasQueue)
        {
            const uint32_t most = port->TakeMaxQueueBytes();
            queues.push_back({place, port->GetTotalQueueBytes(), most});
        }
        if (m_request.hasPort)
        {
            const PortCounters& counters = *port->GetCounters();
            traffic.push_back({place,
                               counters.sentBytes,
                               counters.marks,
                               counters.drops,
                               counters.pausesSent,
                               port->GetPausedTime(at)});
        }
    }
    m_queues.Add(at, std::move(queues));
    m_traffic.Add(at, std::move(traffic));
}

void
PortSeries::MergeNewest()
{
    m_queues.MergeNewest();
    m_traffic.MergeNewest();
}

void
PortSeries::Pack(ByteBuffer& buffer) const
{
    m_queues.Pack(buffer);
    m_traffic.Pack(buffer);
}

void
PortSeries::Unpack(ByteReader& reader)
{
    m_queues.Unpack(reader, m_request.ports.size());
    m_traffic.Unpack(reader, m_request.ports.size());
}

void
PortSeries::AddPort(std::size_t place, SeriesText& text) const
{
    const TopologyGraph& graph = m_fabric.GetGraph();
    const auto [link, end] = m_request.ports[place];
    const GraphLink& ends = graph.links[link];
    // For an endpoint, the node is its server.
    text.Add(graph.GetEndpoint(GetEnd(place)).server)
        .Add(m_numbers[place])
        .Add(graph.GetEndpoint(end == 0 ? ends.b : ends.a).server);
}

void
PortSeries::WriteQueues(const std::filesystem::path& folder) const
{
    SeriesText text(QUEUE_TABLE);
    for (const auto& block : m_queues.GetBlocks())
    {
        for (const QueueRow& row : block.rows)
        {
            AddPort(row.port, text.AddTime(block.at));
            text.Add(row.bytes).Add(row.maxBytes).EndLine();
        }
    }
    text.Write(folder / "queue.csv");
}

void
PortSeries::WriteTraffic(const std::filesystem::path& folder) const
{
    SeriesText text(PORT_TABLE);
    std::vector<TrafficRow> before(m_request.ports.size(), TrafficRow{});
    Tick last = m_begin;
    for (const auto& block : m_traffic.GetBlocks())
    {
        for (const TrafficRow& row : block.rows)
        {
            TrafficRow& earlier = before[row.port];
            AddPort(row.port, text.AddTime(block.at));
            text.AddRate(GetPort(row.port).GetRate().GetBitRate())
                .AddRate(row.sentBytes - earlier.sentBytes, block.at - last)
                .Add(row.marks - earlier.marks)
                .Add(row.drops - earlier.drops)
                .Add(row.pausesSent - earlier.pausesSent)
                .AddTime(row.pausedTime - earlier.pausedTime)
                .EndLine();
            earlier = row;
        }
        last = block.at;
    }
    text.Write(folder / "port.csv");
}

void
PortSeries::Write(const std::filesystem::path& folder) const
{
    if (m_request.hasQueue)
    {
        WriteQueues(folder);
    }
    if (m_request.hasPort)
    {
        WriteTraffic(folder);
    }
}

} // namespace ns3::rdma
