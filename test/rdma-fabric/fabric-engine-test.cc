// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-engine.h"

#include "fabric-test-bench.h"

#include "ns3/global-value.h"
#include "ns3/simple-topologies.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Counts its events.
class CountingTarget : public EventTarget
{
  public:
    void HandleEvent(uint32_t, uint32_t) override
    {
        ++count;
    }

    uint32_t count{0};
};

class FabricEngineTest : public FabricBench
{
  protected:
    /// Three servers send frames of all sizes to a fourth; @return what arrives there.
    std::vector<Arrival> RunIncast(const char* implementation)
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
        Build(MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)));
        EXPECT_EQ(Simulator::GetImplementation()->GetInstanceTypeId().GetName(), implementation);
        for (uint32_t server = 0; server < 3; ++server)
        {
            // A picosecond apart, so that no two frames arrive at the switch at the same time.
            At(server, [this, server] {
                for (uint32_t psn = 0; psn < 100; ++psn)
                {
                    const uint8_t priority = psn % PRIORITIES;
                    Server(server).Send(MakeFrame(server, 3, psn, priority, 64 + 13 * psn));
                }
            });
        }
        Simulator::Run();
        std::vector<Arrival> arrivals = Server(3).arrivals;
        Clear();
        return arrivals;
    }
};

} // namespace

TEST_F(FabricEngineTest, GivesTheSameArrivalsUnderAnotherSimulator)
{
    const std::vector<Arrival> native = RunIncast("ns3::rdma::FabricSimulatorImpl");
    const std::vector<Arrival> plain = RunIncast("ns3::DefaultSimulatorImpl");
    ASSERT_EQ(native.size(), 300);
    ASSERT_EQ(plain.size(), 300);
    for (std::size_t i = 0; i < native.size(); ++i)
    {
        ASSERT_EQ(native[i].time, plain[i].time) << i;
        ASSERT_EQ(native[i].frame.src, plain[i].frame.src) << i;
        ASSERT_EQ(native[i].frame.psn, plain[i].frame.psn) << i;
    }
}

TEST_F(FabricEngineTest, DropsEventsOfATargetThatHasGone)
{
    for (const char* implementation :
         {"ns3::rdma::FabricSimulatorImpl", "ns3::DefaultSimulatorImpl"})
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
        auto engine = FabricEngine::Get();
        EXPECT_EQ(FabricEngine::Get(), engine);
        CountingTarget stays;
        CountingTarget goes;
        const uint32_t stayId = engine->Register(&stays);
        const uint32_t goId = engine->Register(&goes);
        EXPECT_EQ(goId, stayId + 1);
        engine->Schedule(500, FabricEngine::MakeOwner(stayId, 0), 0);
        engine->Schedule(500, FabricEngine::MakeOwner(goId, 0), 0);
        engine->Unregister(goId);
        Simulator::Run();
        EXPECT_EQ(engine->Now(), 500);
        EXPECT_EQ(stays.count, 1) << implementation;
        EXPECT_EQ(goes.count, 0) << implementation;
        engine->Unregister(stayId);
        Simulator::Destroy();
    }
}

TEST_F(FabricEngineTest, AFabricRunsOnWhenAnotherOneHasGone)
{
    Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)));
    auto other = CreateObject<Fabric>(); // The engine fetches its frames from here on.
    other->Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)), {});
    Simulator::Run();
    other->Dispose();
    other = nullptr;
    // More events at a time than the engine looks ahead.
    Server(0).Blast(MakeFrame(0, 2), 100);
    Server(1).Blast(MakeFrame(1, 2), 100);
    Simulator::Run();
    EXPECT_EQ(Server(2).arrivals.size(), 200);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricEngineTest, KeepsTimeWhateverItIsTunedFor)
{
    auto engine = FabricEngine::Get();
    CountingTarget target;
    const uint32_t id = engine->Register(&target);
    for (const double eventsPerNs : {0.0, 1e-3, 1.0, 50.0, 1e6})
    {
        engine->Tune(eventsPerNs, 4000000);
        const Tick before = engine->Now();
        target.count = 0;
        for (const Tick delay : {0, 1, 5'000, 5'000'000, 2'000'000'000})
        {
            engine->Schedule(before + delay, FabricEngine::MakeOwner(id, 0), 0);
        }
        Simulator::Run();
        EXPECT_EQ(target.count, 5);
        EXPECT_EQ(engine->Now(), before + 2'000'000'000);
    }
    engine->Unregister(id);
}
