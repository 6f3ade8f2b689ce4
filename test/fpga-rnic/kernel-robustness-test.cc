// SPDX-License-Identifier: GPL-2.0-only
// Kernels behind a network that loses, doubles and reorders packets: 1,000 calls or streams each.
#include "two-kernel-hosts.h"

#include "ns3/boolean.h"
#include "ns3/consistency-kernel.h"
#include "ns3/crc64.h"
#include "ns3/get-kernel.h"
#include "ns3/hyper-log-log-kernel.h"
#include "ns3/shuffle-kernel.h"
#include "ns3/traversal-kernel.h"

#include <cmath>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t BATCH{20}; ///< Calls under way at a time.

std::vector<uint8_t>
MakeRandomBytes(std::mt19937_64& random, std::size_t count)
{
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes)
    {
        byte = static_cast<uint8_t>(random());
    }
    return bytes;
}

/// One call of a kernel: what it is told, and what it must answer.
struct ExpectedCall
{
    std::vector<uint8_t> parameters;
    KernelStatus status{KernelStatus::OK};
    std::vector<uint8_t> value;
};

/// A kernel and random calls of it. The callee's memory from `offset` on is the call's own.
struct CallCase
{
    const char* name;
    const char* kernel;
    uint64_t code;
    ExpectedCall (*make)(std::mt19937_64& random,
                         TwoKernelHosts& hosts,
                         uint64_t offset,
                         uint64_t target);
};

ExpectedCall
MakeGet(std::mt19937_64& random, TwoKernelHosts& hosts, uint64_t offset, uint64_t target)
{
    ExpectedCall call;
    call.value = MakeRandomBytes(random, 1 + random() % 3000);
    hosts.Put(1, offset + 64, call.value);
    GetEntry entry;
    entry.buckets[random() % 3] = {77,
                                   VerbsEnd::BASE + offset + 64,
                                   static_cast<uint32_t>(call.value.size())};
    hosts.Put(1, offset, entry.Encode());
    const bool isAbsent = random() % 10 == 0;
    call.parameters = GetParameters{target, VerbsEnd::BASE + offset, isAbsent ? 78U : 77U}.Encode();
    if (isAbsent)
    {
        call.status = KernelStatus::NOT_FOUND;
        call.value.clear();
    }
    return call;
}

ExpectedCall
MakeTraversal(std::mt19937_64& random, TwoKernelHosts& hosts, uint64_t offset, uint64_t target)
{
    ExpectedCall call;
    const uint64_t elements = 1 + random() % 8;
    const uint64_t wanted = random() % (elements + 1); // The last one is not in the list.
    const uint64_t valueAt = VerbsEnd::BASE + offset + 1024;
    call.value = MakeRandomBytes(random, 1 + random() % 2000);
    hosts.Put(1, offset + 1024, call.value);
    HostMemory& memory = *hosts.bench.ends[1].memory;
    for (uint64_t i = 0; i < elements; ++i)
    {
        const uint64_t element = VerbsEnd::BASE + offset + 64 * i;
        memory.Write64(element, i);
        memory.Write64(element + 8, i + 1 < elements ? element + 64 : 0);
        memory.Write64(element + 16, i == wanted ? valueAt : 0);
    }
    TraversalParameters parameters;
    parameters.target = target;
    parameters.remoteAddress = VerbsEnd::BASE + offset;
    parameters.key = wanted;
    parameters.valueSize = static_cast<uint32_t>(call.value.size());
    parameters.valuePtrPosition = 4;
    parameters.nextElementPtrPosition = 2;
    parameters.nextElementPtrValid = true;
    call.parameters = parameters.Encode();
    if (wanted == elements)
    {
        call.status = KernelStatus::NOT_FOUND;
        call.value.clear();
    }
    return call;
}

ExpectedCall
MakeConsistency(std::mt19937_64& random, TwoKernelHosts& hosts, uint64_t offset, uint64_t target)
{
    ExpectedCall call;
    call.value = MakeRandomBytes(random, 9 + random() % 3000);
    const std::size_t checked = call.value.size() - ConsistencyKernel::CRC_BYTES;
    boost::endian::store_little_u64(call.value.data() + checked,
                                    ComputeCrc64(ByteView(call.value.data(), checked)));
    hosts.Put(1, offset, call.value);
    call.parameters = ConsistencyParameters{target,
                                            VerbsEnd::BASE + offset,
                                            static_cast<uint32_t>(call.value.size())}
                          .Encode();
    return call;
}

class ImpairedCalls : public testing::TestWithParam<CallCase>
{
};
} // namespace

TEST_P(ImpairedCalls, AThousandAnswersAreRight)
{
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy(GetParam().kernel);
    hosts.Start();
    hosts.Impair(1);
    std::mt19937_64 random(1);
    for (uint32_t batch = 0; batch < 1000 / BATCH; ++batch)
    {
        std::vector<ExpectedCall> expected;
        for (uint32_t i = 0; i < BATCH; ++i)
        {
            hosts.bench.ends[0].memory->Write64(TwoKernelHosts::GetTarget(i), 0);
            expected.push_back(
                GetParam().make(random, hosts, 8192 * i, TwoKernelHosts::GetTarget(i)));
            ASSERT_EQ(hosts.Call(GetParam().code, expected.back().parameters), PostResult::OK);
        }
        hosts.bench.Run();
        for (uint32_t i = 0; i < BATCH; ++i)
        {
            ASSERT_EQ(hosts.GetStatus(i), expected[i].status) << "batch " << batch << " call " << i;
            ASSERT_EQ(hosts.GetValue(i), expected[i].value) << "batch " << batch << " call " << i;
        }
    }
    EXPECT_EQ(hosts.hosts[1]->GetStats().inputs, 1000); // Each once, however often it was sent.
    EXPECT_GT(hosts.bench.GetBench().GetDrops(DropReason::LINK_LOSS), 0);
    for (const WorkCompletion& ended : hosts.bench.ends[0].PollSends())
    {
        ASSERT_EQ(ended.status, WcStatus::SUCCESS);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels,
    ImpairedCalls,
    testing::Values(CallCase{"Get", "ns3::rdma::GetKernel", GetKernel::RPC_CODE, MakeGet},
                    CallCase{"Traversal",
                             "ns3::rdma::TraversalKernel",
                             TraversalKernel::RPC_CODE,
                             MakeTraversal},
                    CallCase{"Consistency",
                             "ns3::rdma::ConsistencyKernel",
                             ConsistencyKernel::RPC_CODE,
                             MakeConsistency}),
    [](const testing::TestParamInfo<CallCase>& info) { return info.param.name; });

TEST(ImpairedStreams, AThousandShufflesPutEachValueOnce)
{
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy("ns3::rdma::ShuffleKernel");
    hosts.Start();
    hosts.Impair(2);
    std::mt19937_64 random(2);
    constexpr uint64_t PARAMETERS{16 << 20}; // Offset in the caller's memory.
    constexpr uint64_t ROOM{8192};
    for (uint32_t stream = 0; stream < 1000; ++stream)
    {
        SCOPED_TRACE(stream);
        hosts.bench.ends[0].memory->Write64(TwoKernelHosts::GetTarget(), 0);
        const auto count = static_cast<uint32_t>(1 + random() % 600);
        const auto bits = static_cast<uint32_t>(random() % 5);
        std::vector<std::vector<uint64_t>> expected(std::size_t{1} << bits);
        HostMemory& caller = *hosts.bench.ends[0].memory;
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint64_t value = random() % (1 + random() % 5000); // Skewed to small ones.
            caller.Write64(VerbsEnd::BASE + 8 * i, value);
            expected[value % expected.size()].push_back(value);
        }
        ShuffleParameters parameters{TwoKernelHosts::GetTarget(), 8 * count, bits, 0, {}};
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            parameters.partitions.push_back(
                {VerbsEnd::BASE + ROOM * i, static_cast<uint32_t>(expected[i].size())});
        }
        uint64_t offset = PARAMETERS;
        for (const auto& message : parameters.Encode(128))
        {
            hosts.Call(ShuffleKernel::RPC_CODE, message, offset);
            offset += message.size();
        }
        const auto part = static_cast<uint32_t>(random() % (8 * count));
        hosts.Stream(ShuffleKernel::RPC_CODE, 0, 8 * count - part);
        if (part > 0)
        {
            hosts.Stream(ShuffleKernel::RPC_CODE, 8 * count - part, part);
        }
        hosts.bench.Run();
        ASSERT_EQ(hosts.GetStatus(), KernelStatus::OK);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            for (std::size_t k = 0; k < expected[i].size(); ++k)
            {
                ASSERT_EQ(hosts.bench.ends[1].memory->Read64(VerbsEnd::BASE + ROOM * i + 8 * k),
                          expected[i][k]);
            }
        }
    }
    EXPECT_GT(hosts.bench.GetBench().GetDrops(DropReason::LINK_LOSS), 0);
}

/// Counts the answers NO_ROOM of the kernels of a NIC.
class RefusalCounter
{
  public:
    explicit RefusalCounter(KernelHost& host)
    {
        const std::function<void(const KernelCommand&)> tap = [this](const KernelCommand& command) {
            refusals +=
                command.kind == KernelCommand::Kind::SEND_WRITE &&
                KernelReply::GetStatus(ByteView(command.bytes).Get64(0)) == KernelStatus::NO_ROOM;
        };
        host.TraceConnectWithoutContext("Command", Callback<void, const KernelCommand&>(tap));
    }

    uint32_t refusals{0};
};

class DeadSender : public testing::TestWithParam<bool>
{
};

TEST_P(DeadSender, LeavesTheShuffleKernelToOthersOnceItsQueuePairIsDestroyed)
{
    TwoKernelHosts hosts(GetParam());
    hosts.hosts[1]->Deploy("ns3::rdma::ShuffleKernel");
    hosts.Start();
    RefusalCounter counter(*hosts.hosts[1]);
    ShuffleParameters parameters;
    parameters.target = TwoKernelHosts::GetTarget();
    parameters.bits = 0;
    parameters.streamBytes = 64;
    parameters.partitions = {{VerbsEnd::BASE, 8}};
    const std::vector<uint8_t> encoded = parameters.Encode(1024)[0];
    hosts.Call(ShuffleKernel::RPC_CODE, encoded);
    hosts.Stream(ShuffleKernel::RPC_CODE, 0, 32); // Half of it; then the sender dies.
    hosts.bench.Run();
    constexpr uint32_t ANOTHER{0x77};
    const auto callByAnother = [&] {
        EXPECT_TRUE(hosts.hosts[1]->Invoke(ShuffleKernel::RPC_CODE, ANOTHER, 0, encoded));
        hosts.bench.Run();
    };
    callByAnother();
    EXPECT_EQ(counter.refusals, 1U); // The kernel waits for the rest of the stream.
    hosts.bench.GetNic(1).DestroyQueuePair(hosts.bench.ends[1].qp);
    callByAnother();
    EXPECT_EQ(counter.refusals, 1U);
}

INSTANTIATE_TEST_SUITE_P(Hardware, DeadSender, testing::Bool(), [](const auto& info) {
    return std::string(info.param ? "On" : "Off");
});

TEST(ImpairedStreams, HyperLogLogSeesEachItemOfAThousandWritesOnce)
{
    TwoKernelHosts hosts(false);
    auto kernel = CreateObject<HyperLogLogKernel>();
    kernel->SetAttribute("WideItems", BooleanValue(true));
    hosts.hosts[1]->Deploy(kernel);
    hosts.Start();
    hosts.Impair(3);
    hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, HyperLogLogKernel::RPC_CODE);
    std::mt19937_64 random(3);
    HyperLogLog plain(16);
    uint64_t items = 0;
    HostMemory& caller = *hosts.bench.ends[0].memory;
    for (uint32_t write = 0; write < 1000; ++write)
    {
        const auto count = static_cast<uint32_t>(1 + random() % 500);
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint64_t item = random() % 20'000;
            caller.Write64(VerbsEnd::BASE + 8 * i, item);
            plain.Add(item);
        }
        items += count;
        // Every other one as an RPC WRITE, which goes nowhere else.
        if (write % 2 == 0)
        {
            hosts.bench.Post(
                hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, write, 0, 8 * count, 1 << 20));
        }
        else
        {
            hosts.Stream(HyperLogLogKernel::RPC_CODE, 0, 8 * count);
        }
        hosts.bench.Run();
        if (write % 2 == 0)
        {
            ASSERT_EQ(hosts.bench.ends[1].Read(1 << 20, 8 * count),
                      hosts.bench.ends[0].Read(0, 8 * count));
        }
    }
    hosts.Call(HyperLogLogKernel::RPC_CODE,
               HyperLogLogParameters{TwoKernelHosts::GetTarget()}.Encode());
    hosts.bench.Run();
    const std::vector<uint8_t> value = hosts.GetValue();
    ASSERT_EQ(value.size(), 16);
    EXPECT_EQ(ByteView(value).Get64(0), static_cast<uint64_t>(std::llround(plain.Estimate())));
    EXPECT_EQ(ByteView(value).Get64(8), items);
}
