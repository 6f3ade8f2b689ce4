// SPDX-License-Identifier: GPL-2.0-only
#include "../expect-error.h"
#include "../rdma-nic/nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/verbs-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t BYTES{1000};

/// @return when a WRITE of one packet ends whose first sending is lost.
Tick
FindEndAfterLoss(const std::string& queuePairs)
{
    NicTestBench bench("strom10g");
    NicTestBench::Set("TimerArrayTimeout::QueuePairs", queuePairs);
    bench.Build(MakeBackToBack(DataRate("10Gbps"), NanoSeconds(500)));
    bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number == 0; });
    bench.Post(bench.Connect(0, 1), 1, BYTES);
    bench.Run();
    EXPECT_EQ(bench.GetEnded().size(), 1);
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    return bench.GetEnded().front().at;
}
} // namespace

TEST(StromNic, RefusesQueuePair501)
{
    for (const bool hasHardware : {false, true})
    {
        NicTestBench bench("strom100g", hasHardware);
        bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        RdmaNic& nic = bench.GetNic(1);
        uint32_t last = 0;
        for (int i = 0; i < 500; ++i)
        {
            last = nic.CreateQueuePair();
        }
        ExpectError<VerbsError>(
            [&nic] { nic.CreateQueuePair(); },
            "the NIC of endpoint 1 holds at most 500 queue pairs at a time, the limit "
            "of ns3::rdma::TimerArrayTimeout");
        nic.DestroyQueuePair(last);
        nic.CreateQueuePair();
        ExpectError<VerbsError>([&nic] { nic.CreateQueuePair(); }, "at most 500 queue pairs");
    }
}

TEST(StromNic, MayHave16000QueuePairs)
{
    NicTestBench bench("strom10g");
    NicTestBench::Set("TimerArrayTimeout::QueuePairs", "16000");
    bench.Build(MakeBackToBack(DataRate("10Gbps"), NanoSeconds(500)));
    for (int i = 0; i < 16'000; ++i)
    {
        bench.GetNic(0).CreateQueuePair();
    }
    EXPECT_THROW(bench.GetNic(0).CreateQueuePair(), VerbsError);
}

TEST(StromNic, FindsALossLaterTheMoreTimersItScans)
{
    // The packet leaves at 0.  One entry: a scan of 6.4 ns, set to 1 ms / 6.4 ns + 1 = 156251, zero
    // at look 156252.  16,000 entries: a scan of 102.4 us, set to 9 + 1, zero at look 11.
    const Tick one = 156'252 * Tick{6400};
    const Tick many = 11 * Tick{16'000} * 6400;
    EXPECT_EQ(FindEndAfterLoss("16000") - FindEndAfterLoss("1"), many - one);
}
