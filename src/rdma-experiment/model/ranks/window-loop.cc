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
WindowLoop::GetWindowEnd(Tick earliest, Tick lookahead, Tick decision)
{
    const bool isEndless = earliest >= TICK_NEVER - lookahead;
    return std::min(decision, isEndless ? TICK_NEVER : earliest + lookahead);
}

void
WindowLoop::Run()
{
    Exchange(false);
    while (!m_all.isStopped)
    {
        if (m_all.nextTime != TICK_NEVER)
        {
            m_client.SkipIdle(m_all);
        }
        const Tick decision = m_client.GetDecisionTime();
        if (m_all.nextTime == TICK_NEVER && decision == TICK_NEVER)
        {
            return;
        }
        // Nothing changes any more once no event is left.
        const Tick sample = m_all.nextTime == TICK_NEVER ? TICK_NEVER : m_client.GetSampleTime();
        const Tick end = GetWindowEnd(m_all.nextTime, m_lookahead, std::min(decision, sample));
        RunWindow(end);
        if (end == sample && end != TICK_NEVER && !m_isStopped)
        {
            m_client.Sample();
        }
        const bool isDue = decision != TICK_NEVER && end == decision;
        Exchange(isDue);
        if (isDue && !m_all.isStopped && !m_client.Decide(m_all))
        {
            return;
        }
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
    const auto begin = Clock::now();
    // The others wait for this rank: they must be notified.
    try
    {
        m_isStopped = !RunEvents(end);
    }
    catch (const InputError& error)
    {
        m_failure.emplace(m_group.GetRank(), error.what(), true);
        m_failedRank = m_group.GetRank();
    }
    catch (const std::exception& error)
    {
        m_failure.emplace(m_group.GetRank(), error.what(), false);
        m_failedRank = m_group.GetRank();
    }
    m_times.computeSeconds += GetSecondsSince(begin);
}

void
WindowLoop::Exchange(bool isDue)
{
    WindowState own = m_client.GetState(isDue);
    own.now = m_core.engine->Now();
    own.packetHops = m_core.packetHops;
    own.isStopped = m_isStopped;
    own.nextTime = std::min(own.nextTime, m_core.engine->GetNextTime());
    if (m_group.GetCount() > 1)
    {
        own.nextTime = std::min(own.nextTime, m_core.outbox->GetEarliest());
        ExchangeMessages(own);
    }
    else
    {
        m_all = own;
    }
    if (m_failure)
    {
        throw *m_failure;
    }
    m_client.OnWindow(m_all);
}

void
WindowLoop::ExchangeMessages(const WindowState& own)
{
    const auto begin = Clock::now();
    const double waitedBefore = m_group.GetTraffic().waitSeconds;
    for (uint32_t rank = 0; rank < m_group.GetCount(); ++rank)
    {
        if (rank != m_group.GetRank())
        {
            Fill(rank, own);
        }
    }
    m_group.Exchange(m_core.outbox->GetBuffers(), m_incoming);
    m_core.outbox->Clear();
    m_all = own;
    for (uint32_t rank = 0; rank < m_group.GetCount(); ++rank)
    {
        if (rank != m_group.GetRank())
        {
            Take(rank);
        }
    }
    const double waited = m_group.GetTraffic().waitSeconds - waitedBefore;
    m_times.waitSeconds += waited;
    m_times.exchangeSeconds += GetSecondsSince(begin) - waited;
}

void
WindowLoop::Fill(uint32_t rank, const WindowState& own)
{
    ByteBuffer& buffer = m_core.outbox->GetBuffers()[rank];
    const Head head{own,
                    buffer.GetSize() - sizeof(Head),
                    m_failure.has_value(),
                    m_failure && m_failure->IsInput()};
    std::memcpy(buffer.GetData(), &head, sizeof head);
    if (m_failure)
    {
        buffer.PutText(m_failure->what());
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
        const std::string text = reader.GetText(); // Names the rank.
        if (rank < m_failedRank)
        {
            m_failure.emplace(0, text, head.isInputFailure);
            m_failedRank = rank;
        }
    }
    m_all.Add(head.state);
    ByteReader frameReader(frames, head.frameBytes);
    while (frameReader.GetLeft() > 0)
    {
        const FrameArrival arrival = UnpackFrame(frameReader, m_core.pool);
        m_core.engine->Schedule(arrival.when, arrival.owner, arrival.frame);
    }
    m_client.Unpack(reader);
}

} // namespace ns3::rdma
