// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-direct-kernel.h"

#include "../expect-error.h"
#include "kv-reference-model.h"
#include "two-kernel-hosts.h"

#include "ns3/boolean.h"
#include "ns3/kv-batch.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rdma::test
{

namespace
{
/// A store at end 1, which end 0 works on by WRITEs.
class KvPair
{
  public:
    static constexpr uint32_t SLOT_BYTES{8192}; ///< Of the answers to a batch.
    static constexpr uint32_t SLOTS{256};
    static constexpr uint64_t REQUESTS{8 << 20}; ///< Offset of the caller's batches.

    explicit KvPair(bool isOutOfOrder = true, bool hasHardware = false)
        : m_hosts(hasHardware),
          m_kernel(
              CreateObjectWithAttributes<KvDirectKernel>("OutOfOrder", BooleanValue(isOutOfOrder)))
    {
        m_hosts.hosts[1]->Deploy(m_kernel);
        m_hosts.Start();
        KvStoreSettings store;
        store.base = uint64_t{1} << 44;
        store.memoryBytes = 32 << 10;
        m_kernel->Start(store, m_hosts.bench.ends[1].memory, 1, 1, 0);
        for (const uint32_t width : {8, 1})
        {
            m_kernel->AddFunction(
                CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(width)));
        }
        const uint32_t queuePair = m_hosts.bench.ends[1].qp;
        m_hosts.hosts[1]->BindWrites(queuePair, KvDirectKernel::RPC_CODE);
        m_kernel->Connect(queuePair,
                          {VerbsEnd::BASE + TwoKernelHosts::ANSWERS,
                           SLOT_BYTES,
                           SLOTS,
                           m_hosts.bench.ends[0].region.remoteKey});
    }

    /// Sends bytes as the batch of a slot, whatever they are.
    void Send(uint32_t slot, const Bytes& batch)
    {
        const uint64_t offset = REQUESTS + uint64_t{slot} * SLOT_BYTES;
        m_hosts.Put(0, offset, batch);
        SendWorkRequest request = m_hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE,
                                                            slot,
                                                            offset,
                                                            static_cast<uint32_t>(batch.size()));
        EXPECT_EQ(m_hosts.bench.GetNic(0).PostSend(m_hosts.bench.ends[0].qp, request),
                  PostResult::OK);
    }

    void Run()
    {
        m_hosts.bench.Run();
    }

    /// @return the bytes of a slot's answers.
    Bytes GetAnswers(uint32_t slot)
    {
        return m_hosts.bench.ends[0].Read(TwoKernelHosts::ANSWERS + uint64_t{slot} * SLOT_BYTES,
                                          SLOT_BYTES);
    }

    TwoKernelHosts& GetHosts()
    {
        return m_hosts;
    }

    KvDirectKernel& GetKernel()
    {
        return *m_kernel;
    }

  private:
    TwoKernelHosts m_hosts;
    Ptr<KvDirectKernel> m_kernel;
};

/// @return differences from a map of so many random operations through a network that loses,
/// doubles and reorders.
uint64_t
RunRandom(uint64_t seed, double utilization, bool isOutOfOrder, uint64_t count)
{
    KvPair pair(isOutOfOrder);
    pair.GetHosts().Impair(seed);
    KvReferenceModel model(seed, utilization);
    RandomStream random(seed, 1);
    uint64_t differences = 0;
    for (uint64_t done = 0; done < count;)
    {
        std::vector<std::vector<OwnedOperation>> batches;
        for (uint32_t slot = 0; slot < KvPair::SLOTS && done < count; ++slot)
        {
            KvBatchWriter writer(random.Next32() % 2 == 0);
            writer.Begin(slot);
            std::vector<OwnedOperation> operations;
            const uint32_t operationsOf = 1 + random.Next32() % 30;
            for (uint32_t i = 0; i < operationsOf && done < count; ++i, ++done)
            {
                operations.push_back(
                    model.Draw(pair.GetKernel().GetStore().GetMemoryUtilization()));
                writer.Add(operations.back().View());
            }
            pair.Send(slot, writer.GetBatch());
            batches.push_back(std::move(operations));
        }
        pair.Run();
        for (uint32_t slot = 0; slot < batches.size(); ++slot)
        {
            const Bytes answers = pair.GetAnswers(slot);
            KvAnswerReader reader{ByteView(answers)};
            differences += reader.GetTag() != slot || reader.GetCount() != batches[slot].size();
            for (const OwnedOperation& operation : batches[slot])
            {
                KvAnswer answer;
                differences += !reader.Next(answer) || !model.Check(operation, answer);
            }
        }
    }
    EXPECT_GT(pair.GetHosts().bench.GetBench().GetDrops(DropReason::LINK_LOSS), 0);
    return differences + model.CountDifferences(pair.GetKernel().GetStore());
}

/// With all of the settings, in and out of order.
void
CompareWithAMap(uint64_t seed)
{
    for (const bool isOutOfOrder : {true, false})
    {
        for (const double utilization : {0.5, 0.9})
        {
            EXPECT_EQ(RunRandom(seed, utilization, isOutOfOrder, 100'000), 0U)
                << seed << ' ' << utilization << isOutOfOrder;
        }
    }
}
} // namespace

TEST(KvDirectKernel, RandomOperationsThroughABadNetworkAreWhatAMapSays)
{
    CompareWithAMap(1);
}

TEST(SlowKvDirectKernel, RandomOperationsOfNineMoreSeedsAreWhatAMapSays)
{
    for (uint64_t seed = 2; seed <= 10; ++seed)
    {
        CompareWithAMap(seed);
    }
}

TEST(KvDirectKernel, ABatchIsAnsweredInTheOrderOfItsOperations)
{
    for (const bool hasHardware : {false, true})
    {
        KvPair pair(true, hasHardware);
        KvBatchWriter writer;
        writer.Begin(3);
        const OwnedOperation put{KvOpcode::PUT, MakeBytes("key"), MakeBytes("value"), 0};
        const OwnedOperation get{KvOpcode::GET, MakeBytes("key"), {}, 0};
        const OwnedOperation other{KvOpcode::GET, MakeBytes("no such key"), {}, 0};
        writer.Add(put.View());
        writer.Add(other.View());
        writer.Add(get.View());
        pair.Send(3, writer.GetBatch());
        pair.Run();
        const Bytes bytes = pair.GetAnswers(3);
        KvAnswerReader reader{ByteView(bytes)};
        KvAnswer answer;
        EXPECT_EQ(reader.GetTag(), 3U);
        ASSERT_TRUE(reader.Next(answer));
        EXPECT_EQ(answer.status, KvStatus::OK);
        ASSERT_TRUE(reader.Next(answer));
        EXPECT_EQ(answer.status, KvStatus::NOT_FOUND);
        ASSERT_TRUE(reader.Next(answer));
        EXPECT_EQ(answer.value.Copy(), MakeBytes("value"));
    }
}

TEST(KvDirectKernel, AMalformedBatchIsAnsweredFromThereOnAndChangesNothing)
{
    KvPair pair;
    KvBatchWriter writer(false);
    writer.Begin(0);
    const OwnedOperation put{KvOpcode::PUT, MakeBytes("key"), MakeBytes("value"), 0};
    const OwnedOperation second{KvOpcode::PUT, MakeBytes("yek"), MakeBytes("value"), 0};
    writer.Add(put.View());
    writer.Add(second.View());
    Bytes batch = writer.GetBatch();
    batch.pop_back();
    pair.Send(0, batch);
    pair.Send(1, MakeBytes("short")); // Without a header: nobody can answer it.
    pair.Run();
    const Bytes bytes = pair.GetAnswers(0);
    KvAnswerReader reader{ByteView(bytes)};
    KvAnswer answer;
    ASSERT_TRUE(reader.Next(answer));
    EXPECT_EQ(answer.status, KvStatus::OK);
    ASSERT_TRUE(reader.Next(answer));
    EXPECT_EQ(answer.status, KvStatus::MALFORMED);
    EXPECT_EQ(pair.GetKernel().GetStore().GetStats().keys, 1U);
    EXPECT_EQ(pair.GetKernel().GetBatchStats().malformed, 2U);
    EXPECT_EQ(pair.GetKernel().GetBatchStats().unreadable, 1U);
}

TEST(KvDirectKernel, AnAnswerThatHasNoRoomIsRefusedAndLeavesTheNextSlotAlone)
{
    KvPair pair;
    KvBatchWriter writer;
    writer.Begin(0);
    const OwnedOperation put{KvOpcode::PUT, MakeBytes("key"), Bytes(480, 7), 0};
    const OwnedOperation get{KvOpcode::GET, MakeBytes("key"), {}, 0};
    writer.Add(put.View());
    KvBatchWriter gets;
    gets.Begin(1);
    // Values alternate between two keys, so that none is copied from the one before.
    const OwnedOperation other{KvOpcode::PUT, MakeBytes("other"), Bytes(480, 8), 0};
    const OwnedOperation getOther{KvOpcode::GET, MakeBytes("other"), {}, 0};
    writer.Add(other.View());
    for (int i = 0; i < 20; ++i)
    {
        gets.Add(i % 2 == 0 ? get.View() : getOther.View());
    }
    pair.Send(0, writer.GetBatch());
    pair.Send(1, gets.GetBatch());
    pair.Run();
    const Bytes bytes = pair.GetAnswers(1);
    KvAnswerReader reader{ByteView(bytes)};
    KvAnswer answer;
    uint32_t whole = 0;
    uint32_t refused = 0;
    while (reader.Next(answer))
    {
        whole += answer.status == KvStatus::OK && answer.value.GetSize() == 480;
        refused += answer.status == KvStatus::VALUE_TOO_LONG;
    }
    EXPECT_EQ(whole + refused, 20U);
    // 8 + 17 x 481 + ... bytes: 16 fit beside three for each of those behind them.
    EXPECT_GE(whole, 16U);
    EXPECT_GE(refused, 3U);
    EXPECT_EQ(pair.GetAnswers(2), Bytes(KvPair::SLOT_BYTES, 0));
}

TEST(KvDirectKernel, ABatchThatIsTooLongIsDroppedAndCounted)
{
    KvPair pair;
    pair.GetKernel().SetAttribute("MaxBatchBytes", UintegerValue(64));
    pair.Send(0, Bytes(65, 0));
    pair.Run();
    EXPECT_EQ(pair.GetKernel().GetDropped(), 1U);
}

TEST(KvDirectKernel, QueuePairsAreBoundToKernelsThatAreThere)
{
    TwoKernelHosts hosts(false);
    ExpectError<VerbsError>([&] { hosts.hosts[0]->BindWrites(2, 99); },
                            "no kernel has the code 99");
    EXPECT_EQ(hosts.hosts[0]->FindBinding(2), std::nullopt);
}

} // namespace ns3::rdma::test
