// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/zipfian.h"

#include "ns3/kv-workload.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

namespace ns3::rdma::test
{

TEST(Zipfian, ItsConstantsAndDrawsAreThoseOfGraysAlgorithm)
{
    // Computed by hand from the formulas of Gray et al. for n = 1000, theta = 0.99.
    const Zipfian zipf(1000, 0.99);
    EXPECT_NEAR(zipf.GetZeta(), 7.728953217, 1e-8);
    EXPECT_NEAR(zipf.GetEta(), 0.0748060867, 1e-9);
    const std::map<double, uint64_t> draws{{0.05, 0},
                                           {0.1, 0},
                                           {0.2, 2},
                                           {0.5, 22},
                                           {0.9, 471},
                                           {0.99, 927}};
    for (const auto& [uniform, number] : draws)
    {
        EXPECT_EQ(zipf.Get(uniform), number) << uniform;
    }
    EXPECT_NEAR(Zipfian(10'000, 0.99).GetZeta(), 10.2243614596, 1e-8);
}

TEST(Zipfian, BillionsOfNumbersAreSummedByAnIntegral)
{
    // YCSB's ScrambledZipfianGenerator has this constant for 10^10 numbers.
    EXPECT_NEAR(Zipfian(10'000'000'000, 0.99).GetZeta(), 26.46902820178302, 1e-8);
}

TEST(Zipfian, AnyUniformNumberDrawsOneOfTheNumbers)
{
    for (const uint64_t count : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{100}})
    {
        const Zipfian zipf(count, 0.99);
        for (int i = 0; i < 1000; ++i)
        {
            EXPECT_LT(zipf.Get(i / 1000.0), count);
        }
        EXPECT_LT(zipf.Get(0x1.fffffffffffffp-1), count);
    }
}

TEST(Zipfian, GrowingIsTheSameAsBeginningLarger)
{
    Zipfian zipf(10, 0.99);
    zipf.Grow(1000);
    EXPECT_DOUBLE_EQ(zipf.GetZeta(), Zipfian(1000, 0.99).GetZeta());
    EXPECT_DOUBLE_EQ(zipf.GetEta(), Zipfian(1000, 0.99).GetEta());
}

TEST(Zipfian, YcsbsHashIsFnvWithoutItsSign)
{
    // YCSB's first key is user6284781860667377211.
    EXPECT_EQ(GetYcsbHash(0), 6284781860667377211U);
    EXPECT_EQ(GetYcsbHash(1), 8517097267634966620U);
    EXPECT_EQ(GetYcsbHash(2), 1820151046732198393U);
    EXPECT_EQ(GetYcsbHash(3), 4052466453699787802U);
}

namespace
{
/// Draws operations and counts them by opcode.
std::map<KvOpcode, double>
GetShares(const std::string& ycsb, uint64_t* newest = nullptr)
{
    KvWorkloadSettings settings = *FindYcsbWorkload(ycsb);
    settings.keys = 1000;
    EXPECT_EQ(settings.FindFault(), "");
    KvWorkload workload(settings, RandomStream(1, 1));
    constexpr int COUNT{20'000};
    std::map<KvOpcode, double> shares;
    for (int i = 0; i < COUNT; ++i)
    {
        shares[workload.Next().opcode] += 1.0 / COUNT;
        if (newest)
        {
            *newest = std::max(*newest, workload.GetNumber());
        }
    }
    return shares;
}
} // namespace

TEST(KvWorkload, TheMixesAreThoseOfYcsb)
{
    // 20,000 draws: 0.0035 is a standard deviation of a share of a half.
    constexpr double ERROR{0.015};
    EXPECT_NEAR(GetShares("a")[KvOpcode::PUT], 0.5, ERROR);
    EXPECT_NEAR(GetShares("b")[KvOpcode::PUT], 0.05, ERROR);
    EXPECT_NEAR(GetShares("c")[KvOpcode::GET], 1, 1e-9);
    EXPECT_NEAR(GetShares("f")[KvOpcode::UPDATE_VECTOR], 0.5, ERROR);
    EXPECT_FALSE(FindYcsbWorkload("e")); // Scans.
    uint64_t newest = 0;
    EXPECT_NEAR(GetShares("d", &newest)[KvOpcode::PUT], 0.05, ERROR);
    // A thousand keys, and an insert every twentieth operation.
    EXPECT_NEAR(static_cast<double>(newest), 1999, 100);
}

TEST(KvWorkload, TheHottestScrambledKeyHasItsShareOfTenBillion)
{
    KvWorkloadSettings settings = *FindYcsbWorkload("c");
    settings.keys = 1000;
    KvWorkload workload(settings, RandomStream(1, 1));
    std::map<uint64_t, int> counts;
    constexpr int COUNT{50'000};
    for (int i = 0; i < COUNT; ++i)
    {
        workload.Next();
        ++counts[workload.GetNumber()];
    }
    int most = 0;
    for (const auto& [number, count] : counts)
    {
        most = std::max(most, count);
    }
    // 1 / 26.469 of number 0, and a thousandth of what is spread over all.
    EXPECT_NEAR(most / double{COUNT}, 0.0378 + 0.0007, 0.003);
}

TEST(KvWorkload, SettingsWithoutSenseAreNamed)
{
    KvWorkloadSettings settings;
    settings.getShare = 0.5;
    EXPECT_EQ(settings.FindFault(), "the shares of operations are 1 together, not 0.500000");
    settings.getShare = 1;
    settings.keyBytes = 1;
    settings.keys = 257;
    EXPECT_EQ(settings.FindFault(), "257 keys have no numbers of their own in 1 bytes");
    settings.keys = 256;
    EXPECT_EQ(settings.FindFault(), "");
}

} // namespace ns3::rdma::test
