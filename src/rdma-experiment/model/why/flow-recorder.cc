// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-recorder.h"

#include "ns3/credit-account.h"
#include "ns3/fabric-port.h"
#include "ns3/opcode.h"
#include "ns3/sender-timeline.h"
#include "ns3/server-nics.h"
#include "ns3/trace-listener.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

FlowRecorder::FlowRecorder(Fabric& fabric, std::optional<uint64_t> flow)
    : m_fabric(fabric),
      m_only(flow)
{
    const TopologyGraph& graph = fabric.GetGraph();
    AddNics(graph);
    WatchPorts(graph);
    for (uint32_t nic = 0; nic < m_nics.size(); ++nic)
    {
        WatchNic(nic);
    }
}

FlowRecorder::~FlowRecorder() = default;

void
FlowRecorder::AddNics(const TopologyGraph& graph)
{
    m_nicOf.resize(graph.GetIdCount());
    for (const uint32_t server : graph.GetServers())
    {
        for (const Ptr<RdmaNic>& nic : GetNics(m_fabric.GetNode(server)))
        {
            for (uint32_t port = 0; port < nic->GetPortCount(); ++port)
            {
                m_nicOf[nic->GetEndpoint(port)] = static_cast<uint32_t>(m_nics.size());
            }
            m_nics.push_back({nic, {}});
        }
    }
}

void
FlowRecorder::WatchPorts(const TopologyGraph& graph)
{
    std::vector<uint32_t> counts(graph.isSwitch.size(), 0); // In the order of a node's DeviceList.
    for (std::size_t link = 0; link < graph.links.size(); ++link)
    {
        const uint32_t ends[] = {graph.links[link].a, graph.links[link].b};
        for (uint32_t end = 0; end < 2; ++end)
        {
            const uint32_t node = graph.GetEndpoint(ends[end]).server;
            const std::string name = graph.GetNodeName(node) + " port " +
                                     std::to_string(counts[node]++) + " to " +
                                     graph.GetNodeName(graph.GetEndpoint(ends[1 - end]).server);
            FabricPort& port = m_fabric.GetLinkPort(link, end);
            const auto number = static_cast<uint32_t>(m_ports.size());
            const bool isOfServer = !graph.IsSwitch(ends[end]);
            if (isOfServer)
            {
                m_nics[m_nicOf[ends[end]]].ports.push_back(number);
            }
            m_ports.emplace_back(name, port);
            WatchPort(number, port, isOfServer);
        }
    }
}

void
FlowRecorder::WatchPort(uint32_t number, FabricPort& port, bool isOfServer)
{
    PortTraces& traces = isOfServer ? port.GetArrivalTraces() : port.GetTraces();
    traces.pause.ConnectWithoutContext(MakeListener<uint8_t>(
        [this, number](uint8_t priority) { m_ports[number].OnPause(priority, Now()); }));
    traces.resume.ConnectWithoutContext(MakeListener<uint8_t>(
        [this, number](uint8_t priority) { m_ports[number].OnResume(priority, Now()); }));
    traces.enqueue.ConnectWithoutContext(MakeListener<const Frame&, uint32_t>(
        [this, number, isOfServer](const Frame& frame, uint32_t) {
            OnEnter(number, isOfServer, frame);
        }));
    traces.transmit.ConnectWithoutContext(MakeListener<const Frame&>(
        [this, number, isOfServer](const Frame& frame) { OnTransmit(number, isOfServer, frame); }));
    if (isOfServer)
    {
        traces.receive.ConnectWithoutContext(
            MakeListener<const Frame&>([this](const Frame& frame) { OnArrive(frame); }));
    }
    else
    {
        traces.trim.ConnectWithoutContext(MakeListener<const Frame&>(
            [this, number](const Frame& frame) { OnTrim(number, frame); }));
    }
}

void
FlowRecorder::WatchNic(uint32_t nic)
{
    QueuePairTraces& traces = m_nics[nic].nic->GetTraces();
    traces.progress.ConnectWithoutContext(MakeListener<uint32_t, const Requester&, const Frame*>(
        [this, nic](uint32_t queuePair, const Requester& requester, const Frame* answer) {
            OnProgress(nic, queuePair, requester, answer);
        }));
    traces.turn.ConnectWithoutContext(MakeListener<uint32_t, Tick, Tick>(
        [this, nic](uint32_t queuePair, Tick contextAt, Tick fetchedAt) {
            OnTurn(nic, queuePair, contextAt, fetchedAt);
        }));
    traces.transmitStages.ConnectWithoutContext(MakeListener<const Frame&, Tick, Tick>(
        [this](const Frame& frame, Tick payloadAt, Tick readyAt) {
            OnTransmitStages(frame, payloadAt, readyAt);
        }));
    traces.receiveStages.ConnectWithoutContext(MakeListener<const Frame&, Tick, Tick>(
        [this](const Frame& frame, Tick contextAt, Tick handledAt) {
            OnReceiveStages(frame, contextAt, handledAt);
        }));
}

Tick
FlowRecorder::Now() const
{
    return m_fabric.GetCore().engine->Now();
}

uint64_t
FlowRecorder::MakeKey(uint32_t endpoint, uint32_t queuePair) const
{
    constexpr uint32_t QUEUE_PAIR_BITS{24};
    return (uint64_t{m_nicOf[endpoint]} << QUEUE_PAIR_BITS) | queuePair;
}

FlowRecorder::Channel&
FlowRecorder::GetChannel(const FlowStart& start, const ConnectionEnds& ends)
{
    const uint64_t key = MakeKey(ends.src, start.srcQp);
    std::unique_ptr<Channel>& channel = m_channels[key];
    if (!channel)
    {
        channel = std::make_unique<Channel>();
        channel->sender = key;
        channel->receiver = MakeKey(ends.dst, start.dstQp);
        channel->nic = m_nicOf[ends.src];
        channel->isTimed = m_nics[channel->nic].nic->GetHardware() != nullptr;
        m_ends[channel->sender] = {channel.get(), true};
        m_ends[channel->receiver] = {channel.get(), false};
        for (const uint32_t port : m_nics[channel->nic].ports)
        {
            m_ports[port].Want();
        }
    }
    return *channel;
}

void
FlowRecorder::OnStart(const FlowStart& start, const ConnectionEnds& ends)
{
    if (m_only && *m_only != start.number)
    {
        return;
    }
    Channel& channel = GetChannel(start, ends);
    ++channel.flows;
    const RdmaNic& nic = *m_nics[channel.nic].nic;
    const auto queuePair = nic.FindQueuePair(start.srcQp);
    const uint64_t first = queuePair && queuePair->requester
                               ? queuePair->requester->GetWindow().GetQueue().GetEnd()
                               : 0;
    const uint64_t bytes = start.arrival.bytes - start.arrival.fluidBytes;
    const uint64_t mtu = nic.GetPathMtu();
    const uint64_t packets = std::max<uint64_t>((bytes + mtu - 1) / mtu, 1);
    m_flows[start.number] = {&channel, {first, first + packets}, Now()};
}

void
FlowRecorder::Release(Channel& channel)
{
    if (--channel.flows > 0)
    {
        return;
    }
    for (const uint32_t port : m_nics[channel.nic].ports)
    {
        m_ports[port].Unwant();
    }
    m_ends.erase(channel.sender);
    m_ends.erase(channel.receiver);
    m_channels.erase(channel.sender);
}

std::optional<FlowAccount>
FlowRecorder::Take(const FlowRecord& record)
{
    const auto found = m_flows.find(record.flow);
    if (found == m_flows.end())
    {
        return std::nullopt;
    }
    const RecordedFlow flow = found->second;
    m_flows.erase(found);
    std::optional<FlowAccount> account;
    if (record.status == FlowStatus::COMPLETED)
    {
        account = MakeAccount(*flow.channel,
                              flow.message,
                              {record.startPs, flow.postedAt, record.startPs + record.fctPs},
                              m_ports);
        if (!account)
        {
            throw std::logic_error("flow " + std::to_string(record.flow) +
                                   ": the answer that has completed it was not recorded");
        }
    }
    Release(*flow.channel);
    return account;
}

const FlowRecorder::ChannelEnd*
FlowRecorder::FindEnd(const Frame& frame) const
{
    if ((frame.flags & frame_flag::MAC_CONTROL) || frame.opcode == OPAQUE_OPCODE)
    {
        return nullptr;
    }
    const auto end = m_ends.find(MakeKey(frame.dst, frame.dstQp));
    if (end == m_ends.end())
    {
        return nullptr;
    }
    const bool isRight =
        end->second.isSender ? frame.opcode == opcode::ACK : opcode::IsRequest(frame.opcode);
    return isRight ? &end->second : nullptr;
}

const FlowRecorder::ChannelEnd*
FlowRecorder::FindSender(uint32_t nic, uint32_t queuePair) const
{
    const auto end = m_ends.find(MakeKey(m_nics[nic].nic->GetEndpoint(), queuePair));
    return end != m_ends.end() && end->second.isSender ? &end->second : nullptr;
}

FrameTrail*
FlowRecorder::FindOwnTrail(const ChannelEnd& end, const Frame& frame)
{
    std::vector<FrameTrail>& trails = end.channel->trails;
    const auto found = m_trails.find(&frame);
    const bool isKnown = found != m_trails.end() && found->second.channel == end.channel &&
                         found->second.trail < trails.size() &&
                         trails[found->second.trail].IsOf(frame);
    return isKnown ? &trails[found->second.trail] : nullptr;
}

FrameTrail*
FlowRecorder::FindTrail(const ChannelEnd& end, const Frame& frame)
{
    if (FrameTrail* own = FindOwnTrail(end, frame))
    {
        return own;
    }
    std::vector<FrameTrail>& trails = end.channel->trails;
    // A link has duplicated it: the copy has come as far as the original. Or a switch has
    // exchanged it with another frame.
    const auto original = std::find_if(trails.rbegin(), trails.rend(), [&](const auto& trail) {
        return trail.isAnswer == end.isSender && trail.IsOf(frame);
    });
    if (original == trails.rend())
    {
        return nullptr;
    }
    if (HasMoved(end, *original))
    {
        original->frame = &frame;
        m_trails[&frame] = {end.channel, static_cast<TrailIndex>(trails.rend() - original - 1)};
        return &*original;
    }
    FrameTrail copy = *original;
    copy.isCopy = true;
    copy.frame = &frame;
    m_trails[&frame] = {end.channel, static_cast<TrailIndex>(trails.size())};
    trails.push_back(std::move(copy));
    return &trails.back();
}

TrailIndex
FlowRecorder::BeginTrail(const ChannelEnd& end, const Frame& frame)
{
    std::vector<FrameTrail>& trails = end.channel->trails;
    const auto index = static_cast<TrailIndex>(trails.size());
    trails.emplace_back(frame, end.isSender);
    FrameTrail& trail = trails.back();
    trail.frame = &frame;
    m_trails[&frame] = {end.channel, index};
    if (end.isSender && !trail.isNotice)
    {
        trail.cause = FindAnswered(*end.channel, frame, Now());
    }
    else if (trail.isResend)
    {
        trail.resentFor = FindTrim(*end.channel, trail);
    }
    return index;
}

bool
FlowRecorder::HasMoved(const ChannelEnd& end, const FrameTrail& trail) const
{
    // Frames are freed, but their memory is not.
    const ChannelEnd* there = trail.arrivedAt == 0 ? FindEnd(*trail.frame) : &end;
    return !there || there->channel != end.channel || there->isSender != end.isSender ||
           (trail.arrivedAt == 0 && !trail.IsOf(*trail.frame));
}

uint32_t
FlowRecorder::FindTrim(const Channel& channel, const FrameTrail& resent)
{
    const auto previous =
        std::find_if(channel.trails.rbegin(), channel.trails.rend(), [&resent](const auto& trail) {
            return &trail != &resent && !trail.isAnswer && trail.psn == resent.psn;
        });
    return previous == channel.trails.rend() ? NO_PORT : previous->trimPort;
}

TrailIndex
FlowRecorder::FindAnswered(const Channel& channel, const Frame& frame, Tick now)
{
    // Reports name the packet that has caused them.
    const bool isNamed = frame.IsReport() || (frame.flags & frame_flag::TRIMMED) != 0;
    // Packets of one burst have one time of sending: the arrival tells them apart.
    TrailIndex sameTime = NO_TRAIL;
    for (auto arrival = channel.arrivals.rbegin(); arrival != channel.arrivals.rend(); ++arrival)
    {
        const FrameTrail& data = channel.trails[*arrival];
        if (data.sendTime != frame.sendTime || (isNamed && data.psn != frame.ack.selectivePsn))
        {
            continue;
        }
        if (frame.hostDelay == 0 || data.arrivedAt == now - frame.hostDelay)
        {
            return *arrival;
        }
        sameTime = sameTime == NO_TRAIL ? *arrival : sameTime;
    }
    const TrailIndex last = channel.arrivals.empty() ? NO_TRAIL : channel.arrivals.back();
    return sameTime == NO_TRAIL ? last : sameTime;
}

void
FlowRecorder::OnEnter(uint32_t port, bool isOfServer, const Frame& frame)
{
    const ChannelEnd* end = FindEnd(frame);
    if (!end)
    {
        return;
    }
    FrameTrail* trail =
        isOfServer ? &end->channel->trails[BeginTrail(*end, frame)] : FindTrail(*end, frame);
    // A frame that is trimmed in its queue enters another queue of the port.
    if (trail && !(trail->IsWaiting() && trail->hops.back().port == port))
    {
        trail->hops.push_back({port, Now(), TICK_NEVER});
    }
}

void
FlowRecorder::OnTransmit(uint32_t port, bool isOfServer, const Frame& frame)
{
    const Tick now = Now();
    if (isOfServer)
    {
        m_ports[port].AddBusy(now, now + m_ports[port].GetSerialization(frame.wireBytes));
    }
    const ChannelEnd* end = FindEnd(frame);
    if (!end)
    {
        return;
    }
    FrameTrail* trail = isOfServer ? FindOwnTrail(*end, frame) : FindTrail(*end, frame);
    if (trail && trail->IsWaiting())
    {
        trail->hops.back().sentAt = now;
        return;
    }
    // What leaves a server has waited at its port, or was on its chip, or begins here.
    if (isOfServer && (!trail || !trail->hops.empty()))
    {
        trail = &end->channel->trails[BeginTrail(*end, frame)];
    }
    if (trail)
    {
        trail->hops.push_back({port, now, now});
    }
}

void
FlowRecorder::OnTrim(uint32_t port, const Frame& frame)
{
    const ChannelEnd* end = FindEnd(frame);
    if (FrameTrail* trail = end ? FindTrail(*end, frame) : nullptr)
    {
        trail->trimPort = port;
        trail->trimmedBytes = frame.wireBytes;
        trail->trimmedPriority = frame.priority;
    }
}

void
FlowRecorder::OnArrive(const Frame& frame)
{
    const ChannelEnd* end = FindEnd(frame);
    FrameTrail* trail = end ? FindTrail(*end, frame) : nullptr;
    if (!trail)
    {
        return;
    }
    trail->arrivedAt = Now();
    if (!end->isSender)
    {
        end->channel->arrivals.push_back(
            static_cast<TrailIndex>(trail - end->channel->trails.data()));
    }
}

void
FlowRecorder::OnProgress(uint32_t nic,
                         uint32_t queuePair,
                         const Requester& requester,
                         const Frame* answer)
{
    const ChannelEnd* end = FindSender(nic, queuePair);
    if (!end)
    {
        return;
    }
    SendSample sample{Now(),
                      requester.GetNextSendTime(),
                      requester.GetPacer().GetNextSendTime(),
                      requester.GetWindow().GetNext(),
                      requester.GetWindow().GetUnacked(),
                      requester.GetWindow().GetKnownEnd(),
                      requester.GetWindow().HasLost()};
    if (const Flight* flight = requester.GetFlight())
    {
        const CreditAccount* credit = flight->GetCredit();
        sample.takesReports = flight->TakesReports();
        sample.lacksCredit = credit && !credit->CanSend();
    }
    const FrameTrail* trail =
        answer && answer->opcode == opcode::ACK ? FindTrail(*end, *answer) : nullptr;
    if (trail)
    {
        sample.answer = static_cast<TrailIndex>(trail - end->channel->trails.data());
    }
    end->channel->samples.push_back(sample);
}

void
FlowRecorder::OnTurn(uint32_t nic, uint32_t queuePair, Tick contextAt, Tick fetchedAt)
{
    if (const ChannelEnd* end = FindSender(nic, queuePair))
    {
        end->channel->turns.push_back({Now(), contextAt, fetchedAt});
    }
}

void
FlowRecorder::OnTransmitStages(const Frame& frame, Tick payloadAt, Tick readyAt)
{
    const ChannelEnd* end = FindEnd(frame);
    if (end && !end->isSender)
    {
        FrameTrail& trail = end->channel->trails[BeginTrail(*end, frame)];
        trail.payloadAt = payloadAt;
        trail.readyAt = readyAt;
    }
}

void
FlowRecorder::OnReceiveStages(const Frame& frame, Tick contextAt, Tick handledAt)
{
    const ChannelEnd* end = FindEnd(frame);
    FrameTrail* trail = end ? FindTrail(*end, frame) : nullptr;
    if (trail)
    {
        trail->contextAt = contextAt;
        trail->handledAt = handledAt;
    }
}

} // namespace ns3::rdma
