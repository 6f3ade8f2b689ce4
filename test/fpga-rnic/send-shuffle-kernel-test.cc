// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-shuffle-kernel.h"

#include "../rdma-nic/nic-test-bench.h"

#include "ns3/completion-queue.h"
#include "ns3/host-memory.h"
#include "ns3/kernel-host.h"
#include "ns3/protection-domain.h"
#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MACHINES{3};
constexpr uint32_t QUEUE_PAIRS{6}; ///< Two to each machine.
constexpr uint32_t BITS{5};
constexpr uint32_t PARTITIONS{1 << BITS};
constexpr uint32_t VALUE{SendShuffleKernel::VALUE_BYTES};
constexpr uint32_t BUFFER{176}; ///< Values of a WRITE.
constexpr uint64_t WR_ID{77};
constexpr uint64_t BASE{1 << 20};
constexpr uint64_t BYTES{16 << 20};
constexpr uint64_t PINNED_END{18 << 20}; ///< The TLB's pages have 2 MiB.
constexpr uint64_t ANSWER{BASE};
constexpr uint64_t TABLE{BASE + 4096};
constexpr uint64_t VALUES{BASE + 65536};
constexpr uint64_t PLACE{65536}; ///< From one partition to the next, at a machine.

/// Server 0 shuffles values of its memory to servers 1 to 3, through a switch.
class SendShuffle : public testing::TestWithParam<bool>
{
  protected:
    SendShuffle()
        : m_bench("strom10g", GetParam())
    {
        m_bench.Build(MakeStar(1 + MACHINES, DataRate("10Gbps"), NanoSeconds(500)));
        for (uint32_t node = 0; node <= MACHINES; ++node)
        {
            m_memories.push_back(Create<HostMemory>());
            m_domains.push_back(
                Create<ProtectionDomain>(Ptr<PayloadMemory>(m_memories.back()), 1 + 1000 * node));
            m_regions.push_back(m_domains.back()->Register(BASE, BYTES, ACCESS));
        }
        m_host->Start(Ptr<RdmaNic>(&m_bench.GetNic(0)), m_memories[0]);
        m_host->GetTlb()->Pin(BASE, BYTES);
        m_host->Deploy("ns3::rdma::SendShuffleKernel");
        for (uint32_t i = 0; i < QUEUE_PAIRS; ++i)
        {
            const uint32_t peer = 1 + i % MACHINES;
            m_queuePairs.push_back(MakeQueuePair(0, m_completions));
            const uint32_t remote = MakeQueuePair(peer, Create<CompletionQueue>(1024));
            m_bench.GetNic(0).Connect(m_queuePairs.back(), {peer, remote, 1 + i, 0});
            m_bench.GetNic(peer).Connect(remote, {0, m_queuePairs.back(), 1 + i, 0});
        }
    }

    void TearDown() override
    {
        m_host->Dispose();
    }

    /// Makes random values, and a table with room for all of them. @param seed of them
    void MakeValues(uint64_t seed, uint32_t count)
    {
        std::mt19937_64 random(seed);
        m_expected.assign(PARTITIONS, {});
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint64_t value = random();
            m_memories[0]->Write64(VALUES + uint64_t{VALUE} * i, value);
            m_expected[value % PARTITIONS].push_back(value);
        }
        for (uint32_t i = 0; i < PARTITIONS; ++i)
        {
            const uint32_t machine = 1 + i % QUEUE_PAIRS % MACHINES;
            m_table.push_back({m_queuePairs[i % QUEUE_PAIRS],
                               m_regions[machine].remoteKey,
                               BASE + PLACE * i,
                               m_expected[i].size()});
        }
        m_call = {ANSWER, VALUES, uint64_t{VALUE} * count, TABLE, BITS, WR_ID};
    }

    void Run()
    {
        const std::vector<uint8_t> table = RemotePartition::Encode(m_table);
        m_memories[0]->Write(TABLE, table.data(), table.size());
        EXPECT_TRUE(m_host->Invoke(SendShuffleKernel::RPC_CODE, 0, 0, m_call.Encode()));
        Simulator::Run();
    }

    KernelStatus GetStatus() const
    {
        return KernelReply::GetStatus(m_memories[0]->Read64(ANSWER));
    }

    /// @return the answer's word. @param number 0: values sent; 1: values left out
    uint64_t GetAnswer(uint32_t number) const
    {
        return m_memories[0]->Read64(ANSWER + KernelReply::WORD_BYTES + sizeof(uint64_t) * number);
    }

    void CheckMachines() const
    {
        for (uint32_t i = 0; i < PARTITIONS; ++i)
        {
            const HostMemory& memory = *m_memories[1 + i % QUEUE_PAIRS % MACHINES];
            for (std::size_t k = 0; k < m_expected[i].size(); ++k)
            {
                ASSERT_EQ(memory.Read64(BASE + PLACE * i + VALUE * k), m_expected[i][k])
                    << "value " << k << " of partition " << i;
            }
            const uint64_t behind = BASE + PLACE * i + VALUE * m_expected[i].size();
            ASSERT_EQ(memory.Read64(behind), 0) << "behind partition " << i;
        }
    }

    uint64_t CountWrites() const
    {
        return m_host->GetStats()
            .commands[static_cast<std::size_t>(KernelCommand::Kind::SEND_WRITE)];
    }

    std::vector<WorkCompletion> PollCompletions() const
    {
        std::vector<WorkCompletion> completions;
        m_completions->Poll(UINT32_MAX, completions);
        return completions;
    }

    NicTestBench m_bench;
    Ptr<KernelHost> m_host = CreateObject<KernelHost>();
    std::vector<Ptr<HostMemory>> m_memories;
    std::vector<uint32_t> m_queuePairs;
    std::vector<RemotePartition> m_table;
    std::vector<std::vector<uint64_t>> m_expected; ///< Values by partition.
    SendShuffleParameters m_call;

  private:
    static constexpr uint8_t ACCESS{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE};

    uint32_t MakeQueuePair(uint32_t node, const Ptr<CompletionQueue>& completions)
    {
        QueuePairInit init;
        init.domain = m_domains[node];
        init.sendCompletions = completions;
        return m_bench.GetNic(node).CreateQueuePair(init);
    }

    std::vector<Ptr<ProtectionDomain>> m_domains;
    std::vector<MemoryRegion> m_regions;
    Ptr<CompletionQueue> m_completions = Create<CompletionQueue>(1024);
};
} // namespace

TEST_P(SendShuffle, EachPartitionArrivesAtItsMachine)
{
    MakeValues(1, 20'000);
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::OK);
    EXPECT_EQ(GetAnswer(0), 20'000);
    EXPECT_EQ(GetAnswer(1), 0);
    CheckMachines();
    // A WRITE per full buffer and one for the rest of each partition.
    uint64_t writes = 0;
    for (const auto& values : m_expected)
    {
        writes += (values.size() + BUFFER - 1) / BUFFER;
    }
    EXPECT_EQ(CountWrites(), writes);
}

TEST_P(SendShuffle, TheLastWriteOfEachQueuePairMakesACompletion)
{
    MakeValues(2, 20'000);
    Run();
    std::vector<uint32_t> queuePairs;
    for (const WorkCompletion& completion : PollCompletions())
    {
        EXPECT_EQ(completion.wrId, WR_ID);
        EXPECT_EQ(completion.status, WcStatus::SUCCESS);
        queuePairs.push_back(completion.qpNumber);
    }
    std::sort(queuePairs.begin(), queuePairs.end());
    std::sort(m_queuePairs.begin(), m_queuePairs.end());
    EXPECT_EQ(queuePairs, m_queuePairs);
}

TEST_P(SendShuffle, ValuesWithoutRoomAreLeftOut)
{
    MakeValues(3, 20'000);
    m_table[4].values = 100;
    const uint64_t leftOut = m_expected[4].size() - 100;
    m_expected[4].resize(100);
    m_table[9].values = 0;
    const uint64_t none = m_expected[9].size();
    m_expected[9].clear();
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::NO_ROOM);
    EXPECT_EQ(GetAnswer(0), 20'000 - leftOut - none);
    EXPECT_EQ(GetAnswer(1), leftOut + none);
    CheckMachines();
}

TEST_P(SendShuffle, WrongParametersAndMemoryThatIsNotPinnedAreAnswered)
{
    MakeValues(4, 100);
    m_call.bits = SendShuffleParameters::MAX_BITS + 1;
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::BAD_PARAMETERS);
    m_call.bits = BITS;
    m_call.table = PINNED_END;
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::FAULT);
    m_call.table = TABLE;
    m_call.address = PINNED_END - 16'384; // The second chunk is not pinned.
    m_call.bytes = 32'768;
    for (RemotePartition& partition : m_table)
    {
        partition.values = 4096;
    }
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::FAULT);
    // A call after a fault is as the first one.
    m_table.clear();
    MakeValues(5, 1000);
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::OK);
    EXPECT_EQ(GetAnswer(0), 1000);
}

TEST_P(SendShuffle, FramesThatAreLostAreSentAgain)
{
    m_bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number % 50 == 7; });
    MakeValues(6, 20'000);
    Run();
    EXPECT_EQ(GetStatus(), KernelStatus::OK);
    CheckMachines();
}

INSTANTIATE_TEST_SUITE_P(Hardware,
                         SendShuffle,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                             return info.param ? "On" : "Off";
                         });
