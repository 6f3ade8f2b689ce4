// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-simulator-impl.h"

#include "ns3/global-value.h"
#include "ns3/random-stream.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

using Trace = std::vector<std::string>;
using Script = std::function<void(Trace&)>;

/// Adds "<now> ps, context <c>: <text>".
void
Note(Trace& trace, const std::string& text)
{
    std::ostringstream line;
    line << Simulator::Now().GetPicoSeconds() << " ps, context "
         << static_cast<int32_t>(Simulator::GetContext()) << ": " << text;
    trace.push_back(line.str());
}

/// Schedules a note.
EventId
Plan(Trace& trace, Time delay, const std::string& text)
{
    return Simulator::Schedule(delay, [&trace, text] { Note(trace, text); });
}

std::string
Describe(const EventId& id)
{
    return std::string(id.IsExpired() ? "expired" : "waiting") + ", " +
           std::to_string(Simulator::GetDelayLeft(id).GetPicoSeconds()) + " ps left";
}

Trace
RunScript(const std::string& implementation, const Script& script)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
    Trace trace;
    script(trace);
    Simulator::Destroy();
    return trace;
}

/// Expects both implementations to do the same.
void
Compare(const Script& script)
{
    const Trace expected = RunScript("ns3::DefaultSimulatorImpl", script);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(RunScript("ns3::rdma::FabricSimulatorImpl", script), expected);
}

/// Records the order of its events.
class RecordingTarget : public EventTarget
{
  public:
    void HandleEvent(uint32_t kind, uint32_t argument) override
    {
        events.push_back(kind * 100 + argument);
        if (onEvent)
        {
            onEvent(kind, argument);
        }
    }

    std::vector<uint32_t> events;
    std::function<void(uint32_t, uint32_t)> onEvent;
};

std::shared_ptr<FabricEngine>
MakeNativeEngine()
{
    UseFabricSimulator();
    return FabricEngine::Get();
}

} // namespace

TEST(FabricSimulatorImpl, RunsEqualTimesInOrderOfScheduling)
{
    Compare([](Trace& trace) {
        Plan(trace, NanoSeconds(10), "a");
        Plan(trace, NanoSeconds(5), "b");
        Plan(trace, NanoSeconds(10), "c");
        Plan(trace, Seconds(2), "far");
        Simulator::Schedule(NanoSeconds(10), [&trace] {
            Note(trace, "d");
            Simulator::ScheduleNow([&trace] { Note(trace, "now"); });
            Plan(trace, Time(0), "after now");
            Plan(trace, PicoSeconds(1), "a picosecond on");
        });
        Plan(trace, NanoSeconds(10), "e");
        Simulator::Run();
        Note(trace, Simulator::IsFinished() ? "finished" : "not finished");
    });
}

TEST(FabricSimulatorImpl, CancelsAndRemovesAsNs3Does)
{
    Compare([](Trace& trace) {
        const EventId cancelled = Plan(trace, NanoSeconds(10), "cancelled");
        const EventId removed = Plan(trace, NanoSeconds(20), "removed");
        const EventId kept = Plan(trace, NanoSeconds(30), "kept");
        Note(trace, Describe(cancelled) + "; " + Describe(removed) + "; " + Describe(kept));
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        Note(trace, Describe(cancelled) + "; " + Describe(removed) + "; " + Describe(kept));
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        Simulator::Schedule(NanoSeconds(12), [&] { Note(trace, "kept is " + Describe(kept)); });
        Simulator::Schedule(NanoSeconds(30), [&] { Note(trace, "kept is " + Describe(kept)); });
        EventId never;
        Note(trace, Describe(never));
        Simulator::Run();
        Simulator::Cancel(kept);
        Simulator::Remove(kept);
        Note(trace, Describe(kept));
    });
}

TEST(FabricSimulatorImpl, DistinguishesWhichOfEqualTimesHaveRun)
{
    Compare([](Trace& trace) {
        std::vector<EventId> ids(5);
        for (uint32_t i = 0; i < ids.size(); ++i)
        {
            ids[i] = Simulator::Schedule(NanoSeconds(7), [&trace, &ids, i] {
                std::string text = std::to_string(i) + ":";
                for (const EventId& id : ids)
                {
                    text += id.IsExpired() ? " ran" : " waits";
                }
                Note(trace, text);
                Simulator::Cancel(ids[(i + 2) % ids.size()]); // 0 cancels 2, 1 cancels 3.
            });
        }
        Simulator::Run();
    });
}

TEST(FabricSimulatorImpl, StopsAndGoesOnAsNs3Does)
{
    Compare([](Trace& trace) {
        for (const int ns : {10, 20, 30, 40})
        {
            Plan(trace, NanoSeconds(ns), "event");
        }
        Simulator::Stop(NanoSeconds(20)); // After the event of the same time, before the next.
        Simulator::Run();
        Note(trace, Simulator::IsFinished() ? "finished" : "not finished");
        Simulator::Schedule(NanoSeconds(10), [] { Simulator::Stop(); });
        Plan(trace, NanoSeconds(10), "not before the second stop");
        Simulator::Run();
        Note(trace, "between");
        Simulator::Run();
        Note(trace, "end");
        Plan(trace, NanoSeconds(5), "after the end");
        Simulator::Run();
    });
}

TEST(FabricSimulatorImpl, KeepsContextsAsNs3Does)
{
    Compare([](Trace& trace) {
        Simulator::ScheduleWithContext(7, NanoSeconds(3), [&trace] {
            Note(trace, "in 7");
            Plan(trace, NanoSeconds(1), "inherits 7");
            Simulator::ScheduleWithContext(8, NanoSeconds(1), [&trace] { Note(trace, "in 8"); });
        });
        Plan(trace, NanoSeconds(3), "in none");
        Simulator::Run();
    });
}

TEST(FabricSimulatorImpl, RunsDestroyEventsAsNs3Does)
{
    Compare([](Trace& trace) {
        const auto plan = [&trace](const char* text) {
            return Simulator::ScheduleDestroy([&trace, text] { trace.emplace_back(text); });
        };
        plan("first");
        const EventId cancelled = plan("cancelled");
        const EventId removed = plan("removed");
        plan("last");
        Note(trace, cancelled.IsExpired() ? "expired" : "waiting");
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        Note(trace, cancelled.IsExpired() ? "expired" : "waiting");
        Note(trace, removed.IsExpired() ? "expired" : "waiting");
        Plan(trace, NanoSeconds(1), "never run");
    });
}

TEST(FabricSimulatorImpl, AgreesWithNs3OnARandomScript)
{
    // Each event draws one of: schedule up to three more at 0 to 2^k ps, cancel or query another.
    Compare([](Trace& trace) {
        RandomStream random(3, 4);
        std::vector<EventId> ids;
        std::function<void(uint32_t)> act = [&](uint32_t number) {
            Note(trace, std::to_string(number));
            for (uint32_t n = random.Next32() % 4; n > 0 && ids.size() < 5000; --n)
            {
                const Tick delay = random.Next32() % (1U << (random.Next32() % 30));
                const auto next = static_cast<uint32_t>(ids.size());
                ids.push_back(Simulator::Schedule(PicoSeconds(delay), [&act, next] { act(next); }));
            }
            const EventId& other = ids[random.Next32() % ids.size()];
            Note(trace, Describe(other));
            if (random.Next32() % 8 == 0)
            {
                Simulator::Cancel(other);
            }
        };
        for (uint32_t number = 0; number < 50; ++number)
        {
            ids.push_back(
                Simulator::Schedule(PicoSeconds(number % 7), [&act, number] { act(number); }));
        }
        Simulator::Run();
    });
}

TEST(FabricSimulatorImpl, RunsNs3EventsBeforeFabricEventsOfTheSameTime)
{
    auto engine = MakeNativeEngine();
    RecordingTarget target;
    const uint32_t id = engine->Register(&target);
    engine->Schedule(1000, FabricEngine::MakeOwner(id, 1), 0);
    engine->Schedule(1000, FabricEngine::MakeOwner(id, 0), 0);
    engine->Schedule(999, FabricEngine::MakeOwner(id, 7), 0);
    Simulator::Schedule(NanoSeconds(1), [&target] { target.events.push_back(1); });
    target.onEvent = [&target](uint32_t kind, uint32_t) {
        if (kind == 0)
        {
            Simulator::ScheduleNow([&target] { target.events.push_back(2); });
        }
    };
    Simulator::Run();
    // Kind x 100: 7 at 999 ps; then ns-3's event, kind 0 and what it schedules, kind 1.
    EXPECT_EQ(target.events, (std::vector<uint32_t>{700, 1, 0, 2, 100}));
    EXPECT_EQ(Simulator::GetEventCount(), 5);
    engine->Unregister(id);
    Simulator::Destroy();
}

TEST(FabricSimulatorImpl, DistinguishesNs3EventsInsideAFabricEvent)
{
    auto engine = MakeNativeEngine();
    RecordingTarget target;
    const uint32_t id = engine->Register(&target);
    engine->Schedule(1000, FabricEngine::MakeOwner(id, 0), 0);
    const EventId ran = Simulator::Schedule(PicoSeconds(1000), [] {});
    const EventId waits = Simulator::Schedule(PicoSeconds(1001), [] {});
    target.onEvent = [&](uint32_t, uint32_t) {
        EXPECT_EQ(Simulator::Now(), PicoSeconds(1000));
        EXPECT_EQ(Simulator::GetContext(), Simulator::NO_CONTEXT);
        EXPECT_TRUE(ran.IsExpired());
        EXPECT_FALSE(waits.IsExpired());
        EXPECT_EQ(Simulator::GetDelayLeft(waits), PicoSeconds(1));
        EXPECT_FALSE(Simulator::ScheduleNow([] {}).IsExpired());
    };
    Simulator::Run();
    EXPECT_EQ(target.events.size(), 1);
    engine->Unregister(id);
    Simulator::Destroy();
}

TEST(FabricSimulatorImpl, CallsItsHeartbeatNowAndThen)
{
    UseFabricSimulator();
    uint32_t beats = 0;
    DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation())->SetHeartbeat([&beats] {
        ++beats;
    });
    for (int event = 0; event < 200'000; ++event)
    {
        Simulator::Schedule(PicoSeconds(event), [] {});
    }
    Simulator::Run();
    EXPECT_EQ(beats, 3); // Once every 65,536 events.
    Simulator::Destroy();
}
