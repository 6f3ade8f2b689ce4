// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/call-kernel.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick CYCLE{10'000}; ///< 100 MHz.
constexpr uint32_t READ_BYTES{32};

/// Reads a place that is the call's second word and answers with what it finds.
class Echo : public CallKernel
{
  public:
    Echo()
    {
        m_latency = 5;
        SetClock(ClockDomain(100'000'000, 64));
    }

    uint64_t GetRpcCode() const override
    {
        return 90;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        KernelStep step;
        const auto reply = FindReply(input);
        if (!reply)
        {
            return step;
        }
        if (input.bytes.GetSize() != 2 * sizeof(uint64_t))
        {
            Refuse(*reply, input.at, step);
            return step;
        }
        const uint32_t place = Begin(*reply, input.at, step);
        Read(place, input.bytes.Get64(8), READ_BYTES, input.at, step);
        return step;
    }

    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override
    {
        KernelStep step;
        End(static_cast<uint32_t>(tag), {KernelStatus::OK, bytes.Copy()}, now, now, step);
        return step;
    }

    KernelStep OnFault(uint64_t tag, Tick now) override
    {
        KernelStep step;
        End(static_cast<uint32_t>(tag), {KernelStatus::FAULT, {}}, now, now, step);
        return step;
    }
};

/// Answers each call with the bytes at the call's second word, as many as its third says.
class Fetch : public CallKernel
{
  public:
    Fetch()
    {
        m_latency = 5;
        SetClock(ClockDomain(100'000'000, 64));
    }

    uint64_t GetRpcCode() const override
    {
        return 91;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        KernelStep step;
        const uint32_t place = Begin(*FindReply(input), input.at, step);
        const auto bytes = static_cast<uint32_t>(input.bytes.Get64(16));
        ReadValue(place, input.bytes.Get64(8), bytes, input.at, step);
        return step;
    }

    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override
    {
        KernelStep step;
        OnValue(tag, bytes, now, step);
        return step;
    }

    KernelStep OnFault(uint64_t tag, Tick now) override
    {
        KernelStep step;
        OnValueFault(tag, now, step);
        return step;
    }
};

/// @return the first step of a Fetch of 4096 bytes at 0x2000 for 0x1000, at time 0.
KernelStep
BeginFetch(Fetch& kernel)
{
    std::vector<uint8_t> bytes(24);
    boost::endian::store_little_u64(bytes.data(), 0x1000);
    boost::endian::store_little_u64(bytes.data() + 8, 0x2000);
    boost::endian::store_little_u64(bytes.data() + 16, 4096);
    KernelInput input;
    input.queuePair = 7;
    input.bytes = ByteView(bytes);
    return kernel.OnPacket(input);
}

class CallKernelTest : public testing::Test
{
  protected:
    /// @param words of the parameters
    KernelStep Call(const std::vector<uint64_t>& words, Tick at = 0, bool isFirst = true)
    {
        std::vector<uint8_t> bytes(words.size() * sizeof(uint64_t));
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            boost::endian::store_little_u64(bytes.data() + i * sizeof(uint64_t), words[i]);
        }
        KernelInput input;
        input.queuePair = 7;
        input.replyKey = 9;
        input.isFirst = isFirst;
        input.bytes = ByteView(bytes);
        input.at = at;
        return m_kernel->OnPacket(input);
    }

    Ptr<Echo> m_kernel = CreateObject<Echo>();
};
} // namespace

TEST_F(CallKernelTest, ReadsAfterItsLatencyAndTakesACallPerCycle)
{
    const KernelStep step = Call({0x1000, 0x2000}, CYCLE);
    ASSERT_EQ(step.commands.size(), 1U);
    EXPECT_EQ(step.commands[0].kind, KernelCommand::Kind::READ_HOST);
    EXPECT_EQ(step.commands[0].address, 0x2000U);
    EXPECT_EQ(step.commands[0].length, READ_BYTES);
    EXPECT_EQ(step.commands[0].at, 6 * CYCLE);
    EXPECT_EQ(step.readyAt, 2 * CYCLE);
}

TEST_F(CallKernelTest, AnswersGoToTheCallThatTheyAreOfInAnyOrder)
{
    const uint64_t first = Call({0x1000, 0x2000}).commands[0].tag;
    const uint64_t second = Call({0x5000, 0x6000}).commands[0].tag;
    EXPECT_NE(first, second);
    const std::vector<uint8_t> bytes(4, 1);
    const KernelStep answer = m_kernel->OnData(second, ByteView(bytes), 100 * CYCLE);
    ASSERT_EQ(answer.commands.size(), 1U);
    EXPECT_EQ(answer.commands[0].address, 0x5000U);
    EXPECT_EQ(answer.commands[0].queuePair, 7U);
    EXPECT_EQ(answer.commands[0].remoteKey, 9U);
    EXPECT_EQ(m_kernel->OnFault(first, 100 * CYCLE).commands[0].address, 0x1000U);
    EXPECT_EQ(Call({0x7000, 0x8000}).commands[0].tag, first); // The first free place.
}

TEST(CallKernelValue, LeavesWithItsFirstPacketWhileTheRestIsRead)
{
    const auto kernel = CreateObject<Fetch>();
    const KernelStep begun = BeginFetch(*kernel);
    ASSERT_EQ(begun.commands.size(), 2U); // A packet of 1408 bytes, and the other 2688.
    EXPECT_EQ(begun.commands[0].length, 1408U);
    EXPECT_EQ(begun.commands[1].address, 0x2000U + 1408);
    EXPECT_EQ(begun.commands[1].length, 2688U);
    for (const std::size_t first : {0, 1}) // Reads may end in any order.
    {
        const KernelStep calls = BeginFetch(*kernel);
        const std::size_t second = 1 - first;
        const std::vector<uint8_t> early(calls.commands[first].length, 1);
        const std::vector<uint8_t> late(calls.commands[second].length, 2);
        const KernelStep part =
            kernel->OnData(calls.commands[first].tag, ByteView(early), 100 * CYCLE);
        ASSERT_EQ(part.commands.size(), 1U);
        // Behind the word of 8 bytes, five cycles later.
        EXPECT_EQ(part.commands[0].address, 0x1000U + 8 + (first == 0 ? 0 : 1408));
        EXPECT_EQ(part.commands[0].at, 105 * CYCLE);
        EXPECT_EQ(part.commands[0].bytes, early);
        const KernelStep end =
            kernel->OnData(calls.commands[second].tag, ByteView(late), 200 * CYCLE);
        ASSERT_EQ(end.commands.size(), 2U); // The rest, then the word.
        EXPECT_EQ(end.commands[0].address, 0x1000U + 8 + (second == 0 ? 0 : 1408));
        EXPECT_EQ(end.commands[0].bytes, late);
        EXPECT_EQ(end.commands[1].address, 0x1000U);
        EXPECT_EQ(ByteView(end.commands[1].bytes).Get64(0),
                  KernelReply::MakeWord(KernelStatus::OK, 4096));
    }
}

TEST(CallKernelValue, EndsOnceAfterAFaultOfEitherPart)
{
    for (const std::size_t bad : {0, 1})
    {
        const auto kernel = CreateObject<Fetch>();
        const KernelStep calls = BeginFetch(*kernel);
        const std::vector<uint8_t> bytes(calls.commands[1 - bad].length, 1);
        EXPECT_TRUE(kernel->OnFault(calls.commands[bad].tag, CYCLE).commands.empty());
        const KernelStep end =
            kernel->OnData(calls.commands[1 - bad].tag, ByteView(bytes), 2 * CYCLE);
        ASSERT_EQ(end.commands.size(), 1U);
        EXPECT_EQ(ByteView(end.commands[0].bytes).Get64(0),
                  KernelReply::MakeWord(KernelStatus::FAULT, 0));
    }
}

TEST_F(CallKernelTest, TakesNoCallWhileAllPlacesAreInUse)
{
    m_kernel->SetAttribute("MaxCalls", UintegerValue(2));
    Call({0x1000, 0x2000});
    const KernelStep second = Call({0x1000, 0x2000});
    EXPECT_EQ(second.readyAt, TICK_NEVER);
    EXPECT_EQ(m_kernel->OnFault(second.commands[0].tag, 3 * CYCLE).readyAt, 4 * CYCLE);
    EXPECT_EQ(Call({0x1000, 0x2000}, 4 * CYCLE).readyAt, TICK_NEVER);
}

TEST_F(CallKernelTest, RefusesBadParametersAndDropsThoseWithoutATarget)
{
    const KernelStep refused = Call({0x1000});
    ASSERT_EQ(refused.commands.size(), 1U);
    EXPECT_EQ(KernelReply::GetStatus(ByteView(refused.commands[0].bytes).Get64(0)),
              KernelStatus::BAD_PARAMETERS);
    EXPECT_EQ(m_kernel->GetDropped(), 0U);
    EXPECT_TRUE(Call({}).commands.empty());
    EXPECT_TRUE(Call({0x1000, 0x2000}, 0, false).commands.empty()); // In the middle of a message.
    EXPECT_EQ(m_kernel->GetDropped(), 2U);
}
