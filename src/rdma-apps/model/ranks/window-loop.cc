// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/window-loop.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

using Clock = std::chrono::steady_clock;

double
GetSecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

/// Stands before the frames in each message.
struct WindowLoop::Head
{
    WindowState state;
    uint64_t frameBytes;
    bool hasFailed;
    bool isInputFailure;
};

void
WindowState::Add(const WindowState& other)
{
    now = std::max(now, other.now);
    nextTime = std::min(nextTime, other.nextTime);
    nextWork = std::min(nextWork, other.nextWork);
    endTime = std::max(endTime, other.endTime);
    started += other.started;
    done += other.done;
    progress += other.progress;
    packetHops += other.packetHops;
    isStopped = isStopped || other.isStopped;
}

WindowLoop::WindowLoop(RankGroup& group, FabricCore& core, WindowClient& client, Tick lookahead)
    : m_group(group),
      m_core(core),
      m_client(client),
      m_lookahead(lookahead),
      m_incoming(group.GetCount())
{
}

std::size_t
WindowLoop::GetHeadBytes()
{
    return sizeof(Head);
}

Tick
WindowLoop::GetWindowEnd(Tick earliest, Tick lookahead, Tick limit)
{
    const bool isEndless = earliest >= TICK_NEVER - lookahead;
    return std::min(limit, isEndless ? TICK_NEVER : earliest + lookahead);
}

void
WindowLoop::Run()
{
    Exchange(0, false);
    while (!m_all.isStopped)
    {
        if (m_all.nextTime != TICK_NEVER)
        {
            m_client.SkipIdle(m_all);
        }
        const Tick decision = m_client.GetDecisionTime();
        if (m_all.nextWork == TICK_NEVER && decision == TICK_NEVER)
        {
            return;
        }
        // Nothing changes any more once no event is left.
        const Tick sample = m_all.nextTime == TICK_NEVER ? TICK_NEVER : m_client.GetSampleTime();
        const Tick limit = std::min(decision, sample);
        const Tick end = GetWindowEnd(m_all.nextTime, m_lookahead, limit);
        if (end != limit && m_group.GetCount() > 1)
        {
            RunOverlapped(limit);
            continue;
        }
        RunWindow(end);
        if (end == sample && end != TICK_NEVER && !m_isStopped)
        {
            m_client.Sample();
        }
        const bool isDue = decision != TICK_NEVER && end == decision;
        Exchange(end, isDue);
        if (isDue && !m_all.isStopped && !m_client.Decide(m_all))
        {
            return;
        }
    }
}

/// Runs windows as long as they end before a limit. All messages are received before and after.
void
WindowLoop::RunOverlapped(Tick limit)
{
    Tick end = GetWindowEnd(m_all.nextTime, m_lookahead / 2, limit);
    RunWindow(end);
    Send(end, false);
    while (m_all.nextTime != TICK_NEVER && !m_all.isStopped && !m_failure)
    {
        // Later than the end before: the earliest event of all never comes earlier.
        end = GetWindowEnd(m_all.nextTime, m_lookahead, limit);
        if (end == limit)
        {
            break;
        }
        RunWindow(end);
        Send(end, false);
        Receive();
    }
    Receive();
    if (m_failure)
    {
        throw *m_failure;
    }
}

bool
WindowLoop::RunEvents(Tick end) const
{
    constexpr uint64_t BEAT_WINDOWS{64}; // Some may take milliseconds, with samples of many flows.
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    return simulator->RunBefore(end) && (m_windows % BEAT_WINDOWS != 0 || simulator->Beat());
}

void
WindowLoop::RunWindow(Tick end)
{
    ++m_windows;
    if (m_group.GetCount() == 1)
    {
        m_isStopped = !RunEvents(end);
        return;
    }
    if (m_isStopped || m_ownFailure)
    {
        return; // Not all ranks know it yet.
    }
    const auto begin = Clock::now();
    // The others wait for this rank: they must be notified.
    try
    {
        m_isStopped = !RunEvents(end);
    }
    catch (const InputError& error)
    {
        m_ownFailure.emplace(m_group.GetRank(), error.what(), true);
    }
    catch (const std::exception& error)
    {
        m_ownFailure.emplace(m_group.GetRank(), error.what(), false);
    }
    m_times.computeSeconds += GetSecondsSince(begin);
}

WindowState
WindowLoop::GetOwnState(bool isDue)
{
    WindowState own = m_client.GetState(isDue);
    bool hasWork = own.nextTime != TICK_NEVER;
    own.now = m_core.engine->Now();
    own.packetHops = m_core.packetHops;
    own.isStopped = m_isStopped;
    if (m_group.GetCount() > 1)
    {
        own.nextTime = std::min(own.nextTime, m_core.outbox->GetEarliest());
        // What the window before has sent is in no rank's events.
        const Tick sentBefore = m_sent.empty() ? TICK_NEVER : m_earliestSent;
        m_earliestSent = own.nextTime;
        own.nextTime = std::min(own.nextTime, sentBefore);
        hasWork = hasWork || m_core.outbox->HasWork() || sentBefore != TICK_NEVER;
    }
    own.nextTime = std::min(own.nextTime, m_core.engine->GetNextTime());
    const bool isIdle = isDue && !hasWork && !m_core.engine->HasWork();
    own.nextWork = isIdle ? TICK_NEVER : own.nextTime;
    return own;
}

/// Ends a window of which all ranks know everything afterwards.
void
WindowLoop::Exchange(Tick end, bool isDue)
{
    if (m_group.GetCount() == 1)
    {
        m_all = GetOwnState(isDue);
        m_client.OnWindow(m_all, end);
        return;
    }
    Send(end, isDue);
    Receive();
    if (m_failure)
    {
        throw *m_failure;
    }
}

void
WindowLoop::Send(Tick end, bool isDue)
{
    const auto begin = Clock::now();
    const double waitedBefore = m_group.GetTraffic().waitSeconds;
    const WindowState own = GetOwnState(isDue);
    for (uint32_t rank = 0; rank < m_group.GetCount(); ++rank)
    {
        if (rank != m_group.GetRank())
        {
            Fill(rank, own);
        }
    }
    m_sent.push_back({own, end, m_ownFailure.has_value()});
    m_group.Send(m_core.outbox->GetBuffers());
    m_core.outbox->Clear();
    const double waited = m_group.GetTraffic().waitSeconds - waitedBefore;
    m_times.waitSeconds += waited;
    m_times.exchangeSeconds += GetSecondsSince(begin) - waited;
}

/// Receives the messages of the oldest window that was sent.
void
WindowLoop::Receive()
{
    const auto begin = Clock::now();
    const double waitedBefore = m_group.GetTraffic().waitSeconds;
    m_group.Receive(m_incoming);
    const SentWindow window = m_sent.front();
    m_sent.pop_front();
    m_all = window.own;
    if (window.hasFailed)
    {
        NoteFailure(*m_ownFailure, m_group.GetRank());
    }
    for (uint32_t rank = 0; rank < m_group.GetCount(); ++rank)
    {
        if (rank != m_group.GetRank())
        {
            Take(rank);
        }
    }
    m_core.outbox->FreePlaces(m_core.pool);
    const double waited = m_group.GetTraffic().waitSeconds - waitedBefore;
    m_times.waitSeconds += waited;
    m_times.exchangeSeconds += GetSecondsSince(begin) - waited;
    if (!m_failure)
    {
        m_client.OnWindow(m_all, window.end);
    }
}

void
WindowLoop::NoteFailure(const RankError& failure, uint32_t rank)
{
    if (rank < m_failedRank)
    {
        m_failure = failure;
        m_failedRank = rank;
    }
}

void
WindowLoop::Fill(uint32_t rank, const WindowState& own)
{
    ByteBuffer& buffer = m_core.outbox->GetBuffers()[rank];
    const Head head{own,
                    buffer.GetSize() - sizeof(Head),
                    m_ownFailure.has_value(),
                    m_ownFailure && m_ownFailure->IsInput()};
    std::memcpy(buffer.GetData(), &head, sizeof head);
    if (m_ownFailure)
    {
        buffer.Put(std::string(m_ownFailure->what()));
    }
    m_client.Pack(rank, buffer);
}

void
WindowLoop::Take(uint32_t rank)
{
    ByteReader reader(m_incoming[rank]);
    const auto head = reader.Get<Head>();
    const char* const frames = reader.Skip(head.frameBytes);
    if (head.hasFailed)
    {
        // The text names the rank.
        NoteFailure(RankError(0, reader.Get<std::string>(), head.isInputFailure), rank);
    }
    m_all.Add(head.state);
    ByteReader frameReader(frames, head.frameBytes);
    while (frameReader.GetLeft() > 0)
    {
        const FrameIndex place = m_core.outbox->TakePlace(m_core.pool);
        const FrameArrival arrival = UnpackFrame(frameReader, m_core.pool, place);
        m_core.engine->Schedule(arrival.when, arrival.owner, arrival.frame);
    }
    m_client.Unpack(reader);
}

} // namespace ns3::rdma
