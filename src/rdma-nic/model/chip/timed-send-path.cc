// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-send-path.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("TimedSendPath");

TimedSendPath::TimedSendPath(FabricCore& core,
                             FabricPort& port,
                             const QueuePairTable& table,
                             NicTransmitter& transmitter,
                             NicHardware& hardware,
                             std::shared_ptr<RateLimiter> limiter)
    : m_core(core),
      m_port(port),
      m_table(table),
      m_transmitter(transmitter),
      m_hardware(hardware),
      m_pcie(hardware.GetPcie()),
      m_pipeline(hardware.GetTransmitPipeline()),
      m_fetcher(hardware.GetWqeFetcher()),
      m_gpu(hardware.GetGpuPath().GetMemory() ? &hardware.GetGpuPath() : nullptr),
      m_limiter(std::move(limiter)),
      m_prefetchBytes(hardware.GetPrefetchBytes()),
      m_turns(m_fetcher.GetMaxFetches()),
      m_capacity(hardware.GetTransmitBufferBytes()),
      m_target(m_core.engine->Register(this))
{
    for (uint32_t turn = m_fetcher.GetMaxFetches(); turn > 0; --turn)
    {
        m_freeTurns.push_back(turn - 1);
    }
}

TimedSendPath::~TimedSendPath()
{
    m_core.engine->Unregister(m_target);
}

void
TimedSendPath::Hold(const QueuePair& queuePair, uint64_t postedEnd)
{
    GetHeld(m_table.GetPlace(queuePair.GetNumber())) = {postedEnd, postedEnd, m_core.engine->Now()};
}

void
TimedSendPath::ForgetHeld(const QueuePair& queuePair)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    GetHeld(place) = {};
    if (m_prefetchBytes > 0)
    {
        GetAhead(place) = {};
    }
}

PayloadPrefetch&
TimedSendPath::GetAhead(uint32_t place)
{
    if (place >= m_ahead.size())
    {
        m_ahead.resize(place + 1);
    }
    return m_ahead[place];
}

void
TimedSendPath::FillPrefetch(const QueuePair& queuePair, Tick now)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    HeldWqes& held = GetHeld(place);
    held.Arrive(now);
    const PacketWindow& window = queuePair.GetRequester()->GetWindow();
    const uint64_t end = std::min(window.GetKnownEnd(), held.until);
    PayloadPrefetch& ahead = GetAhead(place);
    uint64_t number = std::max(ahead.GetEnd(), window.GetNext());
    while (number < end && ahead.GetBytes() < m_prefetchBytes)
    {
        uint32_t count = 1;
        const PayloadSource source = m_transmitter.Peek(queuePair, number, count);
        const bool isRead = source.bytes > 0 && source.origin == PayloadOrigin::HOST &&
                            !(source.isInline && m_fetcher.TakesInline());
        if (isRead)
        {
            ahead.Push(number, source.bytes, FetchAnyPayload(source, now));
        }
        number += count;
        ahead.Skip(number);
    }
}

Tick
TimedSendPath::TakePrefetched(const QueuePair& queuePair,
                              const PayloadSource& source,
                              uint64_t next,
                              Tick now)
{
    const bool isNew = queuePair.GetRequester()->GetWindow().GetNext() != next;
    const auto readyAt = isNew ? GetAhead(m_table.GetPlace(queuePair.GetNumber())).Take(next)
                               : std::optional<Tick>();
    return readyAt ? std::max(*readyAt, now) : FetchAnyPayload(source, now);
}

bool
TimedSendPath::HasRoom() const
{
    return m_chipBytes < m_capacity && !m_freeTurns.empty();
}

void
TimedSendPath::Fetch(Tick now)
{
    while (HasRoom())
    {
        QueuePair* queuePair = m_transmitter.Pick(now);
        if (!queuePair)
        {
            m_transmitter.WakeWhenReady(now);
            m_hasStalled = false;
            return;
        }
        BeginTurn(*queuePair, now);
    }
    m_hasStalled = true; // Tried again when a frame leaves or a turn ends.
    ++m_stats.stallsForBuffer;
}

void
TimedSendPath::FetchAfterLeaving(Tick now)
{
    // Without a stall no queue pair was ready. A queue pair that becomes ready later calls Fetch();
    // a paced one does so at the time of the wake-up.
    if (m_hasStalled || m_transmitter.GetWakeTime() <= now)
    {
        Fetch(now);
    }
}

void
TimedSendPath::BeginTurn(QueuePair& queuePair, Tick now)
{
    ++m_stats.turns;
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    const Tick contextAt = m_hardware.GetContextCache().Access(now, place);
    HeldWqes& held = GetHeld(place);
    const uint32_t limit = m_fetcher.GetWqesPerTurn();
    Turn turn{queuePair.GetNumber(), limit, limit, 0};
    if (contextAt <= now && IsUnderWay(queuePair, held))
    {
        SendBurst(queuePair, turn, now);
        return;
    }
    const Tick fetchedAt = FetchWorkRequests(queuePair, held, now, contextAt, turn);
    NS_LOG_LOGIC("queue pair " << queuePair.GetNumber() << " to endpoint "
                               << queuePair.GetConnection().remoteEndpoint
                               << " begins a turn: its context is on the chip in "
                               << contextAt - now << " ps, its work requests in " << fetchedAt - now
                               << " ps");
    if (fetchedAt <= now)
    {
        SendBurst(queuePair, turn, now);
        return;
    }
    if (QueuePairTraces* traces = m_transmitter.GetTraces())
    {
        traces->turn(queuePair.GetNumber(), contextAt, fetchedAt);
    }
    // Prevents that it is added to the scheduler before its turn ends.
    m_transmitter.SetScheduled(queuePair, true);
    turn.reserved = static_cast<uint32_t>(
        std::min<uint64_t>(m_fetcher.GetBurstBytes(),
                           queuePair.GetRequester()->GetSendableBytes(turn.requests)));
    m_chipBytes += turn.reserved;
    const uint32_t slot = m_freeTurns.back();
    m_freeTurns.pop_back();
    m_turns[slot] = turn;
    m_core.engine->Schedule(fetchedAt, FabricEngine::MakeOwner(m_target, FETCHED), slot);
}

bool
TimedSendPath::IsUnderWay(const QueuePair& queuePair, const HeldWqes& held)
{
    // The common case of a paced queue pair: it is in the middle of a message whose work request is
    // on the chip.
    const Requester& requester = *queuePair.GetRequester();
    return queuePair.HasOnlyRequests() && requester.GetWindow().GetNext() < held.until &&
           !requester.GetWindow().HasLost() && !requester.GetWindow().IsAtMessageStart();
}

Tick
TimedSendPath::FetchWorkRequests(const QueuePair& queuePair,
                                 HeldWqes& held,
                                 Tick now,
                                 Tick contextAt,
                                 Turn& turn)
{
    const Requester& requester = *queuePair.GetRequester();
    const bool isRequestNext = requester.GetNextSendTime() <= now;
    if (contextAt > now)
    {
        held = {}; // They were dropped with the context.
    }
    if (!isRequestNext || (requester.GetWindow().HasLost() && m_fetcher.KeepsWqes()))
    {
        return m_fetcher.Decide(contextAt, false); // The turn needs no new work request.
    }
    held.Arrive(now);
    if (!requester.GetWindow().HasLost() && requester.GetWindow().GetNext() < held.comingUntil)
    {
        Prefetch(queuePair, held, now);
        const bool isHere = requester.GetWindow().GetNext() < held.until;
        return m_fetcher.Decide(isHere ? contextAt : std::max(contextAt, held.comeAt),
                                requester.GetWindow().IsAtMessageStart());
    }
    // Entries of the retry queue, one per packet, are fetched like work requests and before them.
    // If the context was missing, only the work requests of this turn are fetched into the cache.
    const bool isCold = contextAt > now && m_fetcher.KeepsWqes();
    const uint32_t wanted = isCold ? turn.requests : m_fetcher.GetWqesPerFetch();
    const auto resends =
        static_cast<uint32_t>(std::min<uint64_t>(wanted, requester.GetWindow().CountLost()));
    const uint64_t next = requester.GetWindow().GetNext();
    const uint32_t fetched =
        resends + requester.GetWindow().CountMessages(next,
                                                      std::numeric_limits<uint64_t>::max(),
                                                      wanted - resends);
    turn.hasFetched = true;
    turn.resends = std::min(resends, turn.resends);
    turn.requests = std::min(fetched - resends, turn.requests - turn.resends);
    const Tick fetchedAt = m_fetcher.Fetch(now, contextAt, fetched);
    if (m_fetcher.KeepsWqes())
    {
        held.comingUntil = requester.GetWindow().GetEndOfMessages(next, fetched - resends);
        held.comeAt = fetchedAt;
    }
    return fetchedAt;
}

void
TimedSendPath::Prefetch(const QueuePair& queuePair, HeldWqes& held, Tick now)
{
    const Requester& requester = *queuePair.GetRequester();
    const uint32_t wanted = m_fetcher.GetWqesPerFetch();
    if (held.until < held.comingUntil || held.until >= requester.GetWindow().GetKnownEnd() ||
        m_fetcher.QueuesPushed() ||
        requester.GetWindow().CountMessages(requester.GetWindow().GetNext(), held.until, wanted) *
                2 >
            wanted)
    {
        return;
    }
    held.comingUntil = requester.GetWindow().GetEndOfMessages(held.until, wanted);
    held.comeAt =
        m_fetcher.Prefetch(now,
                           requester.GetWindow().CountMessages(held.until,
                                                               std::numeric_limits<uint64_t>::max(),
                                                               wanted));
}

void
TimedSendPath::OnFetched(const Turn& turn, Tick now)
{
    m_chipBytes -= turn.reserved;
    QueuePair* queuePair = m_table.Find(turn.queuePair);
    if (!queuePair || !m_transmitter.Has(*queuePair) || !m_transmitter.IsScheduled(*queuePair))
    {
        return; // Destroyed, or moved to another port.
    }
    m_transmitter.SetScheduled(*queuePair, false);
    if (!queuePair->GetRequester())
    {
        return; // Reset in the meantime.
    }
    SendBurst(*queuePair, turn, now);
}

// The functions up to SendBurst() are inlined: each packet passes them.

[[gnu::always_inline]] inline bool
TimedSendPath::MaySend(QueuePair& queuePair, uint64_t sentBytes, Tick now)
{
    const Tick readyAt = m_transmitter.GetReadyTime(queuePair);
    if (readyAt <= now)
    {
        return sentBytes < m_fetcher.GetBurstBytes() && m_transmitter.HasRoute(queuePair, now);
    }
    // In a turn that has begun the rate applies after the burst.
    const uint32_t burst = std::min(m_fetcher.GetPacedBurstBytes(), m_fetcher.GetBurstBytes());
    return sentBytes > 0 && sentBytes < burst && readyAt != TICK_NEVER &&
           queuePair.HasOnlyRequests();
}

Tick
TimedSendPath::FetchAnyPayload(const PayloadSource& source, Tick now)
{
    const bool isHere = source.bytes == 0 || source.origin == PayloadOrigin::CHIP ||
                        (source.isInline && m_fetcher.TakesInline());
    if (isHere)
    {
        return now;
    }
    const CardMemory& card = m_hardware.GetCardMemory();
    if (source.origin == PayloadOrigin::CARD || (source.isResend && card.IsUsed()))
    {
        return card.Read(now);
    }
    if (m_gpu && m_gpu->IsUsed() && m_gpu->Holds(source.address))
    {
        return FetchFromGpu(source, now);
    }
    const Tick translatedAt =
        source.address == 0
            ? now
            : m_hardware.GetTranslationCache().Access(now, source.address, source.bytes);
    return m_pcie.Read(now, translatedAt, DmaKind::PAYLOAD, source.address, source.bytes);
}

[[gnu::always_inline]] inline Tick
TimedSendPath::FetchPayload(const PayloadSource& source, Tick now)
{
    const bool isPlain = source.bytes > 0 && source.address == 0 && !source.isInline &&
                         !source.isResend && source.origin == PayloadOrigin::HOST && !m_gpu;
    return isPlain ? m_pcie.Read(now, now, DmaKind::PAYLOAD, 0, source.bytes)
                   : FetchAnyPayload(source, now);
}

[[gnu::always_inline]] inline void
TimedSendPath::Ship(const QueuePair& queuePair,
                    FrameIndex index,
                    const PayloadSource& source,
                    Tick payloadAt,
                    Tick now)
{
    if (source.services)
    {
        payloadAt = m_transmitter.Serve(queuePair, index, source, payloadAt);
    }
    const uint32_t wireBytes = m_core.pool[index].wireBytes;
    const Tick readyAt = m_pipeline.Enter(now, payloadAt, wireBytes);
    NS_LOG_LOGIC("endpoint " << m_core.pool[index].src << ", queue pair " << queuePair.GetNumber()
                             << ", PSN " << m_core.pool[index].psn
                             << ": the payload is on the chip in " << payloadAt - now
                             << " ps, the frame leaves the transmit pipeline in " << readyAt - now
                             << " ps");
    if (QueuePairTraces* traces = m_transmitter.GetTraces())
    {
        traces->transmitStages(m_core.pool[index], payloadAt, readyAt);
    }
    if (m_leaving.IsEmpty())
    {
        WakeAt(readyAt);
    }
    m_leaving.Push({index, wireBytes, readyAt});
    m_chipBytes += wireBytes;
}

void
TimedSendPath::SendBurst(QueuePair& queuePair, const Turn& turn, Tick now)
{
    // A turn is limited by work requests, by bytes and by the requester.
    const uint64_t end = queuePair.GetRequester()->GetWindow().GetEndOfMessages(
        queuePair.GetRequester()->GetWindow().GetNext(),
        turn.requests);
    uint64_t bytes = 0;
    uint32_t resends = 0;
    uint32_t packets = 0;
    while (MaySend(queuePair, bytes, now))
    {
        const Requester& requester = *queuePair.GetRequester();
        const bool isBeyond = requester.GetWindow().HasLost()
                                  ? resends >= turn.resends && !m_fetcher.KeepsWqes()
                                  : requester.GetWindow().GetNext() >= end;
        if (queuePair.HasOnlyRequests() && isBeyond)
        {
            break;
        }
        PayloadSource source;
        const uint64_t next = requester.GetWindow().GetNext();
        const FrameIndex index = m_transmitter.Take(queuePair, now, source);
        const Tick payloadAt = m_prefetchBytes == 0 ? FetchPayload(source, now)
                                                    : TakePrefetched(queuePair, source, next, now);
        Ship(queuePair, index, source, payloadAt, now);
        bytes += std::max<uint32_t>(m_core.pool[index].payloadBytes, 1);
        resends += source.isResend;
        ++packets;
    }
    if (turn.hasFetched && !m_fetcher.KeepsWqes())
    {
        const Requester& requester = *queuePair.GetRequester();
        m_fetcher.Drop(turn.resends - std::min(resends, turn.resends) +
                       requester.GetWindow().CountMessages(requester.GetWindow().GetNext(),
                                                           end,
                                                           turn.requests));
    }
    ReadAhead(queuePair, now);
    m_stats.packets += packets;
    m_stats.emptyTurns += packets == 0;
    m_transmitter.Return(queuePair);
}

Tick
TimedSendPath::FetchFromGpu(const PayloadSource& source, Tick now)
{
    const Tick from = m_gpu->Read(now, source.address, source.bytes);
    return m_gpu->GetLatency() +
           m_pcie.Read(now, from, DmaKind::PAYLOAD, source.address, source.bytes);
}

void
TimedSendPath::RemoveFirst()
{
    m_chipBytes -= m_leaving.GetFirst().wireBytes;
    m_leaving.Pop();
}

PulledFrame
TimedSendPath::PullFirst(Tick now)
{
    const LeavingFrame first = m_leaving.GetFirst();
    const Tick allowedAt = m_limiter ? m_limiter->GetReadyTime() : 0;
    if (const Tick readyAt = std::max(first.readyAt, allowedAt); readyAt > now)
    {
        WakeAt(readyAt);
        return {};
    }
    RemoveFirst();
    const Tick idleAt = now + m_port.GetSerialization(first.wireBytes);
    m_transmitter.ExpectLeft(m_core.pool[first.index], idleAt);
    Tick next = 0;
    if (m_limiter)
    {
        m_limiter->Take(now, m_core.CountOnWire(first.wireBytes));
        next = m_limiter->GetReadyTime();
    }
    FetchAfterLeaving(now);
    if (m_leaving.IsEmpty())
    {
        return {first.index, false};
    }
    next = std::max(next, m_leaving.GetFirst().readyAt);
    if (next <= idleAt)
    {
        return {first.index, true};
    }
    WakeAt(next);
    return {first.index, false};
}

void
TimedSendPath::WakeAt(Tick when)
{
    if (when < m_wakeAt)
    {
        m_wakeAt = when;
        m_core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, LEAVES), 0);
    }
}

void
TimedSendPath::HandleEvent(uint32_t kind, uint32_t argument)
{
    const Tick now = m_core.engine->Now();
    if (kind == FETCHED)
    {
        m_freeTurns.push_back(argument);
        OnFetched(m_turns[argument], now);
        Fetch(now);
    }
    else if (m_wakeAt == now)
    {
        m_wakeAt = TICK_NEVER;
        // When a shared limiter allows a frame, the port chooses among all classes.
        m_limiter ? m_port.Kick() : m_port.Kick(m_transmitter.GetClasses());
    }
}

} // namespace ns3::rdma
