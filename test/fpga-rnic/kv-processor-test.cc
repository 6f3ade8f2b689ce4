// SPDX-License-Identifier: GPL-2.0-only
#include "kv-processor-bench.h"
#include "kv-reference-model.h"

#include <boost/endian/conversion.hpp>
#include <gtest/gtest.h>
#include <set>

namespace ns3::rdma::test
{

namespace
{
KvStoreSettings
MakeStore(uint64_t memoryBytes = 1 << 20)
{
    KvStoreSettings settings;
    settings.memoryBytes = memoryBytes;
    return settings;
}

OwnedOperation
MakePut(const std::string& key, const std::string& value)
{
    return {KvOpcode::PUT, MakeBytes(key), MakeBytes(value), 0};
}

OwnedOperation
MakeGet(const std::string& key)
{
    return {KvOpcode::GET, MakeBytes(key), {}, 0};
}

OwnedOperation
MakeAdd(const std::string& key, uint64_t delta)
{
    Bytes operand(8);
    boost::endian::store_little_u64(operand.data(), delta);
    return {KvOpcode::UPDATE_SCALAR, MakeBytes(key), operand, KvProcessorBench::ADD};
}

/// No DRAM: an access is one of PCIe.
void
WithoutCache(KvMemorySettings& settings)
{
    settings.cacheBytes = 0;
}
} // namespace

TEST(KvProcessor, AnOperationTakesOneReadAndTheCyclesAroundIt)
{
    KvProcessorBench bench(MakeStore(), {}, WithoutCache);
    bench.Add(MakeGet("a"));
    bench.Run();
    ASSERT_EQ(bench.GetAnswers().size(), 1U);
    EXPECT_EQ(bench.GetAnswers()[0].status, KvStatus::NOT_FOUND);
    // 10 + 10 cycles of 5.556 ns around a read of 800 to 1,300 ns and its TLPs of 26 and 90 bytes
    // at 7.88 GB/s, 3.3 and 11.4 ns; the answer waits for an edge of the clock.
    const Tick least = KvProcessorBench::Cycles(20) + 800'000 + 14'700;
    EXPECT_GE(bench.GetAnswers()[0].at, least);
    EXPECT_LE(bench.GetAnswers()[0].at, least + 500'000 + KvProcessorBench::Cycles(1));
}

TEST(KvProcessor, IndependentOperationsOverlap)
{
    KvProcessorBench bench(MakeStore(), {}, WithoutCache);
    constexpr int COUNT{40};
    for (int i = 0; i < COUNT; ++i)
    {
        bench.Add(MakeGet("key" + std::to_string(i)));
    }
    bench.Run();
    ASSERT_EQ(bench.GetAnswers().size(), std::size_t{COUNT});
    // One after the other they would take 40 us; together as long as the slowest, or as two of them
    // if two keys have one slot of the 1,024.
    EXPECT_LT(bench.GetAnswers().back().at, 2 * 1'450'000);
}

TEST(KvProcessor, DependentOperationsSeeEachOthersValuesInTheirOrder)
{
    KvProcessorBench bench(MakeStore());
    bench.Add(MakePut("a", "00000000"));
    bench.Add(MakeGet("a"));
    bench.Add(MakePut("a", "11111111"));
    bench.Add(MakeGet("a"));
    bench.Add({KvOpcode::DELETE, MakeBytes("a"), {}, 0});
    bench.Add(MakeGet("a"));
    bench.Add(MakePut("a", "a longer value than before"));
    bench.Add(MakeGet("a"));
    bench.Run();
    const auto& answers = bench.GetAnswers();
    ASSERT_EQ(answers.size(), 8U);
    for (std::size_t i = 0; i < answers.size(); ++i)
    {
        EXPECT_EQ(answers[i].tag, i);
    }
    EXPECT_EQ(answers[1].value, MakeBytes("00000000"));
    EXPECT_EQ(answers[3].value, MakeBytes("11111111"));
    EXPECT_EQ(answers[4].status, KvStatus::OK);
    EXPECT_EQ(answers[5].status, KvStatus::NOT_FOUND);
    EXPECT_EQ(answers[7].value, MakeBytes("a longer value than before"));
    // GET, PUT and GET behind the first PUT; the GET of what is gone; the GET of the longer value.
    EXPECT_EQ(bench.GetProcessor().GetStats().forwarded, 5U);
}

TEST(KvProcessor, AForwardedValueIsWrittenBackOnce)
{
    KvProcessorBench bench(MakeStore());
    Bytes zero(8);
    bench.Add({KvOpcode::PUT, MakeBytes("a"), zero, 0});
    for (int i = 0; i < 100; ++i)
    {
        bench.Add(MakeAdd("a", 1));
    }
    bench.Run();
    EXPECT_EQ(bench.GetProcessor().GetStats().forwarded, 100U);
    EXPECT_EQ(bench.GetProcessor().GetStats().writeBacks, 1U);
    KvGetter getter;
    KvAccesses accesses;
    const Bytes key = MakeBytes("a");
    bench.GetStore().Visit(ByteView(key), getter, accesses);
    EXPECT_EQ(getter.GetValue(), (Bytes{100, 0, 0, 0, 0, 0, 0, 0}));
    // Fetch-and-add returns what was there: 0 to 99, in their order.
    for (uint64_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(bench.GetAnswers()[i + 1].value[0], i);
    }
}

TEST(KvProcessor, AtomicsOnOneKeyTakeACycleEachWithTheEngineAndAMemoryAccessEachWithout)
{
    const auto getRate = [](bool isOutOfOrder, uint64_t count) {
        KvProcessorSettings settings;
        settings.isOutOfOrder = isOutOfOrder;
        KvProcessorBench bench(MakeStore(), settings, WithoutCache);
        bench.Add({KvOpcode::PUT, MakeBytes("a"), Bytes(8), 0});
        bench.SetGenerator([] { return MakeAdd("a", 1); });
        bench.Run(0, count);
        return static_cast<double>(count) * 1e6 /
               static_cast<double>(bench.GetAnswers().back().at); // Mops.
    };
    // 10,000 cycles of 1 / 180 MHz, and about 1.2 us until the first value is there: 176.
    EXPECT_NEAR(getRate(true, 10'000), 176, 2);
    // Each takes 10 cycles, 800 to 1,300 ns, and its TLPs: 1.12 us on average, 0.89.
    EXPECT_NEAR(getRate(false, 1'000), 0.89, 0.02);
}

TEST(KvProcessor, AtomicsOnManyKeysTakeACycleEachToo)
{
    KvProcessorBench bench(MakeStore(), {}, WithoutCache);
    // Keys without a common slot: examining the chain of two keys takes a cycle for each entry of
    // the other one, too.
    constexpr std::size_t KEYS{64};
    std::vector<std::string> keys;
    std::set<uint64_t> slots;
    for (int i = 0; keys.size() < KEYS; ++i)
    {
        const Bytes name = MakeBytes("key" + std::to_string(i));
        if (slots.insert(bench.GetStore().GetHash(ByteView(name)) % 1024).second)
        {
            keys.emplace_back(name.begin(), name.end());
            bench.Add({KvOpcode::PUT, name, Bytes(8), 0});
        }
    }
    uint64_t next = 0;
    bench.SetGenerator([&] { return MakeAdd(keys[next++ % KEYS], 1); });
    constexpr uint64_t COUNT{20'000};
    bench.Run(0, COUNT);
    // What comes while a value is written back does not wait for that: 111 us, and about 3 at both
    // ends.
    EXPECT_LT(bench.GetAnswers().back().at, 115'000'000);
    // The sums are those of the operations on all keys.
    KvGetter getter;
    KvAccesses accesses;
    uint64_t sum = 0;
    for (const std::string& key : keys)
    {
        const Bytes name = MakeBytes(key);
        bench.GetStore().Visit(ByteView(name), getter, accesses);
        sum += boost::endian::load_little_u64(getter.GetValue().data());
    }
    EXPECT_EQ(sum, COUNT - KEYS);
}

TEST(KvProcessor, AnotherKeyOfTheSlotIsNotKeptWaitingByAPopularOne)
{
    KvProcessorSettings settings;
    settings.slots = 1;
    KvProcessorBench bench(MakeStore(), settings, WithoutCache);
    bench.Add({KvOpcode::PUT, MakeBytes("popular"), Bytes(8), 0});
    uint64_t next = 0;
    bench.SetGenerator(
        [&next] { return ++next == 1000 ? MakeGet("other") : MakeAdd("popular", 1); });
    bench.Run(0, 20'000);
    Tick answered = 0;
    for (const OwnedAnswer& answer : bench.GetAnswers())
    {
        answered = answer.tag == 1000 ? answer.at : answered;
    }
    // It came after 5.6 us; it waits for a write back or two and its own read, each of 1.5 us at
    // most.
    EXPECT_GT(answered, 5'500'000);
    EXPECT_LT(answered, 5'600'000 + 4 * 1'500'000);
}

TEST(KvProcessor, AValueTakesACyclePer64Bytes)
{
    KvStoreSettings store = MakeStore();
    store.maxSlabBytes = 2048;
    KvProcessorBench bench(store);
    bench.Add({KvOpcode::PUT, MakeBytes("a"), Bytes(1024), 0});
    bench.SetGenerator([] {
        return OwnedOperation{KvOpcode::UPDATE_VECTOR,
                              MakeBytes("a"),
                              Bytes{1},
                              KvProcessorBench::ADD_BYTE};
    });
    constexpr uint64_t COUNT{1'000};
    bench.Run(0, COUNT);
    // 16 cycles each, 88.9 us, and about 3 us until the first value is there and the last is back.
    EXPECT_NEAR(static_cast<double>(bench.GetAnswers().back().at), 16 * 5'555.6 * COUNT, 4e6);
}

TEST(KvProcessor, AnOperationThatStopsThePipelineIsCountedOnce)
{
    KvProcessorSettings settings;
    settings.isOutOfOrder = false;
    KvProcessorBench bench(MakeStore(), settings, WithoutCache);
    // Others end while it waits, each of which lets it be looked at again.
    for (int i = 0; i < 20; ++i)
    {
        bench.Add(MakeGet("key" + std::to_string(i)));
    }
    bench.Add(MakePut("a", "1234"));
    bench.Add(MakeGet("a"));
    bench.Run();
    EXPECT_EQ(bench.GetProcessor().GetStats().stalls, 1U);
}

TEST(KvProcessor, OperationsOfOtherKeysInABusySlotWaitForIt)
{
    KvProcessorSettings settings;
    settings.slots = 1;
    KvProcessorBench bench(MakeStore(), settings, WithoutCache);
    for (int i = 0; i < 4; ++i)
    {
        bench.Add(MakeGet("key" + std::to_string(i)));
    }
    bench.Run();
    EXPECT_EQ(bench.GetProcessor().GetStats().collided, 3U);
    // One read after the other.
    EXPECT_GT(bench.GetAnswers().back().at, 4 * 800'000);
}

TEST(KvProcessor, NoMoreOperationsThanEntriesAreTakenIn)
{
    KvProcessorSettings settings;
    settings.entries = 16;
    KvProcessorBench bench(MakeStore(), settings);
    uint64_t next = 0;
    bench.SetGenerator([&next] {
        ++next;
        return next % 3 == 0 ? MakeAdd("a", 1) : MakePut("key" + std::to_string(next % 50), "1234");
    });
    bench.Run(0, 5'000);
    EXPECT_EQ(bench.GetAnswers().size(), 5'000U);
    EXPECT_EQ(bench.GetProcessor().GetStats().maxEntries, 16U);
}

TEST(KvProcessor, AnOperationThatFailsChangesNothing)
{
    KvProcessorBench bench(MakeStore(64 << 10));
    bench.Add(MakePut("a", "1234"));
    bench.Add(MakePut("a", std::string(600, 'x'))); // Longer than a slab.
    bench.Add(MakeGet("a"));
    bench.Add(MakePut("", "1234"));
    bench.Add(MakeAdd("a", 1)); // The value has 4 bytes, not 8.
    bench.Add({KvOpcode::UPDATE_SCALAR, MakeBytes("a"), Bytes(4), 99});
    bench.Add(MakeGet("a"));
    bench.Run();
    std::map<uint64_t, OwnedAnswer> answers;
    for (const OwnedAnswer& answer : bench.GetAnswers())
    {
        answers[answer.tag] = answer;
    }
    EXPECT_EQ(answers[1].status, KvStatus::VALUE_TOO_LONG);
    EXPECT_EQ(answers[2].value, MakeBytes("1234"));
    EXPECT_EQ(answers[3].status, KvStatus::KEY_EMPTY);
    EXPECT_EQ(answers[4].status, KvStatus::BAD_OPERAND);
    EXPECT_EQ(answers[5].status, KvStatus::NO_FUNCTION);
    EXPECT_EQ(answers[6].value, MakeBytes("1234"));
}

namespace
{
/// @return differences of random operations from a map, in the order of their completion.
uint64_t
RunRandom(uint64_t seed, double utilization, bool isOutOfOrder, uint64_t count)
{
    KvProcessorSettings settings;
    settings.isOutOfOrder = isOutOfOrder;
    KvProcessorBench bench(MakeStore(32 << 10), settings);
    KvReferenceModel model(seed, utilization);
    uint64_t differences = 0;
    bench.SetGenerator([&] { return model.Draw(bench.GetStore().GetMemoryUtilization()); });
    bench.SetListener([&](const OwnedOperation& operation, const KvAnswer& answer) {
        differences += !model.Check(operation, answer);
    });
    bench.Run(0, count);
    // With pairs of these sizes, memory is full at 0.65: metadata and padding take the rest.
    EXPECT_GT(bench.GetStore().GetMemoryUtilization(), std::min(utilization * 0.9, 0.6));
    return differences + bench.CountUnanswered() + model.CountDifferences(bench.GetStore());
}
} // namespace

TEST(KvProcessor, RandomOperationsAreWhatAMapSaysInTheOrderOfCompletion)
{
    for (const bool isOutOfOrder : {true, false})
    {
        for (const double utilization : {0.5, 0.9})
        {
            EXPECT_EQ(RunRandom(1, utilization, isOutOfOrder, 100'000), 0U)
                << utilization << isOutOfOrder;
        }
    }
}

} // namespace ns3::rdma::test
