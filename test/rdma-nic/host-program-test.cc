// SPDX-License-Identifier: GPL-2.0-only

// A queue pair whose consumer is a program: the NIC takes no core time for it.

#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t BYTES{1000};

QueuePairInit
MakeProgramsInit(bool hasOwnCosts)
{
    QueuePairInit init;
    init.service = Service::UC;
    init.hasOwnCosts = hasOwnCosts;
    return init;
}

Tick
GetBusy(VerbsTestBench& bench, uint32_t node)
{
    Tick busy = 0;
    const NicHardware* hardware = bench.GetNic(node).GetHardware();
    for (std::size_t task = 0; hardware && task < CPU_TASKS; ++task)
    {
        busy += hardware->GetCpu().GetStats().busy[task];
    }
    return busy;
}

struct OneMessage
{
    Tick comeAt{0}; ///< When end 1's completion was there.
    Tick busy[2]{}; ///< Core time that the NICs took, by node.
};

/// Posts one WRITE with immediate data.
OneMessage
RunOneMessage(bool hasHardware, bool hasOwnCosts)
{
    VerbsTestBench bench("connectx6", hasHardware);
    OneMessage result;
    bench.Start(MakeProgramsInit(hasOwnCosts));
    Tick& comeAt = result.comeAt;
    bench.ends[1].receives->SetNotifier([&] { comeAt = Simulator::Now().GetPicoSeconds(); });
    bench.ends[1].receives->RequestNotify(false);
    bench.PostReceive(7, 0, BYTES);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE_WITH_IMM, 1, 0, BYTES));
    bench.Run();
    result.busy[0] = GetBusy(bench, 0);
    result.busy[1] = GetBusy(bench, 1);
    return result;
}
} // namespace

TEST(HostProgram, TheNicTakesNoCoreTimeForAProgramsQueuePair)
{
    const OneMessage charged = RunOneMessage(true, false);
    EXPECT_EQ(charged.busy[0], 140'000); // Post 40, doorbell 60, poll 40 ns.
    EXPECT_EQ(charged.busy[1], 40'000);  // Poll.
    const OneMessage own = RunOneMessage(true, true);
    EXPECT_EQ(own.busy[0], 0);
    EXPECT_EQ(own.busy[1], 0);
    // Post and doorbell before it leaves, poll when it has come: 40 + 60 + 40 ns less.
    EXPECT_EQ(charged.comeAt - own.comeAt, 140'000);
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
    EXPECT_EQ(RunOneMessage(false, true).comeAt, RunOneMessage(false, false).comeAt);
}

TEST(HostProgram, AQueuePairOfAProgramIsNotPlain)
{
    EXPECT_TRUE(IsPlain(QueuePairInit{}));
    QueuePairInit init;
    init.hasOwnCosts = true;
    EXPECT_FALSE(IsPlain(init));
}
