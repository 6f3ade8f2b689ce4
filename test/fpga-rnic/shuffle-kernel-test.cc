// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shuffle-kernel.h"

#include "kernel-test-bench.h"

#include "ns3/uinteger.h"

#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TARGET{0x3000};
constexpr uint32_t VALUE{ShuffleKernel::VALUE_BYTES};

/// A stream, its partitions in a pinned memory, and what plain C++ makes of it.
class ShuffleCase
{
  public:
    ShuffleCase(std::mt19937_64& random, KernelTestBench& bench)
        : m_bench(bench)
    {
        parameters.target = TARGET;
        parameters.bits = static_cast<uint32_t>(random() % (ShuffleParameters::MAX_BITS + 1));
        const auto count = static_cast<uint32_t>(1 + random() % 3000);
        m_expected.resize(std::size_t{1} << parameters.bits);
        parameters.streamBytes = uint64_t{VALUE} * count;
        // Every other case is skewed: most values are of a few partitions.
        const uint64_t hot = random();
        const bool isSkewed = random() % 2 == 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            uint64_t value = random();
            if (isSkewed && random() % 10 != 0)
            {
                value = (value & ~uint64_t{1023}) | ((hot + random() % 3) & 1023);
            }
            stream.resize(stream.size() + VALUE);
            boost::endian::store_little_u64(stream.data() + stream.size() - VALUE, value);
            m_expected[value & (m_expected.size() - 1)].push_back(value);
        }
    }

    /// Makes room for all values; in one partition of `shortOf` for some fewer. @param shortOf 0:
    /// in all
    void MakeRoom(std::mt19937_64& random, uint32_t shortOf)
    {
        for (auto& values : m_expected)
        {
            std::size_t room = values.size();
            if (shortOf > 0 && random() % shortOf == 0 && room > 0)
            {
                room = random() % room;
                leftOut += values.size() - room;
                values.resize(room);
            }
            written += room;
            // A value behind each, which must stay as it is: 0.
            const uint64_t address = *m_bench.pinned.Allocate((room + 1) * VALUE);
            parameters.partitions.push_back({address, static_cast<uint32_t>(room)});
        }
    }

    void CheckMemory() const
    {
        for (std::size_t i = 0; i < m_expected.size(); ++i)
        {
            uint64_t address = parameters.partitions[i].address;
            for (const uint64_t value : m_expected[i])
            {
                ASSERT_EQ(m_bench.GetMemory().Read64(address), value) << "partition " << i;
                address += VALUE;
            }
            ASSERT_EQ(m_bench.GetMemory().Read64(address), 0) << "behind partition " << i;
        }
    }

    /// @return writes of 16 values and of what is left at the end.
    uint32_t CountWrites() const
    {
        std::size_t writes = 0;
        for (const auto& values : m_expected)
        {
            writes +=
                (values.size() + ShuffleKernel::BUFFER_VALUES - 1) / ShuffleKernel::BUFFER_VALUES;
        }
        return static_cast<uint32_t>(writes);
    }

    /// Streams it in messages of some packets of any size.
    void Send(std::mt19937_64& random) const
    {
        bool isFirst = true;
        for (std::size_t offset = 0; offset < stream.size();)
        {
            const std::size_t size =
                std::min<std::size_t>(1 + random() % 1408, stream.size() - offset);
            const bool isLast = offset + size == stream.size() || random() % 8 == 0;
            m_bench.Stream({stream.begin() + offset, stream.begin() + offset + size},
                           isFirst,
                           isLast);
            isFirst = isLast;
            offset += size;
        }
        m_bench.Run();
    }

    ShuffleParameters parameters;
    std::vector<uint8_t> stream;
    uint64_t written{0};
    uint64_t leftOut{0};

  private:
    KernelTestBench& m_bench;
    std::vector<std::vector<uint64_t>> m_expected; ///< By partition.
};

/// @return the answer's word of that number: 0 values written, 1 those left out.
uint64_t
GetAnswer(const KernelTestBench& bench, uint32_t number)
{
    return ByteView(bench.GetValue(TARGET)).Get64(number * sizeof(uint64_t));
}

/// @return parameters of one partition with room for so many values.
ShuffleParameters
MakeOne(uint64_t address, uint32_t values)
{
    return {TARGET, uint64_t{VALUE} * values, 0, 0, {{address, values}}};
}
} // namespace

TEST(ShuffleKernel, PutsAThousandRandomStreamsIntoTheirPartitions)
{
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        KernelTestBench bench(CreateObject<ShuffleKernel>());
        ShuffleCase shuffle(random, bench);
        // Of every fourth stream, some partitions overflow.
        shuffle.MakeRoom(random, seed % 4 == 0 ? 3 : 0);
        for (const auto& message : shuffle.parameters.Encode(1408))
        {
            bench.Call(message);
        }
        shuffle.Send(random);
        ASSERT_EQ(bench.GetStatus(TARGET),
                  shuffle.leftOut > 0 ? KernelStatus::NO_ROOM : KernelStatus::OK);
        ASSERT_EQ(GetAnswer(bench, 0), shuffle.written);
        ASSERT_EQ(GetAnswer(bench, 1), shuffle.leftOut);
        ASSERT_EQ(bench.completed, std::vector<uint64_t>{shuffle.written});
        ASSERT_EQ(bench.writes, shuffle.CountWrites());
        ASSERT_NO_FATAL_FAILURE(shuffle.CheckMemory());
    }
}

TEST(ShuffleKernel, TakesOneStreamAfterTheOther)
{
    std::mt19937_64 random(1);
    KernelTestBench bench(CreateObject<ShuffleKernel>());
    for (uint32_t i = 0; i < 3; ++i)
    {
        bench.caller->Write64(TARGET, 0);
        ShuffleCase shuffle(random, bench);
        shuffle.MakeRoom(random, 0);
        for (const auto& message : shuffle.parameters.Encode(512))
        {
            bench.Call(message);
        }
        shuffle.Send(random);
        ASSERT_EQ(bench.GetStatus(TARGET), KernelStatus::OK);
        ASSERT_NO_FATAL_FAILURE(shuffle.CheckMemory());
    }
}

TEST(ShuffleKernel, APartitionThatIsNotPinnedIsAFault)
{
    KernelTestBench bench(CreateObject<ShuffleKernel>());
    for (const uint64_t address : {uint64_t{0}, uint64_t{0xdead0000}, UINT64_MAX - 100})
    {
        bench.caller->Write64(TARGET, 0);
        bench.Call(MakeOne(address, 20).Encode(1408)[0]);
        bench.Stream(std::vector<uint8_t>(20 * VALUE, 5), true, true);
        bench.Run();
        EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::FAULT);
        EXPECT_EQ(bench.writes, 0);
    }
}

TEST(ShuffleKernel, ParametersThatMeanNothingAreAnswered)
{
    KernelTestBench bench(CreateObject<ShuffleKernel>());
    const uint64_t address = *bench.pinned.Allocate(4096);
    const auto call = [&bench](const std::vector<uint8_t>& message) {
        bench.caller->Write64(TARGET, 0);
        bench.Call(message);
        bench.Run();
        return bench.GetStatus(TARGET);
    };
    const std::vector<uint8_t> good = MakeOne(address, 4).Encode(1408)[0];
    for (const auto& [offset, byte] : std::vector<std::pair<std::size_t, uint8_t>>{
             {8, 33},  // Stream of 33 bytes.
             {8, 0},   // Of none.
             {16, 11}, // 2048 partitions.
             {18, 1},  // The table begins at its second entry.
             {20, 2},  // More entries than there are.
             {20, 0},  // None.
         })
    {
        std::vector<uint8_t> bad = good;
        bad[offset] = byte;
        EXPECT_EQ(call(bad), KernelStatus::BAD_PARAMETERS) << offset;
    }
    std::vector<uint8_t> cut = good;
    cut.pop_back();
    EXPECT_EQ(call(cut), KernelStatus::BAD_PARAMETERS);
    cut.resize(8);
    EXPECT_EQ(call(cut), KernelStatus::BAD_PARAMETERS);
}

TEST(ShuffleKernel, AStreamBeforeTheWholeTableEndsInBadParameters)
{
    auto kernel = CreateObject<ShuffleKernel>();
    KernelTestBench bench(kernel);
    const uint64_t address = *bench.pinned.Allocate(4096);
    ShuffleParameters parameters{TARGET, 64, 1, 0, {{address, 8}}}; // One of two entries.
    bench.Call(parameters.Encode(1408)[0]);
    bench.Stream(std::vector<uint8_t>(64), true, true);
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::BAD_PARAMETERS);
    EXPECT_EQ(kernel->GetDropped(), 1);
    // The next table begins anew.
    bench.Call(MakeOne(address, 8).Encode(1408)[0]);
    bench.Stream(std::vector<uint8_t>(64, 3), true, true);
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::OK);
}

TEST(ShuffleKernel, AStreamWithoutParametersIsDropped)
{
    auto kernel = CreateObject<ShuffleKernel>();
    KernelTestBench bench(kernel);
    bench.Stream(std::vector<uint8_t>(64), true, true);
    bench.Run();
    EXPECT_EQ(kernel->GetDropped(), 1);
    EXPECT_EQ(bench.writes, 0);
}

TEST(ShuffleKernel, AnotherQueuePairWaitsForItsTurn)
{
    auto kernel = CreateObject<ShuffleKernel>();
    KernelTestBench bench(kernel);
    const uint64_t address = *bench.pinned.Allocate(4096);
    bench.Call(MakeOne(address, 8).Encode(1408)[0]);
    KernelInput other;
    other.queuePair = 8;
    const std::vector<uint8_t> parameters = MakeOne(address + 1024, 8).Encode(1408)[0];
    other.bytes = ByteView(parameters);
    const KernelStep step = kernel->OnPacket(other);
    ASSERT_EQ(step.commands.size(), 1);
    EXPECT_EQ(step.commands[0].queuePair, 8);
    EXPECT_EQ(KernelReply::GetStatus(ByteView(step.commands[0].bytes).Get64(0)),
              KernelStatus::NO_ROOM);
    bench.Stream(std::vector<uint8_t>(64, 1), true, true, 8); // Its values are nobody's.
    bench.Stream(std::vector<uint8_t>(64, 3), true, true);
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::OK);
    EXPECT_EQ(bench.GetMemory().Read64(address), 0x0303030303030303);
    EXPECT_EQ(kernel->GetDropped(), 1);
}

TEST(ShuffleKernel, IsFreeOnceTheQueuePairOfAnIncompleteStreamEnds)
{
    auto kernel = CreateObject<ShuffleKernel>();
    KernelTestBench bench(kernel);
    const uint64_t address = *bench.pinned.Allocate(4096);
    const auto begin = [&](uint32_t queuePair) {
        KernelInput input;
        input.queuePair = queuePair;
        const std::vector<uint8_t> parameters = MakeOne(address, 40).Encode(1408)[0];
        input.bytes = ByteView(parameters);
        return kernel->OnPacket(input);
    };
    KernelInput values;
    const std::vector<uint8_t> bytes(8 * VALUE, 1);
    values.queuePair = 7;
    values.isStream = true;
    values.bytes = ByteView(bytes);
    EXPECT_TRUE(begin(7).commands.empty());
    EXPECT_TRUE(kernel->OnPacket(values).commands.empty()); // 8 of 40 values, in the buffer.
    kernel->OnQueuePairEnd(9, 0);                           // Of no stream.
    EXPECT_EQ(begin(8).commands.size(), 1U);                // NO_ROOM.
    kernel->OnQueuePairEnd(7, 0);
    kernel->OnQueuePairEnd(7, 0); // When it stops, and when it is destroyed.
    EXPECT_EQ(kernel->GetAbandoned(), 1U);
    EXPECT_TRUE(begin(8).commands.empty()); // Accepted.
    kernel->OnPacket(values);               // Still of the old one.
    EXPECT_EQ(kernel->GetDropped(), 1U);
}

TEST(ShuffleKernel, TakesAValuePerCycleAndWritesOneCycleBehindTheLatency)
{
    auto kernel = CreateObject<ShuffleKernel>();
    KernelTestBench bench(kernel);
    const uint64_t address = *bench.pinned.Allocate(4096);
    bench.Call(MakeOne(address, 40).Encode(1408)[0]);
    KernelInput input;
    const std::vector<uint8_t> bytes(40 * VALUE, 1);
    input.queuePair = 7;
    input.isStream = true;
    input.bytes = ByteView(bytes);
    input.at = 6'400;
    const KernelStep step = kernel->OnPacket(input);
    // Cycles of 6.4 ns. Values 16 and 32 are in cycles 16 and 32; with the latency of 10 their
    // writes leave at 26 and 42. Values end at cycle 41; 8 values are left: written at 51, over one
    // word.
    ASSERT_EQ(step.commands.size(), 3);
    EXPECT_EQ(step.commands[0].at, 26 * 6'400);
    EXPECT_EQ(step.commands[1].at, 42 * 6'400);
    EXPECT_EQ(step.commands[2].at, 51 * 6'400);
    EXPECT_EQ(step.commands[2].bytes.size(), 64);
    EXPECT_EQ(step.wakeAt, 52 * 6'400);
    EXPECT_EQ(step.readyAt, TICK_NEVER);
}

TEST(ShuffleParameters, SurviveTheWire)
{
    ShuffleParameters parameters{0x123456789abc, 800, 3, 0, {}};
    for (uint32_t i = 0; i < 8; ++i)
    {
        parameters.partitions.push_back({0x1000 + i, 100 * i});
    }
    const auto messages = parameters.Encode(24 + 3 * 12);
    ASSERT_EQ(messages.size(), 3); // 3, 3 and 2 entries.
    uint32_t seen = 0;
    for (const auto& message : messages)
    {
        const auto decoded = ShuffleParameters::Decode(ByteView(message));
        ASSERT_TRUE(decoded);
        EXPECT_EQ(decoded->target, parameters.target);
        EXPECT_EQ(decoded->streamBytes, 800);
        EXPECT_EQ(decoded->bits, 3);
        EXPECT_EQ(decoded->first, seen);
        for (const ShufflePartition& partition : decoded->partitions)
        {
            EXPECT_EQ(partition.address, 0x1000 + seen);
            EXPECT_EQ(partition.values, 100 * seen);
            ++seen;
        }
    }
    EXPECT_EQ(seen, 8);
}
