// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-tcp-run.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

// Of the bytes, in tenths: what comes before is warm-up, what comes after is the end.
constexpr uint64_t FIRST_TENTHS{2};
constexpr uint64_t LAST_TENTHS{8};

constexpr double TICKS_PER_SECOND{1e12};

} // namespace

KernelTcpRun::KernelTcpRun(const KernelTcpCosts& costs, const KernelTcpLoad& load)
    : m_costs(costs),
      m_load(load),
      m_rate(load.rate),
      m_left(load.messages),
      m_total(load.messages * load.messageBytes),
      m_connections(load.connections),
      m_senders(load.threads),
      m_receivers(load.threads)
{
    const uint32_t mss = load.GetMss();
    m_fullSegment = std::max(costs.segmentBytes / mss, 1U) * mss;
    m_limit = std::min(costs.socketBuffer, load.depth * load.messageBytes);
    m_queueTime = m_rate.GetDuration(costs.nicQueueBytes);
}

KernelTcpBandwidth
KernelTcpRun::Run()
{
    for (uint32_t id = 0; id < m_load.connections; ++id)
    {
        m_senders[id % m_load.threads].ready.push_back(id);
        m_connections[id].isReady = true;
    }
    for (uint32_t thread = 0; thread < m_load.threads; ++thread)
    {
        Plan(0, Kind::WRITE, thread);
    }
    while (!m_events.empty() && m_end.time == 0)
    {
        const Event event = m_events.top();
        m_events.pop();
        Handle(event);
    }
    if (m_end.time <= m_begin.time)
    {
        throw std::runtime_error("a stream of kernel TCP came to a halt");
    }
    const double ticks = static_cast<double>(m_end.time - m_begin.time);
    const auto bytes = static_cast<double>(m_end.delivered - m_begin.delivered);
    const double bitsToGigabits = 8 * TICKS_PER_SECOND / 1e9;
    KernelTcpBandwidth result;
    result.goodput = bytes * bitsToGigabits / ticks;
    result.wire = static_cast<double>(m_end.wireBytes - m_begin.wireBytes) * bitsToGigabits / ticks;
    result.messages =
        bytes / static_cast<double>(m_load.messageBytes) / ticks * TICKS_PER_SECOND / 1e6;
    result.perSegment = static_cast<double>(m_end.delivered) /
                        static_cast<double>(m_load.messageBytes) / static_cast<double>(m_segments);
    result.senderCpu = static_cast<double>(m_end.senderBusy - m_begin.senderBusy) / ticks;
    result.receiverCpu = static_cast<double>(m_end.receiverBusy - m_begin.receiverBusy) / ticks;
    return result;
}

void
KernelTcpRun::Plan(Tick time, Kind kind, uint32_t id, uint32_t bytes)
{
    m_events.push({time, m_planned++, kind, id, bytes});
}

void
KernelTcpRun::Handle(const Event& event)
{
    switch (event.kind)
    {
    case Kind::WRITE:
        OnWrite(event.id, event.time);
        break;
    case Kind::FLUSH:
        m_connections[event.id].isFlushPlanned = false;
        TrySend(event.id, event.time);
        break;
    case Kind::ARRIVE:
        OnArrive(event.id, event.bytes, event.time);
        break;
    case Kind::POLL:
        OnPoll(event.id, event.time);
        break;
    case Kind::ACK:
        OnAck(event.id, event.bytes, event.time);
        break;
    }
}

Tick
KernelTcpRun::GetMiss() const
{
    // A thread takes its connections in turn: its cache has either all of them or none.
    const bool areCached =
        m_load.connections <= uint64_t{m_costs.cachedConnections} * m_load.threads;
    return areCached ? 0 : m_costs.connectionMiss;
}

uint32_t
KernelTcpRun::CountPackets(uint64_t bytes) const
{
    return static_cast<uint32_t>((bytes + m_load.GetMss() - 1) / m_load.GetMss());
}

bool
KernelTcpRun::HasRoom(const Connection& connection) const
{
    return connection.unsent + connection.unacked < m_limit;
}

bool
KernelTcpRun::TurnToNext(Sender& sender, Tick now)
{
    if (sender.burstLeft > 0 && HasRoom(m_connections[sender.writing]))
    {
        return true;
    }
    if (sender.burstLeft > 0)
    {
        m_connections[sender.writing].isReady = false; // An acknowledgment makes it ready again.
        sender.burstLeft = 0;
    }
    if (sender.ready.empty())
    {
        return false;
    }
    sender.writing = sender.ready.front();
    sender.ready.pop_front();
    sender.burstLeft = m_load.burst;
    sender.core.Work(now, GetMiss());
    return true;
}

void
KernelTcpRun::OnWrite(uint32_t thread, Tick now)
{
    Sender& sender = m_senders[thread];
    const Tick earliest = std::max(sender.core.freeAt, m_linkFree - m_queueTime);
    if (earliest > now)
    {
        Plan(earliest, Kind::WRITE, thread);
        return;
    }
    if (!TurnToNext(sender, now))
    {
        sender.isAsleep = true;
        return;
    }
    const uint32_t id = sender.writing;
    Connection& connection = m_connections[id];
    Tick cost = 0;
    if (connection.messageLeft == 0)
    {
        if (m_left == 0)
        {
            sender.burstLeft = 0; // Nothing more for this connection: it stays out of the queue.
            Plan(now, Kind::WRITE, thread);
            return;
        }
        --m_left;
        connection.messageLeft = m_load.messageBytes;
        cost = m_costs.systemCall;
    }
    const uint64_t chunk = std::min<uint64_t>(connection.messageLeft, m_costs.segmentBytes);
    connection.messageLeft -= chunk;
    connection.unsent += chunk;
    TrySend(id, sender.core.Work(now, cost + m_costs.sendCopy.GetDuration(chunk)));
    if (connection.messageLeft == 0 && --sender.burstLeft == 0)
    {
        connection.isReady = HasRoom(connection);
        if (connection.isReady)
        {
            sender.ready.push_back(id);
        }
    }
    Plan(sender.core.freeAt, Kind::WRITE, thread);
}

void
KernelTcpRun::TrySend(uint32_t id, Tick now)
{
    Connection& connection = m_connections[id];
    while (connection.unsent > 0)
    {
        const bool isFull = connection.unsent >= m_fullSegment;
        if (!isFull && connection.inNicUntil > now)
        {
            if (!connection.isFlushPlanned)
            {
                connection.isFlushPlanned = true;
                Plan(connection.inNicUntil, Kind::FLUSH, id);
            }
            return;
        }
        SendSegment(id,
                    static_cast<uint32_t>(std::min<uint64_t>(connection.unsent, m_fullSegment)),
                    now);
    }
}

void
KernelTcpRun::SendSegment(uint32_t id, uint32_t bytes, Tick now)
{
    Connection& connection = m_connections[id];
    const Tick passedOn = m_senders[id % m_load.threads].core.Work(now, m_costs.sendSegment);
    const uint64_t headers = KernelTcpLoad::IP_TCP_HEADERS + KernelTcpLoad::ETHERNET;
    const uint64_t wire = bytes + CountPackets(bytes) * (headers + KernelTcpLoad::FRAMING);
    m_linkFree = std::max(m_linkFree, passedOn) + m_rate.GetDuration(wire);
    const bool isReportedAtOnce = CountPackets(bytes) >= m_costs.completionPackets;
    connection.inNicUntil = m_linkFree + (isReportedAtOnce ? 0 : m_costs.completionDelay);
    connection.unsent -= bytes;
    connection.unacked += bytes;
    ++m_segments;
    Plan(m_linkFree + m_costs.nicLatency + ToTick(m_load.delay), Kind::ARRIVE, id, bytes);
}

void
KernelTcpRun::OnArrive(uint32_t connection, uint32_t bytes, Tick now)
{
    const uint32_t thread = connection % m_load.threads;
    Receiver& receiver = m_receivers[thread];
    receiver.arrived.push_back({connection, bytes});
    if (receiver.isPolling)
    {
        return;
    }
    receiver.isPolling = true;
    receiver.isWoken = true;
    const Tick idle = now + m_costs.moderation - receiver.core.freeAt;
    Plan(now + m_costs.moderation + m_costs.GetIdleExit(idle), Kind::POLL, thread);
}

KernelTcpRun::Poll
KernelTcpRun::TakeArrived(Receiver& receiver) const
{
    Poll poll;
    while (poll.packets < m_costs.pollPackets && !receiver.arrived.empty())
    {
        Arrived& next = receiver.arrived.front();
        const uint64_t room = uint64_t{m_costs.pollPackets - poll.packets} * m_load.GetMss();
        const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(next.bytes, room));
        poll.packets += CountPackets(bytes);
        poll.bytes += bytes;
        const bool isSame = !poll.merged.empty() &&
                            poll.merged.back().connection == next.connection &&
                            poll.merged.back().bytes + bytes <= m_costs.segmentBytes;
        if (isSame)
        {
            poll.merged.back().bytes += bytes;
        }
        else
        {
            poll.merged.push_back({next.connection, bytes});
        }
        next.bytes -= bytes;
        if (next.bytes == 0)
        {
            receiver.arrived.pop_front();
        }
    }
    return poll;
}

void
KernelTcpRun::OnPoll(uint32_t thread, Tick now)
{
    Receiver& receiver = m_receivers[thread];
    if (receiver.arrived.empty())
    {
        receiver.isPolling = false;
        return;
    }
    const Poll poll = TakeArrived(receiver);
    const Tick perSegment = m_costs.receiveSegment + GetMiss();
    const Tick softirq =
        (receiver.isWoken ? m_costs.interrupt : 0) + poll.packets * m_costs.receivePacket +
        m_costs.pages.GetDuration(poll.bytes) + static_cast<Tick>(poll.merged.size()) * perSegment;
    Tick reading =
        (receiver.isWoken ? m_costs.wakeUp : 0) + m_costs.receiveCopy.GetDuration(poll.bytes);
    receiver.isWoken = false;
    const Tick acknowledged = receiver.core.Work(now, softirq);
    for (const Arrived& segment : poll.merged)
    {
        Plan(acknowledged + m_costs.nicLatency + ToTick(m_load.delay),
             Kind::ACK,
             segment.connection,
             segment.bytes);
        const uint32_t calls = (segment.bytes + m_costs.readBytes - 1) / m_costs.readBytes;
        reading += calls * m_costs.systemCall;
    }
    receiver.core.Work(now, reading);
    m_wireBytes += poll.bytes + uint64_t{poll.packets} *
                                    (KernelTcpLoad::IP_TCP_HEADERS + KernelTcpLoad::ETHERNET);
    Deliver(poll.bytes, now);
    Plan(receiver.core.freeAt, Kind::POLL, thread); // What arrives meanwhile needs no interrupt.
}

void
KernelTcpRun::OnAck(uint32_t id, uint32_t bytes, Tick now)
{
    const uint32_t thread = id % m_load.threads;
    Sender& sender = m_senders[thread];
    const bool isInterrupted =
        sender.lastInterrupt < 0 || now >= sender.lastInterrupt + m_costs.moderation;
    if (isInterrupted)
    {
        sender.lastInterrupt = now;
    }
    sender.core.Work(now,
                     m_costs.acknowledgment + GetMiss() + (isInterrupted ? m_costs.interrupt : 0));
    Connection& connection = m_connections[id];
    connection.unacked -= bytes;
    if (!connection.isReady && HasRoom(connection))
    {
        connection.isReady = true;
        sender.ready.push_back(id);
    }
    if (sender.isAsleep && !sender.ready.empty())
    {
        sender.isAsleep = false;
        Plan(sender.core.Work(now, m_costs.wakeUp), Kind::WRITE, thread);
    }
}

void
KernelTcpRun::Deliver(uint64_t bytes, Tick now)
{
    m_delivered += bytes;
    if (m_begin.time == 0 && m_delivered * 10 >= m_total * FIRST_TENTHS)
    {
        m_begin = MakeMark(now);
    }
    else if (m_end.time == 0 && m_delivered * 10 >= m_total * LAST_TENTHS)
    {
        m_end = MakeMark(now);
    }
}

KernelTcpRun::Mark
KernelTcpRun::MakeMark(Tick now) const
{
    Mark mark{now, m_delivered, m_wireBytes, 0, 0};
    for (const Sender& sender : m_senders)
    {
        mark.senderBusy += sender.core.GetBusy(now);
    }
    for (const Receiver& receiver : m_receivers)
    {
        mark.receiverBusy += receiver.core.GetBusy(now);
    }
    return mark;
}

} // namespace ns3::rdma
