// SPDX-License-Identifier: GPL-2.0-only

// A queue pair whose consumer is a program: the NIC takes no core time for it.

#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t BYTES{1000};

QueuePairInit
MakeProgramsInit(bool hasProgram)
{
    QueuePairInit init;
    init.service = Service::UC;
    init.hasProgram = hasProgram;
    return init;
}

/// Posts one WRITE with immediate data. @return when end 1's completion was there
Tick
RunOneMessage(VerbsTestBench& bench, bool hasProgram)
{
    bench.Start(MakeProgramsInit(hasProgram));
    Tick comeAt = 0;
    bench.ends[1].receives->SetNotifier([&] { comeAt = Simulator::Now().GetPicoSeconds(); });
    bench.ends[1].receives->RequestNotify(false);
    bench.PostReceive(7, 0, BYTES);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE_WITH_IMM, 1, 0, BYTES));
    bench.Run();
    return comeAt;
}

Tick
GetBusy(VerbsTestBench& bench, uint32_t node)
{
    Tick busy = 0;
    for (const Tick task : bench.GetNic(node).GetHardware()->GetCpu().GetStats().busy)
    {
        busy += task;
    }
    return busy;
}
} // namespace

TEST(HostProgram, TheNicTakesNoCoreTimeForAProgramsQueuePair)
{
    VerbsTestBench charged("connectx6", true);
    const Tick chargedAt = RunOneMessage(charged, false);
    EXPECT_EQ(GetBusy(charged, 0), 140'000); // Post 40, doorbell 60, poll 40 ns.
    EXPECT_EQ(GetBusy(charged, 1), 40'000);  // Poll.
    VerbsTestBench own("connectx6", true);
    const Tick ownAt = RunOneMessage(own, true);
    EXPECT_EQ(GetBusy(own, 0), 0);
    EXPECT_EQ(GetBusy(own, 1), 0);
    // Post and doorbell before it leaves, poll when it has come: 40 + 60 + 40 ns less.
    EXPECT_EQ(chargedAt - ownAt, 140'000);
}

TEST(HostProgram, TheDoorbellLeavesWhenTheProgramPosts)
{
    VerbsTestBench bench("connectx6", true);
    bench.Start(MakeProgramsInit(true));
    bench.PostReceive(7, 0, BYTES);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE_WITH_IMM, 1, 0, BYTES));
    EXPECT_EQ(bench.GetNic(0).GetHardware()->GetPcie().GetStats().doorbells, 1U);
    EXPECT_TRUE(bench.ends[1].PollReceives().empty());
    bench.Run();
    EXPECT_EQ(bench.ends[1].PollReceives().size(), 1U);
}

TEST(HostProgram, WithoutHardwareItIsAsAnyOther)
{
    VerbsTestBench one("connectx6");
    VerbsTestBench two("connectx6");
    EXPECT_EQ(RunOneMessage(one, true), RunOneMessage(two, false));
}

TEST(HostProgram, AQueuePairOfAProgramIsNotPlain)
{
    EXPECT_TRUE(IsPlain(QueuePairInit{}));
    QueuePairInit init;
    init.hasProgram = true;
    EXPECT_FALSE(IsPlain(init));
}
