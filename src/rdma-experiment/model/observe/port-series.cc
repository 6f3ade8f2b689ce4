// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-series.h"

#include <array>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @param counts the columns behind those that identify the port
template <typename Row>
typename RowSeries<Row>::Columns
MakePortTable(const char* file, std::vector<typename RowSeries<Row>::Columns::Column> counts)
{
    using Point = SeriesPoint<Row>;
    std::vector<typename RowSeries<Row>::Columns::Column> columns{
        MakeTimeColumn<Row>(),
        {"node", "", "node id of the port", &Point::node},
        {"port", "", "place of the port in the node's DeviceList", &Point::number},
        {"peer", "", "node at the other end of the link", &Point::peer}};
    columns.insert(columns.end(), counts.begin(), counts.end());
    return {file, std::move(columns), TableScope::RUN};
}

const auto QUEUE_TABLE = MakePortTable<QueueRow>(
    "series/queue.csv",
    {{"bytes", "bytes", "bytes in all queues of the port", &QueueSeries::Point::bytes},
     {"max_bytes",
      "bytes",
      "maximum of them since the previous row",
      &QueueSeries::Point::maxBytes}});

using Traffic = PortSeries::Point;

const auto PORT_TABLE = MakePortTable<TrafficRow>(
    "series/port.csv",
    {{"line_gbps",
      "Gb/s",
      "rate of the link",
      [](const Traffic& point) { return GetRateCell(point.bitRate); }},
     {"gbps",
      "Gb/s",
      "sent at the wire since the previous row, preamble and gap included",
      [](const Traffic& point) {
          return GetRateCell(point.sentBytes - point.before.sentBytes, point.at - point.since);
      }},
     {"marks",
      "",
      "CE marks since the previous row",
      [](const Traffic& point) { return point.marks - point.before.marks; }},
     {"drops",
      "",
      "frames dropped since the previous row",
      [](const Traffic& point) { return point.drops - point.before.drops; }},
     {"pauses_sent",
      "",
      "PFC pause frames sent since the previous row",
      [](const Traffic& point) { return point.pausesSent - point.before.pausesSent; }},
     {"paused_ns",
      "ns",
      "time paused since the previous row, summed over priorities",
      [](const Traffic& point) { return NsCell{point.pausedTime - point.before.pausedTime}; }}});

using ClassPoint = ClassSeries::Point;

const auto CLASS_TABLE = MakePortTable<ClassRow>(
    "series/class.csv",
    {{"class", "", "traffic class", &ClassPoint::classNumber},
     {"bytes", "bytes", "bytes in the queue of the class", &ClassPoint::bytes},
     {"gbps",
      "Gb/s",
      "sent at the wire since the previous row, preamble and gap included",
      [](const ClassPoint& point) {
          return GetRateCell(point.sentBytes - point.before.sentBytes, point.at - point.since);
      }},
     {"marks",
      "",
      "CE marks since the previous row",
      [](const ClassPoint& point) { return point.marks - point.before.marks; }},
     {"drops",
      "",
      "frames dropped since the previous row",
      [](const ClassPoint& point) { return point.drops - point.before.drops; }},
     {"paused_ns", "ns", "time paused since the previous row", [](const ClassPoint& point) {
          return NsCell{point.pausedTime - point.before.pausedTime};
      }}});

/// @return the places in DeviceLists of the ports at both ends of each link. Fabric adds devices to
/// nodes in the order of the links.
std::vector<std::array<uint32_t, 2>>
NumberPorts(const TopologyGraph& graph)
{
    std::vector<uint32_t> devices(graph.isSwitch.size(), 0);
    std::vector<std::array<uint32_t, 2>> numbers;
    for (const GraphLink& link : graph.links)
    {
        const uint32_t a = devices[graph.GetEndpoint(link.a).server]++;
        const uint32_t b = devices[graph.GetEndpoint(link.b).server]++;
        numbers.push_back({a, b});
    }
    return numbers;
}
} // namespace

std::vector<SampledPort>
FindSampledPorts(const SeriesRequest& request,
                 Fabric& fabric,
                 const std::function<bool(uint32_t node)>& isHere,
                 Tick begin)
{
    const TopologyGraph& graph = fabric.GetGraph();
    const auto numbers = NumberPorts(graph);
    std::vector<SampledPort> ports;
    for (std::size_t place = 0; place < request.ports.size(); ++place)
    {
        const auto [link, end] = request.ports[place];
        const std::array<uint32_t, 2> ends{graph.links[link].a, graph.links[link].b};
        if (isHere(ends[end]))
        {
            FabricPort& port = fabric.GetLinkPort(link, end);
            port.StartCounters();
            // For an endpoint, the node is its server.
            ports.push_back({&port,
                             {{place, begin},
                              graph.GetEndpoint(ends[end]).server,
                              numbers[link][end],
                              graph.GetEndpoint(ends[1 - end]).server}});
        }
    }
    return ports;
}

QueueSeries::QueueSeries(std::vector<SampledPort> ports, std::size_t allPorts)
    : RowSeries(QUEUE_TABLE, allPorts),
      m_ports(std::move(ports))
{
}

std::vector<QueueRow>
QueueSeries::MakeRows(Tick, const SeriesInput&) const
{
    std::vector<QueueRow> rows;
    for (const auto& [port, row] : m_ports)
    {
        const uint32_t most = port->TakeMaxQueueBytes();
        rows.push_back({row, port->GetTotalQueueBytes(), most});
    }
    return rows;
}

PortSeries::PortSeries(std::vector<SampledPort> ports, std::size_t allPorts)
    : RowSeries(PORT_TABLE, allPorts),
      m_ports(std::move(ports))
{
}

std::vector<TrafficRow>
PortSeries::MakeRows(Tick at, const SeriesInput&) const
{
    std::vector<TrafficRow> rows;
    for (const auto& [port, row] : m_ports)
    {
        const PortCounters& counters = *port->GetCounters();
        rows.push_back({row,
                        port->GetRate().GetBitRate(),
                        counters.sentBytes,
                        counters.marks,
                        counters.drops,
                        counters.pausesSent,
                        port->GetPausedTime(at)});
    }
    return rows;
}

ClassSeries::ClassSeries(std::vector<SampledPort> ports, std::size_t allPorts)
    : RowSeries(CLASS_TABLE, allPorts * PRIORITIES),
      m_ports(std::move(ports))
{
    for (SampledPort& port : m_ports)
    {
        port.row.key *= PRIORITIES;
    }
}

std::vector<ClassRow>
ClassSeries::MakeRows(Tick at, const SeriesInput&) const
{
    std::vector<ClassRow> rows;
    for (const auto& [port, row] : m_ports)
    {
        for (uint32_t number = 0; number < PRIORITIES; ++number)
        {
            const PortClassCounters& counters = port->GetCounters()->classes[number];
            const uint32_t queued = port->GetQueueBytes(static_cast<uint8_t>(number));
            const Tick paused = port->GetPausedTime(number, at);
            if (queued + counters.sentBytes + counters.drops == 0 && paused == 0)
            {
                continue;
            }
            PortRow place = row;
            place.key += number;
            rows.push_back({place,
                            number,
                            queued,
                            counters.sentBytes,
                            counters.marks,
                            counters.drops,
                            paused});
        }
    }
    return rows;
}

} // namespace ns3::rdma
