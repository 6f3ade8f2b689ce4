// SPDX-License-Identifier: GPL-2.0-only

// Event queue, frame pool, random numbers: what every hop goes through, whatever the switch and the
// NIC do.

#include "ns3/event-calendar.h"
#include "ns3/fabric-engine.h"
#include "ns3/frame-pool.h"
#include "ns3/random-stream.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

namespace
{

using namespace ns3::rdma;

constexpr double SHORT_RUN_SECONDS{0.25};

/// A fabric under load, as the scenarios of this program show it.
struct Density
{
    uint32_t pending;   ///< Events that wait.
    double eventsPerNs; ///< What Fabric::Build() expects and tunes the engine for.
    uint32_t targets;   ///< Ports of the fabric.
};

Density
GetDensity(int64_t servers)
{
    return servers == 64 ? Density{3000, 2, 160} : Density{40'000, 49, 3072};
}

/// Delays as a fabric has them: half are arrivals over a 1 us link, half are ports that wake up.
class Delays
{
  public:
    Tick Next()
    {
        const uint32_t draw = m_random.Next32();
        const Tick serialization = 20'000 + (draw >> 16); // 20 to 86 ns.
        return (draw & 1) != 0 ? serialization + 1'000'000 : serialization;
    }

  private:
    RandomStream m_random{1, 1};
};

/// One pop and one push, in slots of 16 and half a nanosecond.
void
CalendarPopPush(benchmark::State& state)
{
    const Density density = GetDensity(state.range(0));
    EventCalendar calendar(state.range(0) == 64 ? 14 : 9, state.range(0) == 64 ? 1024 : 8192);
    Delays delays;
    for (uint32_t event = 0; event < density.pending; ++event)
    {
        calendar.Push({delays.Next(), event % density.targets, event});
    }
    EventRecord event{};
    for (auto _ : state)
    {
        calendar.Pop(event);
        event.time += delays.Next();
        calendar.Push(event);
    }
    state.SetItemsProcessed(state.iterations());
}

/// Schedules itself again, as a fabric without switches and NICs would.
class Bouncer : public EventTarget
{
  public:
    Bouncer(FabricEngine& engine, Delays& delays)
        : m_engine(engine),
          m_delays(delays),
          m_owner(FabricEngine::MakeOwner(engine.Register(this), 0))
    {
    }

    void HandleEvent(uint32_t, uint32_t argument) override
    {
        m_engine.Schedule(m_engine.Now() + m_delays.Next(), m_owner, argument);
    }

  private:
    FabricEngine& m_engine;
    Delays& m_delays;
    uint32_t m_owner;
};

/// The same through the engine, which also finds and calls the target.
void
EngineRunOne(benchmark::State& state)
{
    const Density density = GetDensity(state.range(0));
    FabricEngine engine(true);
    engine.Tune(density.eventsPerNs, 1100000);
    Delays delays;
    std::vector<std::unique_ptr<Bouncer>> targets;
    for (uint32_t target = 0; target < density.targets; ++target)
    {
        targets.push_back(std::make_unique<Bouncer>(engine, delays));
    }
    for (uint32_t event = 0; event < density.pending; ++event)
    {
        targets[event % density.targets]->HandleEvent(0, event);
    }
    for (auto _ : state)
    {
        engine.RunOne();
    }
    state.SetItemsProcessed(state.iterations());
}

/// A frame is made and the oldest one freed, with as many in flight as a fabric of that size holds.
void
FramePoolAllocateFree(benchmark::State& state)
{
    const uint32_t inFlight = GetDensity(state.range(0)).pending;
    FramePool pool;
    std::vector<FrameIndex> frames(inFlight);
    for (FrameIndex& frame : frames)
    {
        frame = pool.Allocate();
    }
    uint32_t oldest = 0;
    for (auto _ : state)
    {
        pool.Free(frames[oldest]);
        frames[oldest] = pool.Allocate();
        pool[frames[oldest]] = Frame{};
        oldest = oldest + 1 == inFlight ? 0 : oldest + 1;
    }
    state.SetItemsProcessed(state.iterations());
}

/// A draw as an ECN mark needs it; each from the next of so many streams, one per port.
void
RandomStreamDraw(benchmark::State& state)
{
    std::vector<RandomStream> streams;
    for (int64_t stream = 0; stream < state.range(0); ++stream)
    {
        streams.emplace_back(1, static_cast<uint64_t>(stream));
    }
    std::size_t next = 0;
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(streams[next].NextDouble());
        next = next + 1 == streams.size() ? 0 : next + 1;
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(CalendarPopPush)->Arg(64)->Arg(1024)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(EngineRunOne)->Arg(64)->Arg(1024)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(FramePoolAllocateFree)->Arg(64)->Arg(1024)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(RandomStreamDraw)->Arg(1)->Arg(3072)->MinTime(SHORT_RUN_SECONDS);

} // namespace
