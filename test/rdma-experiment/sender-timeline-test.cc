// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sender-timeline.h"

#include "ns3/fabric-port.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr Tick NS{1000};

/// A port at 8 Gb/s without Ethernet's overhead: a byte takes 1 ns.
class SenderTimelineTest : public testing::Test
{
  protected:
    SenderTimelineTest()
    {
        m_core.engine = FabricEngine::Get();
        m_core.overheadBytes = 0;
        m_core.minimumBytes = 0;
        m_near = std::make_unique<FabricPort>(m_core, 0);
        m_far = std::make_unique<FabricPort>(m_core, 0);
        FabricPort::Connect(*m_near, *m_far, DataRate("8Gbps"), 0);
        m_ports.emplace_back("port", *m_near);
        m_ports[0].Want();
    }

    /// A data packet of 100 bytes.
    TrailIndex AddData(uint32_t psn, Tick takenAt, Tick sentAt, bool isResend = false)
    {
        Frame frame{};
        frame.psn = psn;
        frame.wireBytes = 100;
        frame.sendTime = takenAt;
        frame.flags = isResend ? frame_flag::RETRANSMISSION : 0;
        m_channel.trails.emplace_back(frame, false);
        m_channel.trails.back().hops.push_back({0, sentAt, sentAt});
        m_ports[0].AddBusy(sentAt, sentAt + 100 * NS);
        return static_cast<TrailIndex>(m_channel.trails.size() - 1);
    }

    TrailIndex AddAnswer(TrailIndex data)
    {
        Frame frame{};
        frame.wireBytes = 10;
        m_channel.trails.emplace_back(frame, true);
        m_channel.trails.back().cause = data;
        m_channel.trails.back().hops.push_back({0, 0, 0});
        return static_cast<TrailIndex>(m_channel.trails.size() - 1);
    }

    /// Parts until a packet leaves are these, all others are nothing.
    void ExpectParts(MessageSpan message,
                     TrailIndex decisive,
                     const std::map<FlowCause, Tick>& parts)
    {
        const Tick end = m_channel.trails[decisive].hops.front().sentAt;
        FlowAccount account(0, end);
        SenderTimeline(m_channel, message, m_channel.trails[decisive], m_ports).AddTo(account);
        EXPECT_EQ(account.GetCursor(), end);
        for (std::size_t i = 0; i < FLOW_CAUSES; ++i)
        {
            const auto cause = static_cast<FlowCause>(i);
            const auto part = parts.find(cause);
            EXPECT_EQ(account.Sum(cause), part == parts.end() ? 0 : part->second)
                << GetInfo(cause).key;
        }
    }

    FabricCore m_core;
    std::unique_ptr<FabricPort> m_near;
    std::unique_ptr<FabricPort> m_far;
    PortLogs m_ports;
    FlowChannel m_channel;
};

} // namespace

TEST_F(SenderTimelineTest, BeforeTheDoorbellTheMessageIsPosted)
{
    m_channel.isTimed = true;
    // Known to the chip at 300 ns; the turn that begins then has its context 50 ns later and its
    // work request another 150; the packet is taken then, its payload comes 200 ns later, it is
    // through the pipeline after 30 more, and leaves 20 after that.
    m_channel.samples = {{300 * NS, 0, 0, 0, 0, 1, false}};
    m_channel.turns = {{300 * NS, 350 * NS, 500 * NS}};
    const TrailIndex data = AddData(0, 500 * NS, 750 * NS);
    m_channel.trails[data].payloadAt = 700 * NS;
    m_channel.trails[data].readyAt = 730 * NS;
    ExpectParts({0, 1},
                data,
                {{FlowCause::POST, 300 * NS},
                 {FlowCause::CONTEXT, 50 * NS},
                 {FlowCause::REQUESTS, 150 * NS},
                 {FlowCause::PAYLOAD, 200 * NS},
                 {FlowCause::TRANSMIT, 30 * NS},
                 {FlowCause::CHIP, 20 * NS}});
}

TEST_F(SenderTimelineTest, OwnPacketsOnTheWireHideStagesOfLaterOnes)
{
    m_channel.isTimed = true;
    // The first packet is on the wire from 100 to 200 ns. The second one's payload comes in that
    // time, and it leaves from the pipeline at 230.
    m_channel.samples = {{0, 0, 0, 1, 0, 2, false}};
    AddData(0, 0, 100 * NS);
    const TrailIndex data = AddData(1, 0, 230 * NS);
    m_channel.trails[data].payloadAt = 150 * NS;
    m_channel.trails[data].readyAt = 230 * NS;
    ExpectParts({0, 2},
                data,
                {{FlowCause::PAYLOAD, 100 * NS},
                 {FlowCause::SERIALIZATION, 100 * NS},
                 {FlowCause::TRANSMIT, 30 * NS}});
}

TEST_F(SenderTimelineTest, AnIdlePortWithSomethingToSendWaitsForTheChip)
{
    m_channel.isTimed = true;
    m_channel.samples = {{0, 0, 0, 0, 0, 1, false}};
    m_ports[0].AddBusy(100 * NS, 150 * NS); // Of another queue pair.
    const TrailIndex data = AddData(0, 400 * NS, 400 * NS);
    ExpectParts({0, 1}, data, {{FlowCause::CHIP, 350 * NS}, {FlowCause::SCHEDULER, 50 * NS}});
}

TEST_F(SenderTimelineTest, BeyondTheRateIsTheDelayOfAnRnrNak)
{
    // The rate would allow the packet at 100 ns, the receiver at 700.
    m_channel.samples = {{0, 700 * NS, 100 * NS, 0, 0, 1, false}};
    const TrailIndex data = AddData(0, 700 * NS, 700 * NS);
    ExpectParts({0, 1}, data, {{FlowCause::RATE, 100 * NS}, {FlowCause::NOT_READY, 600 * NS}});
}

TEST_F(SenderTimelineTest, AWindowOpenedByTheAnswerOfAPacketSentAgainIsRecovery)
{
    // Packet 0 leaves at 0 and is lost. The timer expires at 500, it is sent again, and its answer
    // comes at 900: packet 1 may go.
    const TrailIndex first = AddData(0, 0, 0);
    EXPECT_EQ(first, 0U);
    const TrailIndex again = AddData(0, 500 * NS, 500 * NS, true);
    const TrailIndex answer = AddAnswer(again);
    m_channel.samples = {{0, TICK_NEVER, 0, 1, 0, 2, false},
                         {500 * NS, 500 * NS, 0, 1, 0, 2, true},
                         {500 * NS, TICK_NEVER, 0, 1, 0, 2, false},
                         {900 * NS, 900 * NS, 0, 1, 1, 2, false, answer}};
    const TrailIndex data = AddData(1, 900 * NS, 900 * NS);
    ExpectParts({0, 2},
                data,
                {{FlowCause::SERIALIZATION, 100 * NS},
                 {FlowCause::TIMEOUT, 400 * NS},
                 {FlowCause::RESENT, 100 * NS},
                 {FlowCause::RECOVERY, 300 * NS}});
}

TEST_F(SenderTimelineTest, AWindowThatCongestionControlOpensByItselfIsOfNoAnswer)
{
    AddData(0, 0, 0);
    m_channel.samples = {{0, TICK_NEVER, 0, 1, 0, 2, false},
                         {400 * NS, 400 * NS, 0, 1, 0, 2, false}};
    const TrailIndex data = AddData(1, 400 * NS, 400 * NS);
    ExpectParts({0, 2},
                data,
                {{FlowCause::SERIALIZATION, 100 * NS}, {FlowCause::WINDOW, 300 * NS}});
}

TEST_F(SenderTimelineTest, EarlierMessagesOfTheQueuePairGoFirst)
{
    // Packets 0 and 1 are of another message, and wait for their rate; 2 is next from 300 ns on,
    // when 1 is on the wire.
    AddData(0, 0, 0);
    AddData(1, 300 * NS, 300 * NS);
    m_channel.samples = {{0, 300 * NS, 300 * NS, 1, 0, 3, false},
                         {300 * NS, 300 * NS, 0, 2, 0, 3, false}};
    const TrailIndex data = AddData(2, 400 * NS, 400 * NS);
    ExpectParts({2, 3}, data, {{FlowCause::QUEUE_PAIR, 400 * NS}});
}

TEST(MessageSpan, NumbersWrapAsPsnsDo)
{
    // Packets 2^24 - 2 to 2^24 + 1 have the PSNs 0xfffffe, 0xffffff, 0 and 1.
    const MessageSpan message{0xfffffe, 0x1000002};
    for (const uint32_t psn : {0xfffffeU, 0xffffffU, 0U, 1U})
    {
        EXPECT_TRUE(message.Contains(psn));
    }
    EXPECT_FALSE(message.Contains(0xfffffd));
    EXPECT_FALSE(message.Contains(2));
}

TEST(MakeAccount, NeedsTheAnswerThatCompletesTheMessage)
{
    FlowChannel channel;
    channel.samples = {{0, 0, 0, 0, 0, 1, false}, {500, TICK_NEVER, 0, 1, 1, 1, false}};
    EXPECT_FALSE(MakeAccount(channel, {0, 1}, {0, 0, 500}, {}));
}

TEST_F(SenderTimelineTest, WithoutCreditTheSenderWaitsForAGrant)
{
    // Packet 0 is on the wire until 100 ns and uses the last credit. The receiver sends a grant of
    // 10 bytes at 300, which arrives at 400 and is handled at 500: packet 1 leaves then.
    AddData(0, 0, 0);
    const TrailIndex data = AddData(1, 500 * NS, 500 * NS);
    Frame grant{};
    grant.wireBytes = 10;
    grant.flags = ChangeKind(0, FrameKind::CREDIT);
    m_channel.trails.emplace_back(grant, true);
    m_channel.trails.back().hops.push_back({0, 300 * NS, 300 * NS});
    m_channel.trails.back().arrivedAt = 400 * NS;
    m_channel.samples = {{0, TICK_NEVER, 0, 1, 0, 2, false, NO_TRAIL, true, true},
                         {500 * NS, 500 * NS, 0, 1, 0, 2, false, 2, true, false}};
    ExpectParts({0, 2},
                data,
                {{FlowCause::SERIALIZATION, 100 * NS}, {FlowCause::CREDIT, 400 * NS}});
    // 200 ns before the grant, 10 of its serialization, 90 on the link, 100 until it is handled.
    FlowAccount account(0, 500 * NS);
    SenderTimeline(m_channel, {0, 2}, m_channel.trails[data], m_ports).AddTo(account);
    std::map<FlowCause, Tick> within;
    for (const FlowInterval& interval : account.GetIntervals())
    {
        within[interval.place.within] += interval.until - interval.from;
    }
    EXPECT_EQ(within[FlowCause::CREDIT], 200 * NS);
    EXPECT_EQ(within[FlowCause::SERIALIZATION], (100 + 10) * NS);
    EXPECT_EQ(within[FlowCause::PROPAGATION], 90 * NS);
    EXPECT_EQ(within[FlowCause::SLOW_PATH], 100 * NS);
}

TEST_F(SenderTimelineTest, WithoutCreditATimerMayAllowAPacket)
{
    const TrailIndex data = AddData(0, 500 * NS, 500 * NS);
    m_channel.samples = {{0, TICK_NEVER, 0, 0, 0, 1, false, NO_TRAIL, true, true},
                         {500 * NS, 500 * NS, 0, 0, 0, 1, false, NO_TRAIL, true, false}};
    ExpectParts({0, 1}, data, {{FlowCause::TIMEOUT, 500 * NS}});
}

TEST_F(SenderTimelineTest, AWindowHoldsBackTrimmedPackets)
{
    // Packet 0 is on the wire until 100 ns; a switch trims it. The notice comes at 200. The window
    // opens at 400, by the answer of packet 1, which another message has sent.
    const TrailIndex trimmed = AddData(0, 0, 0);
    m_channel.trails[trimmed].trimPort = 7;
    const TrailIndex notice = AddAnswer(trimmed);
    const TrailIndex later = AddAnswer(AddData(1, 0, 100 * NS));
    const TrailIndex again = AddData(0, 400 * NS, 400 * NS, true);
    m_channel.samples = {{0, TICK_NEVER, 0, 2, 0, 2, false, NO_TRAIL, true},
                         {200 * NS, TICK_NEVER, 0, 2, 0, 2, true, notice, true},
                         {400 * NS, 400 * NS, 0, 2, 0, 2, true, later, true}};
    ExpectParts({0, 1},
                again,
                {{FlowCause::SERIALIZATION, 100 * NS},
                 {FlowCause::NAK, 100 * NS},
                 {FlowCause::WINDOW, 200 * NS}});
    FlowAccount account(0, 400 * NS);
    SenderTimeline(m_channel, {0, 1}, m_channel.trails[again], m_ports).AddTo(account);
    EXPECT_EQ(account.GetIntervals()[1].place.cause, FlowCause::NAK);
    EXPECT_EQ(account.GetIntervals()[1].place.port, 7U);
}

TEST_F(SenderTimelineTest, PacketsResentAfterATrimNameThePortThatHasTrimmed)
{
    // Packet 0 is resent from 0 to 100 ns, packet 1 from 100 to 200; only packet 0 was trimmed.
    const TrailIndex first = AddData(0, 0, 0, true);
    m_channel.trails[first].resentFor = 7;
    AddData(1, 100 * NS, 100 * NS, true);
    const TrailIndex data = AddData(2, 200 * NS, 200 * NS);
    m_channel.samples = {{0, 0, 0, 2, 0, 3, false, NO_TRAIL, true}};
    ExpectParts({0, 3}, data, {{FlowCause::TRIMMED, 100 * NS}, {FlowCause::RESENT, 100 * NS}});
    FlowAccount account(0, 200 * NS);
    SenderTimeline(m_channel, {0, 3}, m_channel.trails[data], m_ports).AddTo(account);
    EXPECT_EQ(account.GetIntervals()[0].place.port, 7U);
    EXPECT_EQ(account.GetIntervals()[1].place.port, 0U);
}

TEST_F(SenderTimelineTest, PacketsAtTwoPortsAtATimeCountOnce)
{
    // Packet 0 is at the second port from 50 to 150 ns, packet 1 at the first from 0 to 100. From
    // 150 to 300 both ports are idle.
    m_ports.emplace_back("other port", *m_near);
    const TrailIndex other = AddData(0, 0, 50 * NS);
    m_channel.trails[other].hops.front().port = 1;
    AddData(1, 0, 0);
    const TrailIndex data = AddData(2, 300 * NS, 300 * NS);
    m_channel.samples = {{0, 0, 0, 2, 0, 3, false}};
    ExpectParts({0, 3},
                data,
                {{FlowCause::SERIALIZATION, 150 * NS}, {FlowCause::SCHEDULER, 150 * NS}});
}
