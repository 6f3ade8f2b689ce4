// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-window.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr uint32_t MTU{1000};
constexpr uint32_t QUEUE_PAIR{7};

class PacketWindowTest : public testing::Test
{
  protected:
    /// Sends the next new packet.
    void Send()
    {
        m_window.OnSent(m_window.GetQueue().Plan(m_window.GetNext()), m_rules);
    }

    bool CanSend(uint64_t windowBytes) const
    {
        return m_window.CanSendNext(windowBytes, m_rules);
    }

    RequesterRules m_rules{};
    PacketWindow m_window{MTU, 0, QUEUE_PAIR, false};
    Completions m_completions;
};

SendWorkRequest
MakeRead(uint32_t bytes)
{
    SendWorkRequest request;
    request.wrId = 5;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList = {{0, bytes, 0}};
    return request;
}

} // namespace

TEST_F(PacketWindowTest, CountsPayloadAsItIsPostedSentAndAcknowledged)
{
    m_window.Post(1, 2500, m_rules);
    EXPECT_EQ(m_window.GetUnsentBytes(), 2500);
    Send();
    Send();
    Send();
    EXPECT_EQ(m_window.GetUnsentBytes(), 0);
    EXPECT_EQ(m_window.GetInFlightBytes(), 2500);
    EXPECT_TRUE(m_window.Acknowledge(2));
    EXPECT_FALSE(m_window.Acknowledge(2));
    EXPECT_EQ(m_window.GetInFlightBytes(), 500);
    EXPECT_EQ(m_window.GetAcknowledgedBytes(), 2000);
    m_window.Complete(0, m_rules, m_completions);
    EXPECT_TRUE(m_completions.empty());
    EXPECT_TRUE(m_window.Acknowledge(3));
    m_window.Complete(0, m_rules, m_completions);
    EXPECT_EQ(m_completions.size(), 1);
    EXPECT_TRUE(m_window.IsIdle());
}

TEST_F(PacketWindowTest, AFullPacketMustFitButOneMayAlwaysLeave)
{
    m_window.Post(1, 2500, m_rules);
    EXPECT_TRUE(CanSend(1));
    Send();
    EXPECT_FALSE(CanSend(1999));
    EXPECT_TRUE(CanSend(2000));
    Send();
    EXPECT_TRUE(CanSend(2500)); // The last one has 500 bytes.
    EXPECT_FALSE(CanSend(2499));
    EXPECT_EQ(m_window.GetSendableBytes(1, 2100), 100);
}

TEST_F(PacketWindowTest, WhatHasNoDoorbellYetIsNotSent)
{
    m_rules.hasDoorbell = true;
    m_window.Post(1, 500, m_rules);
    m_window.Post(2, 500, m_rules);
    EXPECT_FALSE(CanSend(MTU));
    m_window.Ring(1);
    EXPECT_TRUE(CanSend(MTU));
    EXPECT_EQ(m_window.CountMessages(0, UINT64_MAX, 10), 1);
    m_window.Ring(100); // Of an earlier life of the queue pair: never beyond what is posted.
    EXPECT_EQ(m_window.GetKnownEnd(), 2);
}

TEST_F(PacketWindowTest, DrainingLetsAMessageEndAndNoneBegin)
{
    m_window.Post(1, 1500, m_rules);
    m_window.Post(2, 500, m_rules);
    Send();
    m_window.SetDraining(true);
    EXPECT_TRUE(CanSend(10 * MTU));
    EXPECT_FALSE(m_window.IsDrained());
    Send();
    EXPECT_FALSE(CanSend(10 * MTU));
    m_window.Acknowledge(2);
    EXPECT_TRUE(m_window.IsDrained());
}

TEST_F(PacketWindowTest, AReadBeginsOnlyIfFewerAreUnderWay)
{
    m_rules.maxReadsAndAtomics = 1;
    m_window.Post(MakeRead(100), WcStatus::SUCCESS, m_rules);
    m_window.Post(MakeRead(100), WcStatus::SUCCESS, m_rules);
    Send();
    EXPECT_EQ(m_window.GetReadsUnderWay(), 1);
    EXPECT_FALSE(CanSend(10 * MTU));
    m_window.Acknowledge(1);
    m_window.Complete(0, m_rules, m_completions);
    EXPECT_TRUE(CanSend(10 * MTU));
}

TEST_F(PacketWindowTest, FlushingReportsTheOldestByItsStatusAndTheOthersAsFlushed)
{
    m_window.Post(1, 500, m_rules);
    m_window.Post(2, 500, m_rules);
    m_window.Flush(WcStatus::RETRY_EXC_ERR, m_rules, m_completions);
    ASSERT_EQ(m_completions.size(), 2);
    EXPECT_EQ(m_completions[0].status, WcStatus::RETRY_EXC_ERR);
    EXPECT_EQ(m_completions[0].qpNumber, QUEUE_PAIR);
    EXPECT_EQ(m_completions[1].status, WcStatus::WR_FLUSH_ERR);
    EXPECT_EQ(m_completions[1].wrId, 2);
}

TEST_F(PacketWindowTest, AfterAFlushNothingIsUnsent)
{
    m_window.Post(1, 10 * MTU, m_rules);
    Send();
    m_window.Flush(WcStatus::RETRY_EXC_ERR, m_rules, m_completions);
    // A turn that began before the flush asks for the end of what it may send.
    EXPECT_EQ(m_window.GetEndOfMessages(m_window.GetNext(), 8), m_window.GetNext());
    EXPECT_EQ(m_window.CountMessages(m_window.GetNext(), 100, 8), 0U);
    m_window.Ring(10); // A doorbell from before the flush.
    EXPECT_EQ(m_window.GetKnownEnd(), m_window.GetNext());
}
