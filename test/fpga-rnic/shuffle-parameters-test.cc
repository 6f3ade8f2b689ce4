// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-parameters.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
ShuffleParameters
MakeParameters(uint32_t bits)
{
    ShuffleParameters parameters{0x1122334455667788, 0x0102030405060708, bits, 0, {}};
    for (uint32_t i = 0; i < 1U << bits; ++i)
    {
        parameters.partitions.push_back({0xa0 + i, 0xb0 + i});
    }
    return parameters;
}
} // namespace

TEST(ShuffleParameters, HaveTheLayoutOfTheHeader)
{
    const auto messages = MakeParameters(1).Encode(1408);
    ASSERT_EQ(messages.size(), 1U);
    const std::vector<uint8_t> target{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    const std::vector<uint8_t> bytes{0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01};
    const std::vector<uint8_t> numbers{1, 0, 0, 0, 2, 0, 0, 0}; // Bits, first, count, zero.
    const std::vector<uint8_t> first{0xa0, 0, 0, 0, 0, 0, 0, 0, 0xb0, 0, 0, 0};
    const std::vector<uint8_t> second{0xa1, 0, 0, 0, 0, 0, 0, 0, 0xb1, 0, 0, 0};
    std::vector<uint8_t> expected;
    for (const auto& part : {target, bytes, numbers, first, second})
    {
        expected.insert(expected.end(), part.begin(), part.end());
    }
    EXPECT_EQ(messages[0], expected);
}

TEST(ShuffleParameters, TheLargestTableTakesNinePacketsOf1408Bytes)
{
    // (1408 - 24) / 12 = 115 entries each: 1024 / 115 = 8.9.
    const auto messages = MakeParameters(ShuffleParameters::MAX_BITS).Encode(1408);
    ASSERT_EQ(messages.size(), 9U);
    EXPECT_EQ(messages[0].size(), 24 + 115 * 12);
    EXPECT_EQ(messages[8].size(), 24 + (1024 - 8 * 115) * 12);
    const auto last = ShuffleParameters::Decode(ByteView(messages[8]));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->first, 8 * 115);
    EXPECT_EQ(last->partitions.back().address, 0xa0 + 1023);
}

TEST(ShuffleParameters, WhatMeansNothingIsNoMessage)
{
    const std::vector<uint8_t> good = [] {
        ShuffleParameters parameters = MakeParameters(1);
        parameters.streamBytes = 64;
        return parameters.Encode(1408)[0];
    }();
    ASSERT_TRUE(ShuffleParameters::Decode(ByteView(good)));
    const auto isRefused = [&good](std::size_t place, uint8_t byte) {
        std::vector<uint8_t> bytes = good;
        bytes[place] = byte;
        return !ShuffleParameters::Decode(ByteView(bytes));
    };
    EXPECT_TRUE(isRefused(8, 63));  // Bytes of the stream: no whole values.
    EXPECT_TRUE(isRefused(8, 0));   // None.
    EXPECT_TRUE(isRefused(16, 11)); // 2^11 partitions.
    EXPECT_TRUE(isRefused(18, 1));  // Entries 1 and 2 of 2.
    EXPECT_TRUE(isRefused(20, 0));  // No entry.
    EXPECT_TRUE(isRefused(20, 1));  // Bytes of two.
    EXPECT_FALSE(ShuffleParameters::Decode(ByteView(good.data(), 23)));
    EXPECT_FALSE(ShuffleParameters::Decode(ByteView(good.data(), good.size() - 1)));
}
