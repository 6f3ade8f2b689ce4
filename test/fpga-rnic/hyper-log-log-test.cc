// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hyper-log-log.h"

#include "kernel-test-bench.h"

#include "ns3/boolean.h"
#include "ns3/hyper-log-log-kernel.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TARGET{0x3000};

/// @return the estimate's relative error after so many different items.
double
GetError(uint32_t precision, uint64_t items, uint64_t seed)
{
    HyperLogLog sketch(precision, seed);
    for (uint64_t item = 0; item < items; ++item)
    {
        sketch.Add(item);
    }
    return sketch.Estimate() / static_cast<double>(items) - 1;
}

/// @return root mean square of the relative errors of 100 seeds, as a part of the standard error
/// in theory.
double
GetRelativeSpread(uint32_t precision, uint64_t items)
{
    double squares = 0;
    for (uint64_t seed = 0; seed < 100; ++seed)
    {
        const double error = GetError(precision, items, seed);
        squares += error * error;
    }
    const double theory = 1.04 / std::sqrt(std::ldexp(1.0, static_cast<int>(precision)));
    return std::sqrt(squares / 100) / theory;
}

uint64_t
GetAnswer(const KernelTestBench& bench, uint32_t number)
{
    return ByteView(bench.GetValue(TARGET)).Get64(number * sizeof(uint64_t));
}
} // namespace

TEST(HyperLogLog, ErrsAsItsTheorySaysOver100Seeds)
{
    // The root mean square of 100 errors varies by 1 / sqrt(200) = 7 % of itself: within 4 times
    // that. Its theory is for many items per register; with few it counts empty registers, which is
    // more exact.
    EXPECT_NEAR(GetRelativeSpread(10, 20'000), 1, 0.28);
    EXPECT_NEAR(GetRelativeSpread(7, 5'000), 1, 0.28);
    EXPECT_LT(GetRelativeSpread(10, 500), 1);
}

TEST(HyperLogLog, HasNoBiasBeyondItsSpread)
{
    double sum = 0;
    for (uint64_t seed = 0; seed < 100; ++seed)
    {
        sum += GetError(10, 20'000, seed);
    }
    // The mean of 100 errors of 3.25 % each varies by 0.325 %: within 3 times that.
    EXPECT_NEAR(sum / 100, 0, 3 * 0.1 * 1.04 / 32);
}

TEST(HyperLogLog, OfTheKernelsSizeErrsLessThanTwoPercent)
{
    // 5 times 1.04 / sqrt(65536).
    EXPECT_NEAR(GetError(16, 1'000'000, 1), 0, 5 * 1.04 / 256);
    EXPECT_NEAR(GetError(16, 1'000, 1), 0, 0.01);
    EXPECT_EQ(HyperLogLog(16).Estimate(), 0);
}

TEST(HyperLogLog, CountsEqualItemsOnce)
{
    HyperLogLog once(10);
    HyperLogLog often(10);
    for (uint64_t item = 0; item < 5'000; ++item)
    {
        once.Add(item);
        often.Add(item);
        often.Add(item / 2);
        often.Add(4'999 - item);
    }
    EXPECT_EQ(once.Estimate(), often.Estimate());
}

TEST(HyperLogLog, MergesIntoTheSketchOfBoth)
{
    HyperLogLog all(10);
    HyperLogLog even(10);
    HyperLogLog odd(10);
    for (uint64_t item = 0; item < 10'000; ++item)
    {
        all.Add(item);
        (item % 2 == 0 ? even : odd).Add(item);
    }
    even.Merge(odd);
    EXPECT_EQ(even.Estimate(), all.Estimate());
    all.Clear();
    EXPECT_EQ(all.Estimate(), 0);
}

namespace
{
/// Two streams of random items, each with part of an item behind it.
class TwoStreams
{
  public:
    TwoStreams(std::mt19937_64& random, std::size_t width)
    {
        for (std::vector<uint8_t>& stream : m_streams)
        {
            const uint64_t length = 1 + random() % 500;
            const uint64_t range = 1 + random() % 1000;
            for (uint64_t i = 0; i < length; ++i)
            {
                const uint64_t item = random() % range;
                items.insert(item);
                ++count;
                for (std::size_t byte = 0; byte < width; ++byte)
                {
                    stream.push_back(static_cast<uint8_t>(item >> (8 * byte)));
                }
            }
            stream.resize(stream.size() + random() % width);
        }
    }

    /// Sends their packets in turns: the first one to the kernel, the second one through its
    /// service.
    void Send(std::mt19937_64& random, KernelTestBench& bench, HyperLogLogKernel& kernel) const
    {
        std::size_t done[2]{0, 0};
        while (done[0] < m_streams[0].size() || done[1] < m_streams[1].size())
        {
            const uint32_t i = random() % 2;
            const std::vector<uint8_t>& stream = m_streams[i];
            const std::size_t size = std::min<std::size_t>(random() % 300, stream.size() - done[i]);
            const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(done[i]);
            const std::vector<uint8_t> bytes(begin, begin + static_cast<std::ptrdiff_t>(size));
            const bool isFirst = done[i] == 0;
            done[i] += size;
            const bool isLast = done[i] == stream.size();
            if (i == 0)
            {
                bench.Stream(bytes, isFirst, isLast, 7);
                continue;
            }
            StreamInput input;
            input.queuePair = 8;
            input.isFirst = isFirst;
            input.isLast = isLast;
            input.bytes = ByteView(bytes);
            EXPECT_TRUE(kernel.OnStream(input).bytes.empty());
        }
    }

    std::set<uint64_t> items;
    uint64_t count{0}; ///< Of items, equal ones counted each.

  private:
    std::vector<uint8_t> m_streams[2];
};
} // namespace

TEST(HyperLogLogKernel, AddsTheItemsOfAThousandStreamsHoweverTheyAreCut)
{
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        auto kernel = CreateObject<HyperLogLogKernel>();
        const bool isWide = seed % 2 == 0;
        kernel->SetAttribute("WideItems", BooleanValue(isWide));
        kernel->SetAttribute("Precision", UintegerValue(10));
        KernelTestBench bench(kernel);
        const TwoStreams streams(random, isWide ? 8 : 4);
        streams.Send(random, bench, *kernel);
        bench.Call(HyperLogLogParameters{TARGET}.Encode());
        bench.Run();
        HyperLogLog plain(10);
        for (const uint64_t item : streams.items)
        {
            plain.Add(item);
        }
        ASSERT_EQ(bench.GetStatus(TARGET), KernelStatus::OK);
        ASSERT_EQ(GetAnswer(bench, 0), static_cast<uint64_t>(std::llround(plain.Estimate())));
        ASSERT_EQ(GetAnswer(bench, 1), streams.count);
    }
}

TEST(HyperLogLogKernel, IsReadClearedAndRefusesOtherActions)
{
    auto kernel = CreateObject<HyperLogLogKernel>();
    KernelTestBench bench(kernel);
    const auto call = [&bench](std::vector<uint8_t> parameters) {
        bench.caller->Write64(TARGET, 0);
        bench.Call(parameters);
        bench.Run();
        return bench.GetStatus(TARGET);
    };
    using Action = HyperLogLogParameters::Action;
    bench.Stream(std::vector<uint8_t>(400, 1), true, true); // One item, 100 times.
    for (const Action action : {Action::READ, Action::CLEAR})
    {
        EXPECT_EQ(call(HyperLogLogParameters{TARGET, action}.Encode()), KernelStatus::OK);
        EXPECT_EQ(GetAnswer(bench, 0), 1);
        EXPECT_EQ(GetAnswer(bench, 1), 100);
    }
    EXPECT_EQ(call(HyperLogLogParameters{TARGET, Action::READ}.Encode()), KernelStatus::OK);
    EXPECT_EQ(GetAnswer(bench, 0), 0);
    EXPECT_EQ(GetAnswer(bench, 1), 0);
    EXPECT_EQ(call(HyperLogLogParameters{TARGET, Action::COUNT}.Encode()),
              KernelStatus::BAD_PARAMETERS);
    std::vector<uint8_t> cut = HyperLogLogParameters{TARGET}.Encode();
    cut.pop_back();
    EXPECT_EQ(call(cut), KernelStatus::BAD_PARAMETERS);
}

TEST(HyperLogLogKernel, TakesAWordPerCycleAndReadsARegisterPerCycle)
{
    auto kernel = CreateObject<HyperLogLogKernel>();
    kernel->SetClock(ClockDomain(322'265'625, 64));
    StreamInput input;
    const std::vector<uint8_t> bytes(1408, 1);
    input.bytes = ByteView(bytes);
    const StreamStep passed = kernel->OnStream(input);
    EXPECT_EQ(passed.passedAt, 0); // Data do not wait for it.
    EXPECT_EQ(passed.readyAt, ClockDomain(322'265'625, 64).GetTime(22));
    KernelInput ask;
    const std::vector<uint8_t> parameters = HyperLogLogParameters{TARGET}.Encode();
    ask.bytes = ByteView(parameters);
    const KernelStep answer = kernel->OnPacket(ask);
    ASSERT_EQ(answer.commands.size(), 1);
    EXPECT_EQ(answer.commands[0].at, ClockDomain(322'265'625, 64).GetTime(65'536 + 10));
}
