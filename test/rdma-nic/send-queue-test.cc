// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-queue.h"

#include <gtest/gtest.h>
#include <ostream>
#include <vector>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

/// Payload of each packet of a message that is alone.
std::vector<uint32_t>
CutUp(uint64_t bytes)
{
    SendQueue queue(MTU, 0);
    queue.Post(1, bytes);
    std::vector<uint32_t> payloads;
    for (uint64_t number = 0; number < queue.GetEnd(); ++number)
    {
        const PacketPlan plan = queue.Plan(number);
        payloads.push_back(plan.payloadBytes);
        EXPECT_EQ(plan.isFirst, number == 0);
        EXPECT_EQ(plan.isLast, number + 1 == queue.GetEnd());
    }
    return payloads;
}
} // namespace

TEST(SendQueue, CutsAMessageAtTheMtu)
{
    EXPECT_EQ(CutUp(1), (std::vector<uint32_t>{1}));
    EXPECT_EQ(CutUp(MTU - 1), (std::vector<uint32_t>{MTU - 1}));
    EXPECT_EQ(CutUp(MTU), (std::vector<uint32_t>{MTU}));
    EXPECT_EQ(CutUp(MTU + 1), (std::vector<uint32_t>{MTU, 1}));
    EXPECT_EQ(CutUp(3 * MTU), (std::vector<uint32_t>{MTU, MTU, MTU}));
}

TEST(SendQueue, AWriteLongerThanAMessageLeavesAsSeveral)
{
    constexpr uint64_t WHOLE{1ULL << 31}; // 2,097,152 packets.
    constexpr uint64_t PACKETS{WHOLE / MTU};
    SendQueue queue(MTU, 0);
    queue.Post(1, 2 * WHOLE + 1500);
    EXPECT_EQ(queue.GetEnd(), 2 * PACKETS + 2);
    const auto expect = [&](uint64_t number, uint8_t operation, uint64_t bytes, uint32_t place) {
        const PacketPlan plan = queue.Plan(number);
        EXPECT_EQ(plan.operation, operation) << number;
        EXPECT_EQ(plan.messageBytes, bytes) << number;
        EXPECT_EQ(plan.packetOffset, place) << number;
        EXPECT_EQ(plan.offset, number * MTU); // Of the whole: it goes to one place in memory.
    };
    expect(0, opcode::WRITE_FIRST, WHOLE, 0);
    expect(PACKETS - 1, opcode::WRITE_LAST, WHOLE, PACKETS - 1);
    expect(PACKETS, opcode::WRITE_FIRST, WHOLE, 0);
    expect(2 * PACKETS - 1, opcode::WRITE_LAST, WHOLE, PACKETS - 1);
    expect(2 * PACKETS, opcode::WRITE_FIRST, 1500, 0);
    expect(2 * PACKETS + 1, opcode::WRITE_LAST, 1500, 1);
    EXPECT_EQ(queue.Plan(2 * PACKETS + 1).payloadBytes, 1500 - MTU);
    EXPECT_FALSE(queue.IsOldestDone(2 * PACKETS)); // One completion, at the end.
    EXPECT_TRUE(queue.IsOldestDone(2 * PACKETS + 2));
}

TEST(SendQueue, AMessageHasFewerPacketsThanAWindow)
{
    // 2^31 bytes are 2^23 packets of 256 bytes, a whole window: two fewer are left.
    EXPECT_EQ(SendQueue::GetMaxMessageBytes(256), (1ULL << 31) - 2 * 256);
    EXPECT_EQ(SendQueue::GetMaxMessageBytes(4096), 1ULL << 31);
    EXPECT_EQ(SendQueue::GetMaxMessageBytes(1000), 2'147'483'000U);
    SendQueue queue(256, 0);
    queue.Post(1, 1ULL << 31);
    EXPECT_TRUE(queue.Plan((1U << 23) - 3).isLast);
    EXPECT_TRUE(queue.Plan((1U << 23) - 2).isFirst);
    EXPECT_EQ(queue.Plan((1U << 23) - 2).messageBytes, 512U);
}

TEST(SendQueue, NumbersPacketsThroughAllMessages)
{
    SendQueue queue(MTU, 100);
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.GetEnd(), 100);
    queue.Post(7, 2500); // Packets 100, 101, 102: 1024 + 1024 + 452.
    queue.Post(8, 10);   // Packet 103.
    queue.Post(9, 1024); // Packet 104.
    EXPECT_EQ(queue.GetEnd(), 105);
    EXPECT_EQ(queue.Plan(102).payloadBytes, 452);
    EXPECT_TRUE(queue.Plan(102).isLast);
    EXPECT_TRUE(queue.Plan(103).isFirst && queue.Plan(103).isLast);
    EXPECT_EQ(queue.Plan(104).payloadBytes, 1024);
    EXPECT_EQ(queue.GetBytesBefore(100), 0);
    EXPECT_EQ(queue.GetBytesBefore(102), 2048);
    EXPECT_EQ(queue.GetBytesBefore(103), 2500);
    EXPECT_EQ(queue.GetBytesBefore(104), 2510);
    EXPECT_EQ(queue.GetBytesBefore(105), 3534);
}

TEST(SendQueue, AMessageIsDoneWithItsLastPacket)
{
    SendQueue queue(MTU, 0);
    queue.Post(7, 2048); // Packets 0 and 1.
    queue.Post(8, 1);    // Packet 2.
    EXPECT_FALSE(queue.IsOldestDone(1));
    EXPECT_TRUE(queue.IsOldestDone(2));
    EXPECT_EQ(queue.GetOldest().wrId, 7);
    queue.DropOldest();
    EXPECT_FALSE(queue.IsOldestDone(2));
    EXPECT_TRUE(queue.IsOldestDone(3));
    EXPECT_EQ(queue.GetOldest().wrId, 8);
    queue.DropOldest();
    EXPECT_FALSE(queue.IsOldestDone(3));
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.GetBytesBefore(queue.GetEnd()), 2049); // Bytes are counted from the first.
}

TEST(SendQueue, ServesManyMessagesInOrder)
{
    SendQueue queue(MTU, 0);
    uint64_t posted = 0;
    for (uint64_t taken = 0; taken < 5000; ++taken)
    {
        // Two come, one goes: the queue grows and is compacted on the way.  Message i has
        // 1 + i % 3 packets: 6 in three messages, which start at 0, 1 and 3 of them.
        for (int i = 0; i < 2; ++i, ++posted)
        {
            queue.Post(posted, (posted % 3) * MTU + 5);
        }
        const uint64_t first = taken / 3 * 6 + (taken % 3) * (taken % 3 + 1) / 2;
        ASSERT_TRUE(queue.Plan(first).isFirst);
        ASSERT_TRUE(queue.Plan(first + taken % 3).isLast);
        ASSERT_EQ(queue.Plan(first + taken % 3).payloadBytes, 5);
        ASSERT_TRUE(queue.IsOldestDone(first + taken % 3 + 1));
        ASSERT_EQ(queue.GetOldest().wrId, taken);
        queue.DropOldest();
    }
}

TEST(SendQueue, TakesSizesOf64Bits)
{
    SendQueue queue(MTU, 0xfffff0);
    const uint64_t large = (uint64_t{1} << 40) + 1; // 2^30 full packets and one byte.
    queue.Post(1, large);
    queue.Post(2, 3);
    const uint64_t last = 0xfffff0 + (uint64_t{1} << 30);
    EXPECT_EQ(queue.GetEnd(), last + 2);
    EXPECT_EQ(queue.Plan(last).payloadBytes, 1);
    EXPECT_TRUE(queue.Plan(last).isLast);
    EXPECT_FALSE(queue.Plan(0x1000000).isFirst); // Beyond 24 bits it is still the same message.
    EXPECT_EQ(queue.GetBytesBefore(0xfffff0 + (uint64_t{1} << 29)), uint64_t{1} << 39);
    EXPECT_EQ(queue.GetBytesBefore(last + 1), large);
    EXPECT_EQ(queue.Plan(last + 1).payloadBytes, 3);
}

TEST(SendQueue, CountsThePacketsOfTheLargestMessage)
{
    SendQueue queue(MTU, 0);
    queue.Post(1, UINT64_MAX); // 2^64 - 1 = 2^54 x 1024 - 1.
    EXPECT_EQ(queue.GetEnd(), uint64_t{1} << 54);
    EXPECT_EQ(queue.Plan(queue.GetEnd() - 1).payloadBytes, 1023);
}

TEST(SendQueue, SaysWhereSoManyMessagesEnd)
{
    SendQueue queue(MTU, 0);
    queue.Post(1, 3 * MTU); // Packets 0 to 2.
    queue.Post(2, 1);       // Packet 3.
    queue.Post(3, 2 * MTU); // Packets 4 and 5.
    EXPECT_EQ(queue.GetEndOfMessages(0, 6, 1), 3);
    EXPECT_EQ(queue.GetEndOfMessages(1, 6, 1), 3); // From its middle on it is still the first.
    EXPECT_EQ(queue.GetEndOfMessages(2, 6, 2), 4);
    EXPECT_EQ(queue.GetEndOfMessages(0, 6, 100), 6);
    EXPECT_EQ(queue.GetEndOfMessages(0, 4, 100), 4); // No farther than asked.
}

TEST(SendQueue, CountsMessagesThatEndInARange)
{
    SendQueue queue(MTU, 0);
    queue.Post(1, 3 * MTU); // Packets 0 to 2.
    queue.Post(2, 1);       // Packet 3.
    queue.Post(3, 2 * MTU); // Packets 4 and 5.
    EXPECT_EQ(queue.CountMessages(0, 6, 100), 3);
    EXPECT_EQ(queue.CountMessages(2, 6, 100), 3); // The first has not ended.
    EXPECT_EQ(queue.CountMessages(3, 6, 100), 2);
    EXPECT_EQ(queue.CountMessages(0, 5, 100), 2); // The third ends at 6.
    EXPECT_EQ(queue.CountMessages(0, 2, 100), 0);
    EXPECT_EQ(queue.CountMessages(0, 6, 2), 2);
}

TEST(SendQueue, CountsFromTheOldestKeptMessage)
{
    SendQueue queue(MTU, 0);
    queue.Post(1, 1);
    queue.Post(2, 1);
    queue.Post(3, 1);
    queue.DropOldest();
    EXPECT_EQ(queue.CountMessages(1, 3, 100), 2);
    EXPECT_EQ(queue.GetEndOfMessages(1, 3, 1), 2);
    EXPECT_EQ(queue.GetNewest().wrId, 3);
}

TEST(SendQueue, ALongReadIsSeveralRequests)
{
    // Three packets per request: 7 1/2 packets are requests of 3, 3 and 1 1/2.
    SendQueue queue(MTU, 0, false, 3);
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList = {{0x1000, 7 * MTU + MTU / 2, 0}};
    queue.Post(request);
    ASSERT_EQ(queue.GetEnd(), 8);
    const auto expect = [&](uint64_t number, uint32_t packets, uint32_t bytes) {
        const PacketPlan plan = queue.Plan(number);
        EXPECT_EQ(plan.operation, opcode::READ_REQUEST) << number;
        EXPECT_EQ(plan.offset, number * MTU) << number;
        EXPECT_EQ(plan.count, packets) << number;
        EXPECT_EQ(plan.messageBytes, bytes) << number;
        EXPECT_EQ(plan.payloadBytes, 0) << number;
    };
    expect(0, 3, 3 * MTU);
    expect(3, 3, 3 * MTU);
    expect(6, 2, MTU + MTU / 2);
    // Again after a loss: up to the end of the same request.
    expect(4, 2, 2 * MTU);
    expect(7, 1, MTU / 2);
    for (uint64_t number = 0; number <= 8; ++number)
    {
        EXPECT_EQ(queue.IsBetweenReadRequests(number), number == 3 || number == 6) << number;
    }
}

TEST(SendQueue, WithoutALimitAReadIsOneRequest)
{
    SendQueue queue(MTU, 0);
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList = {{0x1000, 8 * MTU, 0}};
    queue.Post(request);
    EXPECT_EQ(queue.Plan(0).count, 8);
    EXPECT_EQ(queue.Plan(0).messageBytes, 8 * MTU);
    EXPECT_FALSE(queue.IsBetweenReadRequests(4));
}
