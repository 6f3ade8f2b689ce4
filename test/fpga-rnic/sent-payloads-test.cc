// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sent-payloads.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
SentPayload
MakePayload(uint8_t byte)
{
    SentPayload payload;
    payload.bytes = std::vector<uint8_t>(4, byte);
    return payload;
}
} // namespace

TEST(SentPayloads, RequestsAreKeptUntilTheyAreAcknowledgedAcrossTheWrap)
{
    SentPayloads kept(16);
    for (uint32_t i = 0; i < 4; ++i)
    {
        kept.KeepRequest(Psn(0xfffffe + i), MakePayload(static_cast<uint8_t>(i)));
    }
    ASSERT_NE(kept.FindRequest(Psn(0)), nullptr); // 0xfffffe + 2.
    EXPECT_EQ(kept.FindRequest(Psn(0))->bytes->front(), 2);
    EXPECT_EQ(kept.FindRequest(Psn(2)), nullptr);
    kept.Release(Psn(0));
    EXPECT_EQ(kept.GetCount(), 2U);
    EXPECT_EQ(kept.FindRequest(Psn(0xffffff)), nullptr);
    EXPECT_NE(kept.FindRequest(Psn(1)), nullptr);
}

TEST(SentPayloads, AGapIsNoRequest)
{
    SentPayloads kept(16);
    kept.KeepRequest(Psn(10), MakePayload(1));
    kept.KeepRequest(Psn(12), MakePayload(2)); // 11 was a READ.
    EXPECT_EQ(kept.FindRequest(Psn(11)), nullptr);
    EXPECT_NE(kept.FindRequest(Psn(12)), nullptr);
}

TEST(SentPayloads, AConnectionThatBeginsAgainHasNoneOfBefore)
{
    SentPayloads kept(16);
    kept.KeepRequest(Psn(10), MakePayload(1));
    kept.KeepRequest(Psn(11), MakePayload(2));
    kept.KeepRequest(Psn(10), MakePayload(3));
    EXPECT_EQ(kept.GetCount(), 1U);
    EXPECT_EQ(kept.FindRequest(Psn(10))->bytes->front(), 3);
}

TEST(SentPayloads, TheLastReadsAreKept)
{
    SentPayloads kept(2);
    kept.KeepResponse(Psn(0), true, MakePayload(0));
    kept.KeepResponse(Psn(1), false, MakePayload(1));
    kept.KeepResponse(Psn(2), true, MakePayload(2));
    EXPECT_NE(kept.FindResponse(Psn(1)), nullptr);
    kept.KeepResponse(Psn(3), true, MakePayload(3)); // The third READ: the first one goes.
    EXPECT_EQ(kept.FindResponse(Psn(0)), nullptr);
    EXPECT_EQ(kept.FindResponse(Psn(1)), nullptr);
    EXPECT_NE(kept.FindResponse(Psn(2)), nullptr);
    kept.Clear();
    EXPECT_EQ(kept.GetCount(), 0U);
}
