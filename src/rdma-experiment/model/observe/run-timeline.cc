// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-timeline.h"

#include "ns3/byte-buffer.h"
#include "ns3/drop-reason.h"
#include "ns3/fabric-port.h"
#include "ns3/flow-number.h"
#include "ns3/port-traces.h"
#include "ns3/server-nics.h"
#include "ns3/trace-listener.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr Tick PS_PER_US{1'000'000};

/// Microseconds with all digits of a picosecond.
std::string
FormatMicroseconds(Tick time)
{
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  "%lld.%06lld",
                  static_cast<long long>(time / PS_PER_US),
                  static_cast<long long>(time % PS_PER_US));
    return text;
}

/// @return the beginning of an event, up to its name. @param phase "b", "e", "i"
std::string
BeginEvent(const char* phase, Tick at, uint32_t node)
{
    return std::string(",\n{\"ph\":\"") + phase + "\",\"ts\":" + FormatMicroseconds(at) +
           ",\"pid\":" + std::to_string(node);
}
} // namespace

RunTimeline::RunTimeline(Fabric& fabric,
                         const std::function<bool(uint32_t node)>& isHere,
                         std::vector<std::string> workloads)
    : m_fabric(fabric),
      m_workloads(std::move(workloads))
{
    const TopologyGraph& graph = fabric.GetGraph();
    std::vector<uint32_t> ports(graph.isSwitch.size(), 0); // In the order of a node's DeviceList.
    for (std::size_t link = 0; link < graph.links.size(); ++link)
    {
        const uint32_t ends[] = {graph.links[link].a, graph.links[link].b};
        for (uint32_t end = 0; end < 2; ++end)
        {
            const uint32_t node = graph.GetEndpoint(ends[end]).server;
            const uint32_t number = ports[node]++;
            if (isHere(ends[end]))
            {
                WatchPort(node, number, fabric.GetLinkPort(link, end));
            }
        }
    }
    for (const uint32_t server : graph.GetServers())
    {
        for (const Ptr<RdmaNic>& nic : GetNics(fabric.GetNode(server)))
        {
            if (isHere(server))
            {
                WatchNic(server, *nic);
            }
        }
    }
}

void
RunTimeline::WatchPort(uint32_t node, uint32_t number, FabricPort& port)
{
    PortTraces& traces = port.GetTraces();
    traces.hasListeners = true;
    traces.pause.ConnectWithoutContext(MakeListener<uint8_t>(
        [this, node, number](uint8_t priority) { Add(node, Kind::PAUSE, priority, number, 0); }));
    traces.resume.ConnectWithoutContext(MakeListener<uint8_t>(
        [this, node, number](uint8_t priority) { Add(node, Kind::RESUME, priority, number, 0); }));
    traces.drop.ConnectWithoutContext(MakeListener<const Frame&, DropReason>(
        [this, node, number](const Frame& frame, DropReason reason) {
            Add(node, Kind::DROP, static_cast<uint8_t>(reason), number, frame.psn);
        }));
}

void
RunTimeline::WatchNic(uint32_t node, RdmaNic& nic)
{
    QueuePairTraces& traces = nic.GetTraces();
    traces.retransmit.ConnectWithoutContext(
        MakeListener<uint32_t, const Frame&>([this, node](uint32_t queuePair, const Frame& frame) {
            Add(node, Kind::RETRANSMIT, 0, queuePair, frame.psn);
        }));
    traces.timeout.ConnectWithoutContext(MakeListener<uint32_t>(
        [this, node](uint32_t queuePair) { Add(node, Kind::TIMEOUT, 0, queuePair, 0); }));
    traces.nak.ConnectWithoutContext(
        MakeListener<uint32_t, const Frame&>([this, node](uint32_t queuePair, const Frame& frame) {
            Add(node, Kind::NAK, 0, queuePair, frame.psn);
        }));
    traces.cnp.ConnectWithoutContext(MakeListener<uint32_t>(
        [this, node](uint32_t queuePair) { Add(node, Kind::CNP, 0, queuePair, 0); }));
}

void
RunTimeline::Add(uint32_t node, Kind kind, uint8_t detail, uint32_t where, uint32_t number)
{
    if (m_events.size() > MAX_EVENTS) // One more event shows when the limit is exceeded.
    {
        ++m_leftOut;
        return;
    }
    const Tick now = m_fabric.GetCore().engine->Now();
    m_events.push_back({now, node, kind, detail, 0, where, number});
}

void
RunTimeline::AddFlow(const FlowRecord& record)
{
    if (record.status == FlowStatus::COMPLETED)
    {
        m_flowText += FormatFlow(record, record.startPs + record.fctPs);
        return;
    }
    m_flowsWithoutEnd.emplace_back(m_flowText.size(), record);
    m_flowsWithoutEnd.back().second.reason.clear();
}

void
RunTimeline::Pack(ByteBuffer& buffer) const
{
    buffer.Put(m_leftOut);
    buffer.Put(m_events);
}

void
RunTimeline::Unpack(ByteReader& reader)
{
    m_leftOut += reader.Get<uint64_t>();
    const auto events = reader.Get<std::vector<Event>>();
    m_events.insert(m_events.end(), events.begin(), events.end());
}

void
RunTimeline::Sort(uint64_t maxEvents)
{
    // The events of a node are in order: one rank has recorded all of them.
    std::stable_sort(m_events.begin(), m_events.end(), [](const Event& left, const Event& right) {
        return std::tie(left.at, left.node) < std::tie(right.at, right.node);
    });
    if (m_events.size() > maxEvents)
    {
        // All or none of the events at one time are kept, since their order depends on the ranks.
        const auto first = std::find_if(
            m_events.begin(),
            m_events.end(),
            [at = m_events[maxEvents].at](const Event& event) { return event.at == at; });
        m_leftOut += static_cast<uint64_t>(m_events.end() - first);
        m_events.erase(first, m_events.end());
    }
}

void
RunTimeline::Write(const std::filesystem::path& path, Tick end, uint64_t maxEvents)
{
    Sort(maxEvents);
    std::ofstream out(path, std::ios::binary);
    out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"eventsLeftOut\":\"" << m_leftOut
        << "\"},\"traceEvents\":[";
    WriteNames(out);
    WriteFlows(end, out);
    for (const Event& event : m_events)
    {
        if (event.kind != Kind::PAUSE && event.kind != Kind::RESUME)
        {
            WriteInstant(event, out);
        }
    }
    // Resumes after the limit are not recorded, so open pauses end there.
    WritePauses(m_leftOut > 0 && !m_events.empty() ? m_events.back().at : end, out);
    out << "\n]}\n";
    out.close();
    if (!out)
    {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

void
RunTimeline::WriteNames(std::ostream& out) const
{
    const TopologyGraph& graph = m_fabric.GetGraph();
    for (uint32_t node = 0; node < graph.isSwitch.size(); ++node)
    {
        out << (node == 0 ? "\n" : ",\n")
            << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << node
            << ",\"args\":{\"name\":\"" << graph.GetNodeName(node) << "\"}}";
    }
}

void
RunTimeline::WriteFlows(Tick end, std::ostream& out) const
{
    const auto write = [this, &out](std::size_t from, std::size_t to) {
        out.write(m_flowText.data() + from, static_cast<std::streamsize>(to - from));
    };
    std::size_t written = 0;
    for (const auto& [place, flow] : m_flowsWithoutEnd)
    {
        write(written, place);
        written = place;
        out << FormatFlow(flow, std::max(end, flow.startPs));
    }
    write(written, m_flowText.size());
}

std::string
RunTimeline::FormatFlow(const FlowRecord& flow, Tick end) const
{
    const std::string name = flow_number::Describe(flow.flow, m_workloads);
    // A number above 2^53 would not be exact in a viewer.
    const std::string number = m_workloads.empty() ? std::to_string(flow.flow) : "\"" + name + "\"";
    const std::string id = ",\"cat\":\"flow\",\"id\":" + number + ",\"name\":\"" + name + " to " +
                           std::to_string(flow.dst) + "\"";
    return BeginEvent("b", flow.startPs, flow.src) + id +
           ",\"args\":{\"bytes\":" + std::to_string(flow.bytes) +
           ",\"ideal_ns\":" + std::to_string(flow.idealPs / 1000) +
           ",\"retransmitted\":" + std::to_string(flow.retransmitted) +
           ",\"timeouts\":" + std::to_string(flow.timeouts) + ",\"status\":\"" +
           GetFlowStatusName(flow.status) + "\"}}" + BeginEvent("e", end, flow.src) + id + "}";
}

void
RunTimeline::WriteInstant(const Event& event, std::ostream& out)
{
    out << BeginEvent("i", event.at, event.node) << ",\"s\":\"p\",\"name\":\"";
    const std::string queuePair =
        "\",\"cat\":\"queue pair\",\"args\":{\"queue pair\":" + std::to_string(event.where);
    const std::string psn = ",\"psn\":" + std::to_string(event.number);
    switch (event.kind)
    {
    case Kind::DROP:
        out << "drop: " << GetDropReasonName(static_cast<DropReason>(event.detail))
            << "\",\"cat\":\"port\",\"args\":{\"port\":" << event.where << psn;
        break;
    case Kind::RETRANSMIT:
        out << "retransmit" << queuePair << psn;
        break;
    case Kind::TIMEOUT:
        out << "timeout" << queuePair;
        break;
    case Kind::NAK:
        out << "NAK" << queuePair << psn;
        break;
    default:
        out << "CNP" << queuePair;
    }
    out << "}}";
}

void
RunTimeline::WritePauses(Tick end, std::ostream& out) const
{
    using Paused = std::tuple<uint32_t, uint32_t, uint8_t>; // Node, port, priority.
    std::map<Paused, Tick> open;
    uint64_t slices = 0;
    const auto write = [&](const Paused& paused, Tick from, Tick until) {
        const auto& [node, port, priority] = paused;
        const std::string id = ",\"cat\":\"PFC\",\"id\":" + std::to_string(slices++) +
                               ",\"name\":\"pause of port " + std::to_string(port) + ", priority " +
                               std::to_string(priority) + "\"}";
        out << BeginEvent("b", from, node) << id << BeginEvent("e", until, node) << id;
    };
    for (const Event& event : m_events)
    {
        const Paused paused{event.node, event.where, event.detail};
        if (event.kind == Kind::PAUSE)
        {
            open.emplace(paused, event.at);
        }
        const auto found = event.kind == Kind::RESUME ? open.find(paused) : open.end();
        if (found != open.end())
        {
            write(paused, found->second, event.at);
            open.erase(found);
        }
    }
    for (const auto& [paused, from] : open)
    {
        write(paused, from, std::max(from, end));
    }
}

} // namespace ns3::rdma
