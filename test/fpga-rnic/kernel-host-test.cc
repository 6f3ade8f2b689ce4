// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-host.h"

#include "../expect-error.h"
#include "../rdma-nic/verbs-test-bench.h"

#include "ns3/get-kernel.h"
#include "ns3/kernel-reply.h"
#include "ns3/simulator.h"
#include "ns3/strom-verbs.h"
#include "ns3/traversal-kernel.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Takes a stream and remembers it, one packet per 3 us.
class SlowSink : public OffloadKernel
{
  public:
    static constexpr uint64_t CODE{77};

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        const std::vector<uint8_t> bytes = input.bytes.Copy();
        stream.insert(stream.end(), bytes.begin(), bytes.end());
        ends += input.isLast;
        KernelStep step;
        step.readyAt = input.at + 3'000'000;
        return step;
    }

    KernelStep OnData(uint64_t, ByteView, Tick) override
    {
        return {};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        return {};
    }

    std::vector<uint8_t> stream;
    uint32_t ends{0};
};

/// Writes 64 KiB to its host and answers, all in one step.
class WriteAndAnswer : public OffloadKernel
{
  public:
    static constexpr uint64_t CODE{78};
    static constexpr uint64_t PLACE{VerbsEnd::BASE + 131072};
    static constexpr uint32_t BYTES{65536};

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        KernelStep step;
        KernelCommand write;
        write.kind = KernelCommand::Kind::WRITE_HOST;
        write.at = input.at;
        write.address = PLACE;
        write.bytes.assign(BYTES, 0xab);
        step.commands.push_back(write);
        const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
        KernelReply::AddStatus(step, to, KernelStatus::OK, input.at);
        return step;
    }

    KernelStep OnData(uint64_t, ByteView, Tick) override
    {
        return {};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        return {};
    }
};

/// End 0 calls kernels of end 1.
class KernelHostOnBench : public testing::TestWithParam<bool>
{
  protected:
    static constexpr uint64_t ANSWER{1 << 19}; ///< Offset in the caller's region.

    void Start()
    {
        m_bench.SetInitialPsn(0xfffffe);
        QueuePairInit init;
        m_host->SetAttribute("QueuePackets", UintegerValue(m_queuePackets));
        init.handlers = m_host->GetHandlers();
        m_bench.Start(init);
        m_host->Start(Ptr<RdmaNic>(&m_bench.GetNic(1)), m_bench.ends[1].memory);
        m_host->GetTlb()->Pin(VerbsEnd::BASE, 16 << 20);
    }

    void TearDown() override
    {
        m_host->Dispose();
    }

    /// A list of so many elements whose values are their keys from 100 on. @return its head
    uint64_t MakeList(uint32_t elements)
    {
        HostMemory& memory = *m_bench.ends[1].memory;
        for (uint32_t i = 0; i < elements; ++i)
        {
            const uint64_t element = VerbsEnd::BASE + 64 * i;
            const uint64_t value = VerbsEnd::BASE + 65536 + 8 * i;
            memory.Write64(element, 100 + i);
            memory.Write64(element + 8, i + 1 < elements ? element + 64 : 0);
            memory.Write64(element + 16, value);
            memory.Write64(value, 1000 + i);
        }
        return VerbsEnd::BASE;
    }

    PostResult CallTraversal(uint64_t head, uint64_t key)
    {
        TraversalParameters call;
        call.target = VerbsEnd::BASE + ANSWER;
        call.remoteAddress = head;
        call.key = key;
        call.valueSize = 8;
        call.valuePtrPosition = 4;
        call.nextElementPtrPosition = 2;
        call.nextElementPtrValid = true;
        return Call(TraversalKernel::RPC_CODE, call.Encode());
    }

    PostResult Call(uint64_t code, std::vector<uint8_t> parameters)
    {
        return PostRpc(m_bench.GetNic(0),
                       m_bench.ends[0].qp,
                       1,
                       code,
                       std::move(parameters),
                       m_bench.ends[0].region.remoteKey);
    }

    uint64_t GetWord() const
    {
        return m_bench.ends[0].memory->Read64(VerbsEnd::BASE + ANSWER);
    }

    uint64_t GetValue() const
    {
        return m_bench.ends[0].memory->Read64(VerbsEnd::BASE + ANSWER + 8);
    }

    uint32_t m_queuePackets{512};
    VerbsTestBench m_bench{"strom10g", GetParam()};
    Ptr<KernelHost> m_host = CreateObject<KernelHost>();
};
} // namespace

TEST_P(KernelHostOnBench, ACallIsAnsweredInTheCallersMemory)
{
    m_host->Deploy("ns3::rdma::TraversalKernel");
    Start();
    ASSERT_EQ(CallTraversal(MakeList(10), 107), PostResult::OK);
    m_bench.Run();
    const auto ended = m_bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), 1);
    EXPECT_EQ(ended[0].status, WcStatus::SUCCESS);
    EXPECT_EQ(GetWord(), KernelReply::MakeWord(KernelStatus::OK, 8));
    EXPECT_EQ(GetValue(), 1007);
    EXPECT_EQ(m_host->GetStats().inputs, 1);
    EXPECT_EQ(m_host->GetStats().commands[0], 9); // 8 elements and the value.
}

TEST_P(KernelHostOnBench, EveryLostPacketIsSentAgain)
{
    // The first two packets of each direction: the request twice, then its acknowledgment and the
    // answer.
    m_host->Deploy(CreateObject<TraversalKernel>());
    Start();
    uint64_t frames[2]{0, 0};
    for (uint32_t end = 0; end < 2; ++end)
    {
        m_bench.GetBench().Lose(0, end, [&frames, end](const Frame&, uint64_t) {
            return ++frames[end] <= 2;
        });
    }
    ASSERT_EQ(CallTraversal(MakeList(3), 102), PostResult::OK);
    m_bench.Run();
    EXPECT_EQ(GetWord(), KernelReply::MakeWord(KernelStatus::OK, 8));
    EXPECT_EQ(GetValue(), 1002);
    EXPECT_EQ(m_host->GetStats().inputs, 1); // Once, however often it was sent.
    EXPECT_GT(frames[0], 2);
    EXPECT_GT(frames[1], 2);
}

TEST_P(KernelHostOnBench, FaultsAndAbsentKeysAreAnswered)
{
    m_host->Deploy(CreateObject<TraversalKernel>());
    Start();
    CallTraversal(MakeList(3), 5);
    m_bench.Run();
    EXPECT_EQ(KernelReply::GetStatus(GetWord()), KernelStatus::NOT_FOUND);
    CallTraversal(0xdead0000, 5);
    m_bench.Run();
    EXPECT_EQ(KernelReply::GetStatus(GetWord()), KernelStatus::FAULT);
    EXPECT_EQ(m_host->GetStats().faults, 1);
}

TEST_P(KernelHostOnBench, ACodeThatNoKernelHasIsAnsweredByAnError)
{
    m_host->Deploy(CreateObject<GetKernel>());
    Start();
    CallTraversal(MakeList(3), 102);
    m_bench.Run();
    EXPECT_EQ(KernelReply::GetStatus(GetWord()), KernelStatus::NO_KERNEL);
    EXPECT_EQ(m_host->GetStats().unmatched, 1);
    // A stream has no address for it: it is refused.
    PostRpcWrite(m_bench.GetNic(0), m_bench.ends[0].qp, 2, 999, m_bench.ends[0].At(0, 3000));
    m_bench.Run();
    const auto ended = m_bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), 2);
    EXPECT_EQ(ended[1].status, WcStatus::REM_INV_REQ_ERR);
}

TEST_P(KernelHostOnBench, ACoreOfTheHostAnswersWhatNoKernelOfTheNicIsFor)
{
    m_host->DeployOnHost(CreateObject<TraversalKernel>());
    Start();
    CallTraversal(MakeList(10), 107);
    m_bench.Run();
    EXPECT_EQ(GetWord(), KernelReply::MakeWord(KernelStatus::OK, 8));
    EXPECT_EQ(GetValue(), 1007);
    CallTraversal(0xdead0000, 5);
    m_bench.Run();
    EXPECT_EQ(KernelReply::GetStatus(GetWord()), KernelStatus::FAULT);
    EXPECT_EQ(m_host->GetFallback().GetCalls(), 2);
    EXPECT_EQ(m_host->GetStats().unmatched, 2);
    EXPECT_EQ(m_host->GetStats().inputs, 0); // Of kernels on the NIC.
    ExpectError<VerbsError>([this] { m_host->DeployOnHost(CreateObject<TraversalKernel>()); },
                            "two kernels of the host");
}

TEST_P(KernelHostOnBench, ALongValueLeavesBeforeItsWordEachTime)
{
    // Both leave the kernel in one cycle; the second call found their places used again in the
    // other order.
    m_host->Deploy(CreateObject<GetKernel>());
    Start();
    HostMemory& memory = *m_bench.ends[1].memory;
    GetEntry entry;
    entry.buckets[0] = {5, VerbsEnd::BASE + 4096, 2000};
    const std::vector<uint8_t> bytes = entry.Encode();
    memory.Write(VerbsEnd::BASE, bytes.data(), bytes.size());
    std::vector<std::size_t> sent;
    m_host->TraceConnectWithoutContext(
        "Command",
        Callback<void, const KernelCommand&>([&sent](const KernelCommand& command) {
            if (command.kind == KernelCommand::Kind::SEND_WRITE)
            {
                sent.push_back(command.bytes.size());
            }
        }));
    for (uint32_t i = 0; i < 4; ++i)
    {
        Call(GetKernel::RPC_CODE,
             GetParameters{VerbsEnd::BASE + ANSWER, VerbsEnd::BASE, 5}.Encode());
        m_bench.Run();
    }
    // A first packet of 1408 bytes leaves while the other 592 are read.
    EXPECT_EQ(sent,
              (std::vector<std::size_t>{1408, 592, 8, 1408, 592, 8, 1408, 592, 8, 1408, 592, 8}));
}

TEST_P(KernelHostOnBench, AnAnswerDoesNotOvertakeWhatItsKernelWroteBefore)
{
    m_host->Deploy(CreateObject<WriteAndAnswer>());
    Start();
    std::vector<uint8_t> last; // Of what is written, as the host has it when the answer leaves.
    m_host->TraceConnectWithoutContext(
        "Command",
        Callback<void, const KernelCommand&>([&](const KernelCommand& command) {
            if (command.kind == KernelCommand::Kind::SEND_WRITE)
            {
                Simulator::Schedule(PicoSeconds(1), [&] { // Behind all else of this time.
                    last.resize(1);
                    m_bench.ends[1].memory->Read(WriteAndAnswer::PLACE + WriteAndAnswer::BYTES - 1,
                                                 last.data(),
                                                 1);
                });
            }
        }));
    std::vector<uint8_t> parameters(8);
    boost::endian::store_little_u64(parameters.data(), VerbsEnd::BASE + ANSWER);
    Call(WriteAndAnswer::CODE, parameters);
    m_bench.Run();
    EXPECT_EQ(last, std::vector<uint8_t>{0xab});
}

TEST_P(KernelHostOnBench, AStreamThatIsFasterThanItsKernelIsDroppedAndComesAgain)
{
    auto sink = CreateObject<SlowSink>();
    m_queuePackets = 4;
    m_host->Deploy(sink);
    Start();
    std::vector<Tick> waits;
    m_host->TraceConnectWithoutContext(
        "Stall",
        Callback<void, uint64_t, Tick>([&waits](uint64_t code, Tick waited) {
            EXPECT_EQ(code, SlowSink::CODE);
            waits.push_back(waited);
        }));
    constexpr uint32_t BYTES{30'000};
    m_bench.ends[0].Fill(0, BYTES, 3);
    PostRpcWrite(m_bench.GetNic(0),
                 m_bench.ends[0].qp,
                 1,
                 SlowSink::CODE,
                 m_bench.ends[0].At(0, BYTES));
    m_bench.Run();
    const auto ended = m_bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), 1);
    EXPECT_EQ(ended[0].status, WcStatus::SUCCESS);
    EXPECT_EQ(sink->stream, m_bench.ends[0].Read(0, BYTES));
    EXPECT_EQ(sink->ends, 1);
    EXPECT_GT(m_host->GetStats().drops, 0);
    EXPECT_EQ(m_bench.GetBench().GetDrops(DropReason::KERNEL_BUSY), m_host->GetStats().drops);
    // A packet waits while the kernel is busy with those before it, 3 us for each.
    EXPECT_GT(m_host->GetStats().stalls, 0);
    EXPECT_EQ(waits.size(), m_host->GetStats().stalls);
    const auto longest = *std::max_element(waits.begin(), waits.end());
    EXPECT_GT(longest, 0);
    EXPECT_LE(longest, m_queuePackets * 3'000'000);
}

TEST_P(KernelHostOnBench, TheHostCallsAKernelOfItsOwnNic)
{
    m_host->Deploy(CreateObject<GetKernel>());
    Start();
    HostMemory& memory = *m_bench.ends[1].memory;
    GetEntry entry;
    entry.buckets[2] = {5, VerbsEnd::BASE + 128, 8};
    const std::vector<uint8_t> bytes = entry.Encode();
    memory.Write(VerbsEnd::BASE, bytes.data(), bytes.size());
    memory.Write64(VerbsEnd::BASE + 128, 55);
    const GetParameters parameters{VerbsEnd::BASE + ANSWER, VerbsEnd::BASE, 5};
    EXPECT_TRUE(m_host->Invoke(GetKernel::RPC_CODE,
                               m_bench.ends[1].qp,
                               m_bench.ends[0].region.remoteKey,
                               parameters.Encode()));
    EXPECT_FALSE(m_host->Invoke(999, m_bench.ends[1].qp, 0, {}));
    m_bench.Run();
    EXPECT_EQ(GetWord(), KernelReply::MakeWord(KernelStatus::OK, 8));
    EXPECT_EQ(GetValue(), 55);
}

TEST_P(KernelHostOnBench, PlainWritesAndReadsPassBesideTheKernels)
{
    m_host->Deploy(CreateObject<TraversalKernel>());
    Start();
    m_bench.ends[0].Fill(0, 5000, 9);
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 5000, 1 << 20));
    CallTraversal(MakeList(2), 101);
    m_bench.Run();
    EXPECT_EQ(m_bench.ends[1].Read(1 << 20, 5000), m_bench.ends[0].Read(0, 5000));
    EXPECT_EQ(KernelReply::GetStatus(GetWord()), KernelStatus::OK);
}

TEST(KernelHost, RefusesTwoKernelsOfOneCodeAndUnknownTypes)
{
    auto host = CreateObject<KernelHost>();
    host->Deploy("ns3::rdma::GetKernel");
    ExpectError<VerbsError>([&] { host->Deploy("ns3::rdma::GetKernel"); }, "two kernels");
    ExpectError<VerbsError>([&] { host->Deploy("ns3::rdma::NoSuchKernel"); },
                            "not the type of a kernel");
    ExpectError<VerbsError>([&] { host->Deploy("ns3::rdma::Tlb"); }, "not the type of a kernel");
}

INSTANTIATE_TEST_SUITE_P(Hardware,
                         KernelHostOnBench,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                             return info.param ? "Timed" : "Instant";
                         });
