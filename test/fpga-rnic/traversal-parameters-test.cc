// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-parameters.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

TraversalParameters
MakeParameters()
{
    TraversalParameters parameters;
    parameters.target = 0x1000;
    parameters.remoteAddress = 0x200000;
    parameters.key = 77;
    parameters.valueSize = 64;
    parameters.valuePtrPosition = 4;
    parameters.nextElementPtrPosition = 6;
    parameters.nextElementPtrValid = true;
    return parameters;
}

} // namespace

TEST(TraversalParameters, AreThirtyTwoBytesAndReadBackTheSame)
{
    TraversalParameters parameters = MakeParameters();
    parameters.keyMask = 0x0101;
    parameters.predicate = TraversalPredicate::GREATER_THAN;
    parameters.isRelativePosition = true;
    const std::vector<uint8_t> bytes = parameters.Encode();
    ASSERT_EQ(bytes.size(), TraversalParameters::BYTES);
    EXPECT_EQ(ByteView(bytes).Get64(8), 0x200000);
    const auto read = TraversalParameters::Decode(ByteView(bytes));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->Encode(), bytes);
    EXPECT_EQ(read->keyMask, 0x0101);
    EXPECT_EQ(read->predicate, TraversalPredicate::GREATER_THAN);
    EXPECT_EQ(read->nextElementPtrPosition, 6);
    EXPECT_TRUE(read->isRelativePosition);
}

TEST(TraversalParameters, WithoutKeyOrValueOrWithTooFewBytesAreRefused)
{
    TraversalParameters noKey = MakeParameters();
    noKey.keyMask = 0;
    TraversalParameters noValue = MakeParameters();
    noValue.valueSize = 0;
    TraversalParameters beyond = MakeParameters();
    beyond.valuePtrPosition = 15; // A pointer of 8 bytes begins at word 14 at the latest.
    for (const TraversalParameters& bad : {noKey, noValue, beyond})
    {
        EXPECT_FALSE(TraversalParameters::Decode(ByteView(bad.Encode())));
    }
    std::vector<uint8_t> bytes = MakeParameters().Encode();
    bytes.pop_back();
    EXPECT_FALSE(TraversalParameters::Decode(ByteView(bytes)));
}
