// SPDX-License-Identifier: GPL-2.0-only

// The yardstick of ./waf bench must do all the work that it claims to do.

#include "../bench/bare-loop.h"

#include "../bench/bare-calendar.h"
#include "../bench/bare-loop-run.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

constexpr int64_t NO_END{1'000'000'000'000}; ///< A second, in picoseconds.
constexpr int64_t LINK_PS{1'000'000};
constexpr int64_t HEADER_BYTES{82};
constexpr int64_t ACK_BYTES{86};

/// Picoseconds of one packet over links of 100 Gb/s and of 400 Gb/s, one after the other.
int64_t
GetPathTime(int64_t wireBytes, int64_t fabricLinks)
{
    const int64_t links = 2 + fabricLinks;
    return links * LINK_PS + wireBytes * (2 * 80 + fabricLinks * 20);
}

struct LoneFlow
{
    const char* name;
    uint32_t servers;
    uint32_t dst; ///< From server 0.
    int64_t fabricLinks;
};

class BareLoopPath : public testing::TestWithParam<LoneFlow>
{
};

TEST_P(BareLoopPath, ALonePacketAndItsAcknowledgmentTakeTheIdealTime)
{
    const auto loop = BareLoop::Create(MakeBareLoopShape(GetParam().servers),
                                       {{0, GetParam().dst, 1000, 500}},
                                       false);
    const BareLoopResult result = loop->Run(NO_END);
    EXPECT_EQ(result.packetHops, 2 * (2 + GetParam().fabricLinks));
    EXPECT_EQ(loop->GetCompletionTime(0),
              GetPathTime(1000 + HEADER_BYTES, GetParam().fabricLinks) +
                  GetPathTime(ACK_BYTES, GetParam().fabricLinks));
}

const LoneFlow LONE_FLOWS[] = {
    {"InOneRack", 16, 15, 0},
    {"InOneRackOfMany", 1024, 15, 0},
    {"BetweenRacks", 64, 16, 2},
    {"BetweenRacksOfAPod", 1024, 63, 2},
    {"BetweenPods", 1024, 64, 4},
    {"ToTheLastServer", 4096, 4095, 4},
};

INSTANTIATE_TEST_SUITE_P(All, BareLoopPath, testing::ValuesIn(LONE_FLOWS), [](const auto& info) {
    return info.param.name;
});

TEST(BareLoop, ALoneFlowThatFitsTheWindowIsCutAndSentAtLineRate)
{
    // Ten packets of 1024 bytes and one of 100.  The tenth starts nine full packets after the
    // first.  The last one, being shorter, catches up with it at the last link, of 100 Gb/s again,
    // and arrives just behind it.  Its acknowledgment, shorter still, does not wait.
    const auto loop = BareLoop::Create(MakeBareLoopShape(64), {{0, 63, 10 * 1024 + 100, 0}}, false);
    const BareLoopResult result = loop->Run(NO_END);
    const int64_t fullPs = (1024 + HEADER_BYTES) * 80;
    const int64_t tenthLeaves = 9 * fullPs + GetPathTime(1024 + HEADER_BYTES, 2) - LINK_PS;
    const int64_t lastArrives = tenthLeaves + (100 + HEADER_BYTES) * 80 + LINK_PS;
    EXPECT_EQ(loop->GetCompletionTime(0), lastArrives + GetPathTime(ACK_BYTES, 2));
    EXPECT_EQ(result.packetHops, 11 * 8);
    EXPECT_EQ(result.receivedBytes, 10 * 1024 + 100);
    EXPECT_EQ(result.completedFlows, 1);
}

TEST(BareLoop, TheWindowKeepsTheLineBusy)
{
    // The longest path of 64 servers has 8 us of links, and a packet with its acknowledgment is
    // 1192 bytes at 80 + 20 + 20 + 80 ps: 8,238,400 ps or 93.1 packets.  With a window of 94 the
    // first acknowledgment comes before the line is free, so that no packet waits for it.
    const auto loop = BareLoop::Create(MakeBareLoopShape(64), {{0, 63, 1000 * 1024, 0}}, false);
    loop->Run(NO_END);
    const int64_t fullPs = (1024 + HEADER_BYTES) * 80;
    EXPECT_EQ(loop->GetCompletionTime(0),
              999 * fullPs + GetPathTime(1024 + HEADER_BYTES, 2) + GetPathTime(ACK_BYTES, 2));
}

TEST(BareLoop, TwoFlowsToOneServerShareItsLink)
{
    // Servers 1 and 2 of the same rack send 100 full packets each to server 0: the link to it
    // carries 200 of them, one after the other from the arrival of the first on.
    const std::vector<BareLoopFlow> flows{{1, 0, 102'400, 0}, {2, 0, 102'400, 0}};
    const auto loop = BareLoop::Create(MakeBareLoopShape(16), flows, false);
    loop->Run(NO_END);
    const int64_t fullPs = (1024 + HEADER_BYTES) * 80;
    const int64_t last = std::max(loop->GetCompletionTime(0), loop->GetCompletionTime(1));
    EXPECT_EQ(last, 199 * fullPs + GetPathTime(1024 + HEADER_BYTES, 0) + GetPathTime(ACK_BYTES, 0));
}

class BareLoopTraffic : public testing::TestWithParam<bool>
{
};

/// From each server to another at once; every size and pair once.
std::vector<BareLoopFlow>
MakeTraffic(uint32_t servers)
{
    std::vector<BareLoopFlow> flows;
    for (uint32_t flow = 0; flow < 2 * servers; ++flow)
    {
        const uint32_t src = flow % servers;
        flows.push_back(
            {src, (src + 1 + flow * 7 % (servers - 1)) % servers, 1 + flow * 97ULL, flow});
    }
    return flows;
}

TEST_P(BareLoopTraffic, EachByteArrivesAndEachFlowCompletes)
{
    const std::vector<BareLoopFlow> flows = MakeTraffic(1024);
    const auto loop = BareLoop::Create(MakeBareLoopShape(1024), flows, GetParam());
    const BareLoopResult result = loop->Run(NO_END);
    uint64_t bytes = 0;
    uint64_t hops = 0;
    for (const BareLoopFlow& flow : flows)
    {
        const uint64_t links = flow.src / 16 == flow.dst / 16   ? 2
                               : flow.src / 64 == flow.dst / 64 ? 4
                                                                : 6;
        bytes += flow.bytes;
        hops += 2 * links * ((flow.bytes + 1023) / 1024); // There, and back as an acknowledgment.
    }
    EXPECT_EQ(result.receivedBytes, bytes);
    EXPECT_EQ(result.packetHops, hops);
    EXPECT_EQ(result.completedFlows, flows.size());
    // An event for each hop, and at most another for each that had to wait or be pulled.
    EXPECT_GT(result.events, hops);
    EXPECT_LE(result.events, 2 * hops + flows.size());
}

INSTANTIATE_TEST_SUITE_P(SwitchModel, BareLoopTraffic, testing::Bool());

TEST(BareLoop, LongQueuesAreMarkedWithSwitchModelOnly)
{
    // 63 senders with a window of 94 packets keep up to 6 MB at the one port.
    std::vector<BareLoopFlow> flows;
    for (uint32_t sender = 1; sender < 64; ++sender)
    {
        flows.push_back({sender, 0, 1'000'000, 0});
    }
    EXPECT_EQ(BareLoop::Create(MakeBareLoopShape(64), flows, false)->Run(NO_END).marks, 0);
    EXPECT_GT(BareLoop::Create(MakeBareLoopShape(64), flows, true)->Run(NO_END).marks, 1000);
}

TEST(BareLoop, ARunEndsSoonAfterItsTime)
{
    // A megabyte takes 88 us. By 50 us floor((50,000 - 2 x 1,088.48) / 88.48) + 1 = 541 packets
    // have arrived, and 47 more could within a slot, which is 4.2 us long at most.
    const std::vector<BareLoopFlow> flows{{0, 1, 1'000'000, 0}};
    const auto half = BareLoop::Create(MakeBareLoopShape(16), flows, false);
    const uint64_t bytes = half->Run(50'000'000).receivedBytes;
    EXPECT_GE(bytes, 541 * 1024);
    EXPECT_LE(bytes, 588 * 1024);
    EXPECT_EQ(half->GetCompletionTime(0), -1);
    const auto whole = BareLoop::Create(MakeBareLoopShape(16), flows, false);
    EXPECT_EQ(whole->Run(NO_END).receivedBytes, 1'000'000);
    EXPECT_GT(whole->GetCompletionTime(0), 50'000'000);
}

TEST(BareCalendar, EventsComeByTimeHoweverManyASlotHolds)
{
    // A thousand events within one slot, and some beyond the ring.
    BareCalendar calendar(1e-3, 1'000'000);
    std::vector<int64_t> expected;
    for (uint32_t event = 0; event < 1000; ++event)
    {
        const int64_t time = 500'000 + event * 7919 % 1000;
        calendar.Push(time, 0, event);
        calendar.Push(time + 100'000'000, 0, event);
        expected.push_back(time);
        expected.push_back(time + 100'000'000);
    }
    calendar.PushIf(false, 600'000, 0, 0);
    std::sort(expected.begin(), expected.end());
    std::vector<int64_t> times;
    while (calendar.GetSlotEnd() < 200'000'000)
    {
        calendar.Advance();
        BareEvent event;
        while (calendar.Pop(event))
        {
            times.push_back(event.time);
        }
    }
    EXPECT_EQ(times, expected);
}

TEST(BareCalendar, AnEventForTheCurrentSlotFindsItsPlace)
{
    BareCalendar calendar(1e-6, 1'000'000); // Slots of 2^22 ps at most.
    calendar.Push(5'000'000, 0, 1);
    calendar.Push(5'000'100, 0, 3);
    BareEvent event{};
    while (!calendar.Pop(event))
    {
        calendar.Advance();
    }
    EXPECT_EQ(event.frame, 1);
    calendar.Push(5'000'050, 0, 2);
    ASSERT_TRUE(calendar.Pop(event));
    EXPECT_EQ(event.frame, 2);
    ASSERT_TRUE(calendar.Pop(event));
    EXPECT_EQ(event.frame, 3);
}

} // namespace
