// SPDX-License-Identifier: GPL-2.0-only

// A kernel is tested without a simulator: include it, tell it events, compare its commands.

#include "cached-get.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TARGET{0x1000}; // Of the answer, in the caller's memory.
constexpr uint64_t ENTRY{0x2000};  // Of the hash table, in the server's.
constexpr uint64_t VALUE{0x3000};

/// The kernel at 100 MHz: cycles of 10 ns.
class CachedGetTest : public testing::Test
{
  protected:
    CachedGetTest()
    {
        m_kernel->SetClock(ClockDomain(100'000'000, 64));
    }

    KernelStep Call(uint64_t key, Tick at)
    {
        const std::vector<uint8_t> parameters = GetParameters{TARGET, ENTRY, key}.Encode();
        KernelInput input;
        input.queuePair = 7;
        input.replyKey = 9;
        input.bytes = ByteView(parameters);
        input.at = at;
        return m_kernel->OnPacket(input);
    }

    /// The entry of the table is read: it has the key's bucket.
    KernelStep BringEntry(uint64_t tag, uint64_t key, Tick now)
    {
        GetEntry entry;
        entry.buckets[1] = {key, VALUE, 5};
        const std::vector<uint8_t> bytes = entry.Encode();
        return m_kernel->OnData(tag, ByteView(bytes), now);
    }

    KernelStep BringValue(uint64_t tag, Tick now)
    {
        return m_kernel->OnData(tag, ByteView(m_value), now);
    }

    void ExpectRead(const KernelStep& step, uint64_t address, uint32_t bytes, Tick at) const
    {
        ASSERT_EQ(step.commands.size(), 1U);
        EXPECT_EQ(step.commands[0].kind, KernelCommand::Kind::READ_HOST);
        EXPECT_EQ(step.commands[0].address, address);
        EXPECT_EQ(step.commands[0].length, bytes);
        EXPECT_EQ(step.commands[0].at, at);
    }

    /// A status word and perhaps a value go back to the caller.
    void ExpectAnswer(const KernelStep& step, KernelStatus status, Tick at) const
    {
        ASSERT_EQ(step.commands.size(), 1U);
        const KernelCommand& write = step.commands[0];
        EXPECT_EQ(write.kind, KernelCommand::Kind::SEND_WRITE);
        EXPECT_EQ(write.queuePair, 7U);
        EXPECT_EQ(write.remoteKey, 9U);
        EXPECT_EQ(write.address, TARGET);
        EXPECT_EQ(write.at, at);
        ASSERT_GE(write.bytes.size(), 8U);
        EXPECT_EQ(KernelReply::GetStatus(ByteView(write.bytes).Get64(0)), status);
        const std::vector<uint8_t> value(write.bytes.begin() + 8, write.bytes.end());
        EXPECT_EQ(value, status == KernelStatus::OK ? m_value : std::vector<uint8_t>());
    }

    Ptr<CachedGet> m_kernel = CreateObject<CachedGet>();
    const std::vector<uint8_t> m_value{1, 2, 3, 4, 5};
};
} // namespace

TEST_F(CachedGetTest, AKeyThatIsAskedForAgainNeedsNoMemory)
{
    // Four cycles of 10 ns from each event to the next command.
    const KernelStep first = Call(42, 0);
    ExpectRead(first, ENTRY, 64, 40'000);
    EXPECT_EQ(first.readyAt, 10'000);
    const KernelStep second = BringEntry(first.commands[0].tag, 42, 1'000'000);
    ExpectRead(second, VALUE, 5, 1'040'000);
    ExpectAnswer(BringValue(second.commands[0].tag, 2'000'000), KernelStatus::OK, 2'040'000);
    ExpectAnswer(Call(42, 3'000'000), KernelStatus::OK, 3'040'000);
}

TEST_F(CachedGetTest, AnotherKeyOfTheSamePlaceTakesIt)
{
    m_kernel->SetAttribute("Values", UintegerValue(10));
    for (const uint64_t key : {2, 12}) // The same remainder.
    {
        const KernelStep step = Call(key, 0);
        ASSERT_EQ(step.commands[0].kind, KernelCommand::Kind::READ_HOST);
        BringValue(BringEntry(step.commands[0].tag, key, 0).commands[0].tag, 0);
    }
    EXPECT_EQ(Call(12, 0).commands[0].kind, KernelCommand::Kind::SEND_WRITE);
    EXPECT_EQ(Call(2, 0).commands[0].kind, KernelCommand::Kind::READ_HOST);
}

TEST_F(CachedGetTest, AbsentKeysAndFaultsAreAnsweredAndNotKept)
{
    const uint64_t absent = Call(42, 0).commands[0].tag;
    ExpectAnswer(BringEntry(absent, 43, 0), KernelStatus::NOT_FOUND, 40'000);
    const uint64_t wild = Call(42, 0).commands[0].tag;
    ExpectAnswer(m_kernel->OnFault(wild, 0), KernelStatus::FAULT, 40'000);
    EXPECT_EQ(Call(42, 0).commands[0].kind, KernelCommand::Kind::READ_HOST);
}

TEST_F(CachedGetTest, CallsUnderWayDoNotMixUp)
{
    const uint64_t first = Call(1, 0).commands[0].tag;
    const uint64_t second = Call(2, 0).commands[0].tag;
    ExpectAnswer(BringEntry(second, 3, 0), KernelStatus::NOT_FOUND, 40'000);
    ExpectRead(BringEntry(first, 1, 0), VALUE, 5, 40'000);
}

TEST_F(CachedGetTest, ParametersThatAreTooShortAreDropped)
{
    KernelInput input;
    const std::vector<uint8_t> bytes(23);
    input.bytes = ByteView(bytes);
    EXPECT_TRUE(m_kernel->OnPacket(input).commands.empty());
}
