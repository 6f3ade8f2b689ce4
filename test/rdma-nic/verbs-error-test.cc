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

TEST(VerbsErrors, AConnectionToNowhereIsRefusedAndTheNextWriteWorks)
{
    NicTestBench bench("srnic");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    RdmaNic& nic = bench.GetNic(0);
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

namespace
{
/// An attribute that its own checker takes, but that makes no hardware.
struct BadHardware
{
    const char* name;
    const char* attribute;
    const char* value;
    const char* expected;
};

const BadHardware BAD_HARDWARE[] = {
    {"Pcie", "PcieLink::Lanes", "3", "1, 2, 4, 8 or 16 lanes, not 3"},
    {"Ingress", "IngressMeter::Capacity", "1", "IngressMeter::Capacity: expected 0 or at least"},
    {"Translations", "TranslationCache::PageSize", "8192", "2097152 (2 MiB) or 1073741824 (1 GiB)"},
    {"Blocks", "NicHardware::TransmitBlocks", "rubbish", "pipeline block \"rubbish\""},
};

class HardwareThatCannotBe : public testing::TestWithParam<BadHardware>
{
};
} // namespace

TEST_P(HardwareThatCannotBe, IsAnExceptionWhenTheNicStartsAndTheNextOneWorks)
{
    {
        NicTestBench bench("connectx5", true);
        NicTestBench::Set(GetParam().attribute, GetParam().value);
        ExpectError<VerbsError>(
            [&] { bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1))); },
            GetParam().expected);
    }
    NicTestBench bench("connectx5", true);
    bench.Build(MakeBackToBack(DataRate("100Gbps"), ns3::MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 5000);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
}

INSTANTIATE_TEST_SUITE_P(VerbsErrors,
                         HardwareThatCannotBe,
                         testing::ValuesIn(BAD_HARDWARE),
                         [](const auto& info) { return std::string(info.param.name); });
