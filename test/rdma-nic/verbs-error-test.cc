// SPDX-License-Identifier: GPL-2.0-only

// What a program's calls may get wrong, and that its simulation goes on.

#include "ns3/verbs-error.h"

#include "../expect-error.h"
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

using namespace ns3::rdma;
using ns3::DataRate;

TEST(VerbsErrors, AWriteOnAQueuePairThatIsNotThereOrNotConnectedIsRefused)
{
    NicTestBench bench("srnic");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1)));
    RdmaNic& nic = bench.GetNic(0);
    ExpectError<VerbsError>([&] { nic.PostWrite(77, 1, 100); }, "there is no queue pair 77");
    const uint32_t number = nic.CreateQueuePair();
    ExpectError<VerbsError>([&] { nic.PostWrite(number, 1, 100); }, "of 100 bytes in RESET");
}

TEST(VerbsErrors, AnEmptyWriteAndAConnectionToNowhereAreRefusedAndTheNextOneWorks)
{
    NicTestBench bench("srnic");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    RdmaNic& nic = bench.GetNic(0);
    ExpectError<VerbsError>([&] { nic.PostWrite(pair.srcQp, 1, 0); }, "takes no WRITE of 0 bytes");
    ExpectError<VerbsError>([&] { nic.Connect(77, {}); }, "queue pair 77 cannot become INIT");
    nic.PostWrite(pair.srcQp, 2, 5000);
    bench.Run();
    ASSERT_EQ(bench.GetEnded().size(), 1);
    EXPECT_EQ(bench.GetEnded().front().completion.wrId, 2);
    EXPECT_EQ(bench.GetEnded().front().completion.status, WcStatus::SUCCESS);
}

TEST(VerbsErrors, ANicThatIsNotStartedTakesNothing)
{
    const auto nic = ns3::CreateObject<RdmaNic>();
    ExpectError<VerbsError>([&] { nic->PostWrite(2, 1, 100); }, "the NIC has no port");
    ExpectError<VerbsError>([&] { nic->ModifyQueuePair(2, QpState::INIT); }, "has no port");
}

TEST(VerbsErrors, ASharedReceiveQueueWithoutCompletionQueueTakesNoNumber)
{
    NicTestBench bench("srnic");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1)));
    RdmaNic& nic = bench.GetNic(0);
    const uint32_t before = nic.CreateQueuePair();
    QueuePairInit init;
    init.sharedReceiveQueue = ns3::Create<ReceiveQueue>(4, 1);
    ExpectError<VerbsError>([&] { nic.CreateQueuePair(init); }, "needs a completion queue");
    EXPECT_EQ(nic.CreateQueuePair(), before + 1);
    ExpectError<VerbsError>([&] { nic.CreateQueuePair({}, before); }, "or is in use");
}
