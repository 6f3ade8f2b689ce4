// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-command-executor.h"

#include "two-kernel-hosts.h"

#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t AT{VerbsEnd::BASE};
constexpr uint32_t SLOT{3};
constexpr uint64_t WRITE_BYTES{256}; ///< The bound of writes on their way.

/// An executor of commands that the test gives, beside the kernels of end 0.
class ExecutorTest : public testing::Test, private KernelCommandClient
{
  protected:
    explicit ExecutorTest(uint32_t maxReads = 2)
        : m_hosts(false)
    {
        m_hosts.Start();
        m_pcie->Start(RandomStream(1, 0));
        RdmaNic& nic = m_hosts.bench.GetNic(0);
        const KernelExecutorParts parts{*nic.GetCore().engine,
                                        nic,
                                        *m_pcie,
                                        *m_hosts.bench.ends[0].memory,
                                        *m_hosts.hosts[0]->GetTlb(),
                                        *m_card,
                                        m_stats};
        KernelCommandClient& client = *this;
        const KernelBounds bounds{maxReads, WRITE_BYTES};
        m_executor = std::make_unique<KernelCommandExecutor>(parts, client, bounds, m_trace);
    }

    static KernelCommand MakeRead(uint64_t address, uint64_t tag, Tick at = 0)
    {
        return {KernelCommand::Kind::READ_HOST, at, address, 8, {}, tag};
    }

    static KernelCommand MakeWrite(uint64_t address, uint64_t tag, std::vector<uint8_t> bytes)
    {
        return {KernelCommand::Kind::WRITE_HOST, 0, address, 0, std::move(bytes), tag};
    }

    void Run()
    {
        m_hosts.bench.Run();
    }

    uint64_t Count(KernelCommand::Kind kind) const
    {
        return m_stats.commands[static_cast<std::size_t>(kind)];
    }

    TwoKernelHosts m_hosts;
    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
    Ptr<ChannelMemory> m_card = CreateObject<ChannelMemory>();
    KernelStats m_stats;
    KernelCommandExecutor::Trace m_trace;
    std::unique_ptr<KernelCommandExecutor> m_executor;
    std::vector<std::pair<uint64_t, Tick>> m_data; ///< Tags and times.
    std::vector<uint64_t> m_faults;                ///< Tags.
    std::vector<uint8_t> m_bytes;                  ///< Of the last data.
    std::vector<Tick> m_rooms;                     ///< When the slot was full no longer.

  private:
    void OnKernelData(uint32_t slot, uint64_t tag, ByteView bytes) override
    {
        EXPECT_EQ(slot, SLOT);
        m_data.emplace_back(tag, ToTick(Simulator::Now()));
        m_bytes = bytes.Copy();
    }

    void OnKernelFault(uint32_t slot, uint64_t tag) override
    {
        EXPECT_EQ(slot, SLOT);
        m_faults.push_back(tag);
    }

    void OnKernelRoom(uint32_t slot) override
    {
        EXPECT_EQ(slot, SLOT);
        m_rooms.push_back(ToTick(Simulator::Now()));
    }
};
} // namespace

TEST_F(ExecutorTest, ReadsBeyondTheBoundWaitForEarlierOnes)
{
    for (uint64_t tag = 0; tag < 4; ++tag)
    {
        m_executor->Give(SLOT, MakeRead(AT + 64 * tag, tag));
    }
    EXPECT_TRUE(m_executor->IsFull(SLOT));
    EXPECT_FALSE(m_executor->IsFull(SLOT + 1));
    Run();
    EXPECT_FALSE(m_executor->IsFull(SLOT));
    ASSERT_EQ(m_data.size(), 4U);
    // Two at a time: the third one is asked for when the first one is there.
    EXPECT_LT(m_data[1].second, 2 * m_data[0].second);
    EXPECT_GE(m_data[2].second, 2 * m_data[0].second - 10'000);
    EXPECT_EQ(Count(KernelCommand::Kind::READ_HOST), 4U);
}

TEST_F(ExecutorTest, ASlotIsFullUntilTheHostCanSeeEnoughOfItsWrites)
{
    m_executor->Give(SLOT, MakeWrite(AT, 1, std::vector<uint8_t>(128, 1)));
    EXPECT_FALSE(m_executor->IsFull(SLOT));
    m_executor->Give(SLOT, MakeWrite(AT + 128, 2, std::vector<uint8_t>(128, 2)));
    EXPECT_TRUE(m_executor->IsFull(SLOT)); // 256 bytes.
    EXPECT_FALSE(m_executor->IsFull(SLOT + 1));
    Run();
    EXPECT_FALSE(m_executor->IsFull(SLOT));
    // Two cycles of the TLB; 128 bytes and 26 of overhead take 9.775 ns, and are visible after 250.
    ASSERT_EQ(m_rooms.size(), 1U);
    EXPECT_NEAR(static_cast<double>(m_rooms[0]), 272'575, 1);
}

TEST_F(ExecutorTest, CommandsAreCarriedOutInTheOrderOfTheirTimes)
{
    std::vector<uint64_t> order;
    const std::function<void(const KernelCommand&)> tap = [&](const KernelCommand& command) {
        order.push_back(command.tag);
    };
    m_trace.ConnectWithoutContext(Callback<void, const KernelCommand&>(tap));
    m_executor->Give(SLOT, MakeRead(AT, 1, 3'000'000));
    m_executor->Give(SLOT, MakeRead(AT, 2, 2'000'000));
    m_executor->Give(SLOT, MakeRead(AT, 3, 2'000'000));
    m_executor->Give(SLOT, MakeRead(AT, 4)); // At once.
    Run();
    EXPECT_EQ(order, (std::vector<uint64_t>{4, 2, 3, 1}));
}

TEST_F(ExecutorTest, WhatIsNotPinnedOrHasNoBytesIsAFault)
{
    constexpr uint64_t WILD{AT + 2 * TwoKernelHosts::PINNED};
    m_executor->Give(SLOT, MakeRead(WILD, 1));
    m_executor->Give(SLOT, MakeWrite(WILD, 2, {1}));
    m_executor->Give(SLOT, MakeWrite(AT, 3, {}));
    KernelCommand empty = MakeRead(AT, 4);
    empty.length = 0;
    m_executor->Give(SLOT, empty);
    KernelCommand beyond{KernelCommand::Kind::READ_CARD, 0, UINT64_MAX - 4, 8, {}, 5};
    m_executor->Give(SLOT, beyond);
    Run();
    EXPECT_EQ(m_faults, (std::vector<uint64_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(m_stats.faults, 5U);
    EXPECT_TRUE(m_data.empty());
}

TEST_F(ExecutorTest, TheCardsMemoryKeepsItsBytes)
{
    m_executor->Give(SLOT, {KernelCommand::Kind::WRITE_CARD, 0, 4096, 0, {1, 2, 3}, 1});
    m_executor->Give(SLOT, {KernelCommand::Kind::READ_CARD, 1'000'000, 4096, 3, {}, 2});
    Run();
    EXPECT_EQ(m_bytes, (std::vector<uint8_t>{1, 2, 3}));
    ASSERT_EQ(m_data.size(), 1U); // Nothing for the write.
    // 200 ns and three bytes of 12.8 GB/s, 234 ps.
    EXPECT_NEAR(static_cast<double>(m_data[0].second), 1'200'234, 2);
}

TEST_F(ExecutorTest, TheHostIsNotifiedBehindEarlierWrites)
{
    Tick notifiedAt = 0;
    uint64_t found = 0;
    m_executor->SetListener([&](const KernelCommand& command, Tick now) {
        EXPECT_EQ(command.tag, 42U);
        notifiedAt = now;
        found = m_hosts.bench.ends[0].memory->Read64(AT);
    });
    m_executor->Give(SLOT, MakeWrite(AT, 1, {9, 0, 0, 0, 0, 0, 0, 0}));
    m_executor->Give(SLOT, {KernelCommand::Kind::COMPLETE, 0, 0, 0, {}, 42});
    Run();
    EXPECT_GT(notifiedAt, 0);
    EXPECT_EQ(found, 9U);
}

TEST_F(ExecutorTest, AWriteForAQueuePairThatIsNotThereIsCounted)
{
    KernelCommand send{KernelCommand::Kind::SEND_WRITE, 0, AT, 0, {1}, 1};
    send.queuePair = 0x999;
    m_executor->Give(SLOT, send);
    Run();
    EXPECT_EQ(m_stats.failedPosts, 1U);
    EXPECT_EQ(Count(KernelCommand::Kind::SEND_WRITE), 1U);
}
