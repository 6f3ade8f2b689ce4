// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-traffic.h"

#include "ns3/input-error.h"
#include "ns3/random-stream.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Of the first messages; away from the streams of other parts.
constexpr uint64_t RANDOM_STREAM{0x7374726d00000000ULL};

QueuePairInit
MakeStreamInit(const StreamSettings& settings)
{
    QueuePairInit init;
    init.service = settings.service;
    init.hasOwnCosts = true;
    init.capabilities.maxSendRequests = settings.sendQueue;
    init.capabilities.maxReceiveRequests = settings.receiveQueue;
    return init;
}

/// Adds what another rank knows of a stream.
void
MergeStream(StreamRecord& own, const StreamRecord& other)
{
    own.sent += other.sent;
    own.received += other.received;
    own.bytes += other.bytes;
    own.measuredBytes += other.measuredBytes;
    own.missing += other.missing;
    own.wholeRegions += other.wholeRegions;
    own.incompleteRegions += other.incompleteRegions;
    own.retransmitted += other.retransmitted;
    own.due += other.due;
    own.inTime += other.inTime;
}
} // namespace

StreamTraffic::StreamTraffic(StreamPlan plan, const TrafficContext& context)
    : m_context(context),
      m_plan(std::move(plan)),
      m_connector(m_context, first_connection::STREAMS),
      m_starts(m_plan.groups, m_plan.startInterval),
      m_target(context.fabric->GetCore().engine->Register(this))
{
    m_report.fromPs = m_plan.from;
    m_report.untilPs = m_plan.until;
    m_report.intervalPs = m_plan.sampleInterval;
    MakeHosts();
    for (const StreamGroup& group : m_plan.groups)
    {
        MakeGroup(group);
    }
}

StreamTraffic::~StreamTraffic()
{
    m_context.fabric->GetCore().engine->Unregister(m_target);
}

void
StreamTraffic::MakeHosts()
{
    for (const StreamGroup& group : m_plan.groups)
    {
        m_hosts[group.sender];
        m_hosts[group.receiver];
    }
    for (auto& [node, host] : m_hosts)
    {
        host = std::make_unique<StreamHost>(node,
                                            *(*m_context.nics)[node],
                                            m_context.fabric->GetCore().engine,
                                            m_plan.seed);
        if (m_plan.memory == MemoryKind::GPU && CountReceived(node) > 0)
        {
            host->UseGpu(*(*m_context.nics)[node]);
        }
    }
}

StreamHost&
StreamTraffic::GetHost(uint32_t node)
{
    return *m_hosts.at(node);
}

void
StreamTraffic::MakeGroup(const StreamGroup& group)
{
    StreamSettings& settings = m_settings.emplace_back(m_plan.settings);
    settings.messageBytes = group.messageBytes;
    settings.until = m_plan.end;
    settings.listInterval = GetListInterval(group, settings.linked);
    for (uint32_t i = 0; i < group.queuePairs; ++i)
    {
        Connect(group, settings);
    }
}

void
StreamTraffic::Connect(const StreamGroup& group, const StreamSettings& settings)
{
    const auto [src, dst] = m_connector.Add(group.sender, group.receiver);
    Stream& stream = m_streams.emplace_back();
    stream.record.stream = m_streams.size() - 1;
    stream.record.src = group.sender;
    stream.record.dst = group.receiver;
    stream.record.messageBytes = group.messageBytes;
    const StreamSchedule schedule = MakeSchedule(group.sender, stream.record.stream, settings);
    const RegionLayout layout = GetHost(group.receiver).MakeLayout(settings);
    if (dst.isHere)
    {
        ConnectReceiver(settings, {dst, layout, schedule}, stream);
    }
    if (src.isHere)
    {
        ConnectSender(settings, {src, layout, schedule}, stream);
    }
}

StreamSchedule
StreamTraffic::MakeSchedule(uint32_t sender, uint64_t stream, const StreamSettings& settings)
{
    StreamSchedule schedule;
    schedule.start = m_plan.start + m_starts.TakeNext(sender, settings.listInterval);
    if (settings.listInterval == 0 || !m_starts.IsSpread())
    {
        // The first list is a part of one: after a long run, lists of different queue pairs do not
        // end together.
        RandomStream random(m_plan.seed, RANDOM_STREAM + stream);
        schedule.first = random.Next() % settings.linked;
    }
    schedule.interval = settings.listInterval;
    schedule.deadline = m_plan.deadline;
    schedule.until = m_plan.end;
    schedule.linked = settings.linked;
    return schedule;
}

Ptr<RdmaNic>
StreamTraffic::GetNic(uint32_t endpoint) const
{
    return (*m_context.nics)[endpoint];
}

void
StreamTraffic::ConnectSender(const StreamSettings& settings, const End& end, Stream& stream)
{
    StreamHost& host = GetHost(stream.record.src);
    const auto completions = Create<CompletionQueue>(settings.sendQueue);
    QueuePairInit init = MakeStreamInit(settings);
    init.sendCompletions = completions;
    m_connector.MakeServed(end.program, init);
    StreamRoute route;
    route.nic = end.program.nic;
    route.queuePair = end.program.queuePair;
    route.completions = completions;
    route.localAddress = end.layout.GetAddress(0); // As large as the receiver's memory.
    route.remoteKey = GetHost(stream.record.dst).GetRemoteKey();
    stream.sender = &host.AddSender(settings, route, end.layout, end.schedule);
    stream.senderEndpoint = end.program.endpoint;
}

uint32_t
StreamTraffic::CountReceived(uint32_t node) const
{
    uint32_t queuePairs = 0;
    for (const StreamGroup& group : m_plan.groups)
    {
        queuePairs += group.receiver == node ? group.queuePairs : 0;
    }
    return queuePairs;
}

void
StreamTraffic::ConnectReceiver(const StreamSettings& settings, const End& end, Stream& stream)
{
    StreamHost& host = GetHost(stream.record.dst);
    host.GetRemoteKey(); // Registers the memory on this rank, too.
    const Ptr<RdmaNic>& nic = end.program.nic;
    StreamReceiver& receiver =
        m_plan.isReceiveQueueShared
            ? host.GetSharedReceiver(settings, nic, CountReceived(stream.record.dst))
            : host.AddReceiver(settings, nic);
    QueuePairInit init = MakeStreamInit(settings);
    init.domain = host.GetDomain();
    init.receiveCompletions = host.GetReceiveCompletions();
    init.sharedReceiveQueue = host.GetSharedQueue();
    m_connector.MakeServed(end.program, init);
    stream.receiver = &receiver;
    stream.place = static_cast<uint32_t>(receiver.GetStreams().size());
    receiver.Add(end.program.queuePair, end.layout, end.schedule);
}

std::vector<uint32_t>
StreamTraffic::CountQueuePairs() const
{
    return m_connector.CountQueuePairs();
}

void
StreamTraffic::Schedule(Tick when, Event event, uint32_t node)
{
    m_context.fabric->GetCore().engine->Schedule(when,
                                                 FabricEngine::MakeOwner(m_target, event),
                                                 node);
}

void
StreamTraffic::Start()
{
    for (const auto& [node, host] : m_hosts)
    {
        if (m_context.isHere(node))
        {
            if (m_plan.start > 0)
            {
                Schedule(m_plan.start, START, node);
            }
            else
            {
                StartHost(node);
            }
            Schedule(m_plan.start + m_plan.sampleInterval, SAMPLE, node);
            Schedule(m_plan.from, MEASURE, node);
            Schedule(m_plan.until, COOL, node);
            Schedule(m_plan.end, OVER, node);
        }
    }
}

void
StreamTraffic::StartHost(uint32_t node)
{
    GetHost(node).Start();
    m_started += GetHost(node).GetSenders().size();
}

void
StreamTraffic::HandleEvent(uint32_t kind, uint32_t node)
{
    switch (kind)
    {
    case START:
        StartHost(node);
        return;
    case SAMPLE:
        TakeSample(node);
        return;
    case MEASURE:
        BeginMeasuring(node);
        return;
    case COOL:
        EndMeasuring(node);
        return;
    default:
        GetHost(node).EndLoad();
        m_done += GetHost(node).GetSenders().size();
    }
}

void
StreamTraffic::TakeSample(uint32_t node)
{
    const Tick now = m_context.fabric->GetCore().engine->Now();
    GetHost(node).TakeSample(now, m_report.samples);
    if (now + m_plan.sampleInterval <= m_plan.end)
    {
        Schedule(now + m_plan.sampleInterval, SAMPLE, node);
    }
}

void
StreamTraffic::BeginMeasuring(uint32_t node)
{
    GetHost(node).BeginMeasuring();
    VisitArrived(node, [](Stream& stream, uint64_t bytes) { stream.bytesAtFrom = bytes; });
}

template <typename Visitor>
void
StreamTraffic::VisitArrived(uint32_t node, Visitor visit)
{
    const StreamReceiver* receiver = nullptr;
    std::vector<uint64_t> bytes; // Of all streams of the receiver.
    for (Stream& stream : m_streams)
    {
        if (stream.record.dst != node)
        {
            continue;
        }
        if (stream.receiver != receiver)
        {
            receiver = stream.receiver;
            bytes = receiver->GetArrivedBytes();
        }
        visit(stream, bytes[stream.place]);
    }
}

void
StreamTraffic::EndMeasuring(uint32_t node)
{
    m_measured.insert(node);
    const auto records = GetHost(node).GetThreadRecords(m_report.fromPs, m_report.untilPs);
    m_report.threads.insert(m_report.threads.end(), records.begin(), records.end());
    VisitArrived(node, [](Stream& stream, uint64_t bytes) {
        stream.record.measuredBytes = bytes - stream.bytesAtFrom;
    });
}

Tick
StreamTraffic::GetEnd() const
{
    return m_plan.end;
}

bool
StreamTraffic::MayLeavePackets() const
{
    return true;
}

void
StreamTraffic::AddTo(WindowState& state, bool isDue) const
{
    state.started += m_started;
    state.done += m_done;
    state.endTime = std::max(state.endTime, m_done > 0 ? m_plan.end : 0);
    if (!isDue)
    {
        return; // Many streams, and many windows between two decisions.
    }
    for (const Stream& stream : m_streams)
    {
        // A stopped sender's last messages may wait for a receiver that is never ready.
        state.done -= m_done > 0 && IsPending(stream);
        state.progress += stream.sender ? stream.sender->GetStats().completed : 0;
        state.progress += stream.receiver ? stream.receiver->GetStreams()[stream.place].bytes : 0;
    }
}

bool
StreamTraffic::IsPending(const Stream& stream) const
{
    if (!stream.sender)
    {
        return false;
    }
    const auto queuePair =
        GetNic(stream.senderEndpoint)->FindQueuePair(stream.sender->GetQueuePair());
    return queuePair && queuePair->requester &&
           !queuePair->requester->GetWindow().GetQueue().IsEmpty();
}

void
StreamTraffic::FillMeasured()
{
    const Tick interval = m_plan.sampleInterval;
    const auto intervals = static_cast<std::size_t>((m_plan.end - m_plan.start) / interval);
    std::map<std::pair<uint32_t, StreamRole>, MeasuredGoodput> measured;
    for (StreamSample& sample : m_report.samples)
    {
        const auto key = std::pair(sample.server, sample.role);
        auto goodput = measured.find(key);
        if (goodput == measured.end())
        {
            const StreamHost& host = GetHost(sample.server);
            goodput =
                measured
                    .emplace(key, host.GetMeasured(sample.role, m_plan.start, interval, intervals))
                    .first;
        }
        const Tick begin = sample.endPs - m_plan.start - interval;
        sample.measuredBytes = goodput->second.GetBytes(static_cast<std::size_t>(begin / interval));
    }
}

void
StreamTraffic::FindTroubles()
{
    for (const auto& [node, host] : m_hosts)
    {
        for (const auto& receiver : host->GetReceivers())
        {
            if (receiver->GetWaiting() == 0 && receiver->GetRefills() == 0)
            {
                m_report.troubles.push_back(
                    "server " + std::to_string(node) + ": the receive queue of thread " +
                    std::to_string(receiver->GetThread().GetNumber()) +
                    " was used up and never refilled: what came after its " +
                    std::to_string(receiver->GetMessages()) + " messages is lost");
            }
        }
    }
    for (const Stream& stream : m_streams)
    {
        if (stream.sender && stream.sender->GetStats().failed > 0)
        {
            m_report.troubles.push_back(
                "stream " + std::to_string(stream.record.stream) + " from server " +
                std::to_string(stream.record.src) + " to server " +
                std::to_string(stream.record.dst) + " ended with an error after " +
                std::to_string(stream.sender->GetStats().completed) + " messages");
        }
    }
}

void
StreamTraffic::Finish(bool, Tick)
{
    for (const auto& [node, host] : m_hosts)
    {
        if (m_context.isHere(node) && m_measured.count(node) == 0)
        {
            // The run was stopped before: what there is was measured until now.
            const Tick now = m_context.fabric->GetCore().engine->Now();
            m_report.untilPs = std::max<Tick>(now, m_report.fromPs + 1);
            EndMeasuring(node);
        }
    }
    FillMeasured();
    for (Stream& stream : m_streams)
    {
        if (stream.sender)
        {
            stream.record.sent = stream.sender->GetStats().posted;
            const auto queuePair =
                GetNic(stream.senderEndpoint)->FindQueuePair(stream.sender->GetQueuePair());
            if (queuePair && queuePair->requester)
            {
                stream.record.retransmitted = queuePair->requester->GetStats().retransmitted;
            }
        }
        if (stream.receiver)
        {
            const ReceivedStream& received = stream.receiver->GetStreams()[stream.place];
            stream.record.received = received.messages;
            stream.record.bytes = received.bytes;
            stream.record.missing = received.tracker.GetMissing();
            stream.record.wholeRegions = received.tracker.GetWhole();
            stream.record.incompleteRegions = received.tracker.GetIncomplete();
            stream.record.inTime = received.inTime;
            if (received.schedule.HasDeadline())
            {
                stream.record.due = received.schedule.CountDue();
            }
        }
    }
    FindTroubles();
}

std::vector<ResultPart>
StreamTraffic::Report(RankGroup& ranks, bool)
{
    StreamReport own = std::move(m_report);
    for (const Stream& stream : m_streams)
    {
        own.streams.push_back(stream.record);
    }
    ranks.CollectAtFirst([&own](ByteBuffer& buffer) { buffer.Put(own.streams); },
                         [&own](ByteReader& reader) {
                             const auto others = reader.Get<std::vector<StreamRecord>>();
                             for (std::size_t i = 0; i < others.size(); ++i)
                             {
                                 MergeStream(own.streams[i], others[i]);
                             }
                         });
    ranks.CollectAtFirst(own.threads);
    ranks.CollectAtFirst(own.samples);
    ranks.CollectAtFirst(own.troubles);
    own.Sort();
    return {MakeStreamPart(std::move(own))};
}

} // namespace ns3::rdma
