// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(TemplateName, ReadsTheEntryThenTheValueThenAnswers)
{
    auto kernel = CreateObject<TemplateName>();
    kernel->SetClock(ClockDomain(100'000'000, 64)); // Cycles of 10 ns: four are 40,000 ps.
    const std::vector<uint8_t> parameters = GetParameters{0x1000, 0x2000, 42}.Encode();
    KernelInput input;
    input.queuePair = 7;
    input.bytes = ByteView(parameters);
    const KernelStep first = kernel->OnPacket(input);
    ASSERT_EQ(first.commands.size(), 1U);
    EXPECT_EQ(first.commands[0].address, 0x2000U);
    EXPECT_EQ(first.commands[0].at, 40'000);

    GetEntry entry;
    entry.buckets[1] = {42, 0x3000, 5};
    const std::vector<uint8_t> bytes = entry.Encode();
    const KernelStep second = kernel->OnData(first.commands[0].tag, ByteView(bytes), 1'000'000);
    EXPECT_EQ(second.commands[0].address, 0x3000U);

    const std::vector<uint8_t> value{1, 2, 3, 4, 5};
    const KernelStep last = kernel->OnData(second.commands[0].tag, ByteView(value), 2'000'000);
    ASSERT_EQ(last.commands.size(), 1U);
    EXPECT_EQ(last.commands[0].kind, KernelCommand::Kind::SEND_WRITE);
    EXPECT_EQ(last.commands[0].queuePair, 7U);
    EXPECT_EQ(last.commands[0].address, 0x1000U);
    EXPECT_EQ(last.commands[0].at, 2'040'000);
}
