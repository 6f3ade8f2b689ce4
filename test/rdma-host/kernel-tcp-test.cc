// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-tcp.h"

#include "../expect-error.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

KernelTcpLoad
MakeLoad(uint64_t bytes, uint32_t connections = 1, uint32_t threads = 1)
{
    KernelTcpLoad load;
    load.messageBytes = bytes;
    load.connections = connections;
    load.threads = threads;
    load.messages = std::max<uint64_t>(4000, 40U * connections);
    return load;
}

KernelTcpBandwidth
Measure(const KernelTcpLoad& load)
{
    return CreateObject<KernelTcp>()->MeasureBandwidth(load);
}

Tick
Sum(const std::vector<KernelTcpStep>& steps)
{
    Tick sum = 0;
    for (const KernelTcpStep& step : steps)
    {
        sum += step.duration;
    }
    return sum;
}

/// A model in which nothing but the named attributes costs anything.
Ptr<KernelTcp>
MakeFree()
{
    auto model = CreateObject<KernelTcp>();
    for (const char* cost : {"SystemCall",
                             "SendSegment",
                             "ReceivePacket",
                             "ReceiveSegment",
                             "Acknowledgment",
                             "Interrupt",
                             "WakeUp",
                             "ConnectionMiss",
                             "Moderation",
                             "CompletionDelay",
                             "NicLatency",
                             "ShortIdleExit",
                             "LongIdleExit"})
    {
        model->SetAttribute(cost, TimeValue(Time(0)));
    }
    for (const char* rate : {"SendCopy", "ReceiveCopy", "Pages"})
    {
        model->SetAttribute(rate, StringValue("1000000Gbps"));
    }
    return model;
}

} // namespace

TEST(KernelTcp, ReachesWhatItWasFittedTo)
{
    // Cai et al. 2021, section 3.1: about 42 Gb/s per core, with 9000 B packets; the receiver is
    // the bottleneck.
    KernelTcpLoad load = MakeLoad(65536);
    load.mtu = 9000;
    const KernelTcpBandwidth result = Measure(load);
    EXPECT_NEAR(result.goodput, 42, 0.5);
    EXPECT_NEAR(result.receiverCpu, 1, 0.01);
    EXPECT_LT(result.senderCpu, 0.6);
}

TEST(KernelTcp, CopyingIsHalfOfTheReceiversWork)
{
    // Section 1 of the same: more than 50 % of the cycles of a single long flow.
    KernelTcpLoad load = MakeLoad(65536);
    load.mtu = 9000;
    const double perCore = Measure(load).goodput;
    EXPECT_NEAR(perCore / 84, 0.5, 0.01); // The copy alone would run at 84 Gb/s.
}

TEST(KernelTcp, ASmallerMtuCostsThroughput)
{
    // 45 packets of 150 ns per 64 KiB instead of 7: by hand 65160 B take 6.75 (packets) + 2.93
    // (pages) + 1.5 (segment) + 0.3 (call) + 6.21 us (copy), or 29.5 Gb/s.  Polls of 64 packets cut
    // a segment of 45 in two, on average 1.42 segments and calls where there was one.
    const double goodput = Measure(MakeLoad(1 << 20)).goodput;
    EXPECT_LT(goodput, 29.5);
    EXPECT_GT(goodput, 26.5);
}

TEST(KernelTcp, AFreeCoreLeavesTheLink)
{
    // 1448 of 1538 B per packet on a 100 Gb/s link: 94.15 Gb/s, 1518 B of them as a port counts.
    const KernelTcpBandwidth result = MakeFree()->MeasureBandwidth(MakeLoad(65160, 4, 2));
    EXPECT_NEAR(result.goodput, 94.15, 0.2);
    EXPECT_NEAR(result.wire, 98.70, 0.2);
    EXPECT_NEAR(result.senderCpu, 0, 0.01);
}

TEST(KernelTcp, ASystemCallPerMessageBoundsTheMessageRate)
{
    auto model = MakeFree();
    model->SetAttribute("SystemCall", TimeValue(NanoSeconds(500)));
    model->SetAttribute("CompletionDelay", TimeValue(MicroSeconds(16)));
    const KernelTcpBandwidth result = model->MeasureBandwidth(MakeLoad(64));
    EXPECT_NEAR(result.messages, 2, 0.01); // 1 / 500 ns.
    EXPECT_NEAR(result.senderCpu, 1, 0.01);
}

TEST(KernelTcp, ASegmentPerMessageCostsMoreThanSharedOnes)
{
    // Without a delay of completions nothing waits for a second message: one segment each.
    auto model = CreateObject<KernelTcp>();
    const KernelTcpBandwidth shared = model->MeasureBandwidth(MakeLoad(64));
    model->SetAttribute("CompletionDelay", TimeValue(Time(0)));
    const KernelTcpBandwidth single = model->MeasureBandwidth(MakeLoad(64));
    EXPECT_NEAR(single.perSegment, 1, 0.05);
    EXPECT_GT(shared.perSegment, 10);
    EXPECT_GT(shared.messages, 3 * single.messages);
}

TEST(KernelTcp, ThreadsAddUpUntilTheLinkIsFull)
{
    const double one = Measure(MakeLoad(65536, 1, 1)).goodput;
    EXPECT_NEAR(Measure(MakeLoad(65536, 2, 2)).goodput, 2 * one, 0.02 * one);
    EXPECT_NEAR(Measure(MakeLoad(65536, 8, 8)).goodput, 94.15, 1.5);
}

TEST(KernelTcp, FewerMessagesPerTurnMeanFewerPerSegment)
{
    // 512 B, 16 threads, 10,000 connections: 625 per thread, so a turn comes again long after the
    // completion of the last.
    KernelTcpLoad load = MakeLoad(512, 10'000, 16);
    double last = 0;
    double lastPerSegment = 0;
    for (const uint32_t burst : {1U, 4U, 16U})
    {
        load.burst = burst;
        const KernelTcpBandwidth result = Measure(load);
        EXPECT_GT(result.goodput, 1.5 * last) << burst;
        EXPECT_GT(result.perSegment, 1.5 * lastPerSegment) << burst;
        EXPECT_LE(result.perSegment, burst + 0.01) << burst;
        last = result.goodput;
        lastPerSegment = result.perSegment;
    }
}

TEST(KernelTcp, ConnectionsThatAreNotCachedCostMore)
{
    // 256 per thread are cached: 4096 on 16 threads are, 4112 are not.
    KernelTcpLoad load = MakeLoad(512, 4096, 16);
    load.burst = 16;
    const double cached = Measure(load).goodput;
    load.connections = 4112;
    EXPECT_LT(Measure(load).goodput, 0.95 * cached);
}

TEST(KernelTcp, NeverExceedsItsCoresOrItsLinkWhateverTheSizes)
{
    // Around a packet, around a segment, and more than a socket's depth allows at once.
    for (const uint64_t bytes : {1U, 1447U, 1448U, 1449U, 65535U, 65537U, 3'000'000U})
    {
        KernelTcpLoad load = MakeLoad(bytes, 5, 3);
        load.messages = 200;
        load.depth = 2;
        load.burst = 1;
        const KernelTcpBandwidth result = Measure(load);
        EXPECT_GT(result.goodput, 0) << bytes;
        EXPECT_LE(result.senderCpu, 3.0) << bytes;
        EXPECT_LE(result.receiverCpu, 3.0) << bytes;
        EXPECT_LT(result.wire, 98.8) << bytes;
    }
}

TEST(KernelTcp, RepeatsExactly)
{
    const KernelTcpLoad load = MakeLoad(512, 100, 16);
    EXPECT_EQ(Measure(load).goodput, Measure(load).goodput);
}

TEST(KernelTcp, LatencyIsTheSumOfItsSteps)
{
    // 64 B: calls of 300 ns and 3 and 6 ns of copy, 1.5 us to send, 1 us NICs, 158 B and 5 ns of
    // wire (64 + 52 + 18 + 20 = 154 B in 12.3 ns), 8 us moderation, 10 us idle exit, 1 us
    // interrupt, 150 ns packet and 2.9 ns pages, 1.5 us to receive, 2 us wake-up.
    auto model = CreateObject<KernelTcp>();
    const auto steps = model->MeasureLatency(MakeLoad(64));
    EXPECT_NEAR(static_cast<double>(Sum(steps)), 25.78e6, 0.01e6);
    const auto idle = std::find_if(steps.begin(), steps.end(), [](const KernelTcpStep& step) {
        return step.name == "idle exit";
    });
    ASSERT_NE(idle, steps.end());
    EXPECT_EQ(idle->duration, 10'000'000);
    EXPECT_FALSE(idle->isWork);
}

TEST(KernelTcp, AShortSleepEndsFaster)
{
    auto model = CreateObject<KernelTcp>();
    const Tick slow = Sum(model->MeasureLatency(MakeLoad(64)));
    model->SetAttribute("LongIdle", TimeValue(MicroSeconds(100)));
    EXPECT_EQ(Sum(model->MeasureLatency(MakeLoad(64))), slow - 8'000'000); // 2 instead of 10 us.
}

TEST(KernelTcp, LargerMessagesTakeLonger)
{
    auto model = CreateObject<KernelTcp>();
    Tick last = 0;
    for (const uint64_t bytes : {64U, 1024U, 4096U, 65536U, 1U << 20U})
    {
        const Tick latency = Sum(model->MeasureLatency(MakeLoad(bytes)));
        EXPECT_GT(latency, last) << bytes;
        last = latency;
    }
}

TEST(KernelTcp, RefusesLoadsThatSendNothing)
{
    const auto model = CreateObject<KernelTcp>();
    const auto refuse = [&model](const std::function<void(KernelTcpLoad&)>& change) {
        KernelTcpLoad load;
        load.messages = 1000;
        change(load);
        ExpectError<VerbsError>([&] { model->MeasureBandwidth(load); }, "kernel TCP: ");
    };
    refuse([](KernelTcpLoad& load) { load.messages = 0; });
    refuse([](KernelTcpLoad& load) { load.messageBytes = 0; });
    refuse([](KernelTcpLoad& load) { load.connections = 0; });
    refuse([](KernelTcpLoad& load) { load.threads = 0; });
    refuse([](KernelTcpLoad& load) { load.rate = DataRate(0); });
    refuse([](KernelTcpLoad& load) { load.mtu = KernelTcpLoad::IP_TCP_HEADERS; });
    KernelTcpLoad load;
    load.mtu = 10;
    ExpectError<VerbsError>([&] { model->MeasureLatency(load); }, "no room for payload");
}

TEST(KernelTcp, RefusesAttributesOutOfBounds)
{
    auto model = CreateObject<KernelTcp>();
    EXPECT_FALSE(model->SetAttributeFailSafe("SystemCall", TimeValue(NanoSeconds(-1))));
    EXPECT_FALSE(model->SetAttributeFailSafe("SystemCall", TimeValue(Seconds(1))));
    EXPECT_FALSE(model->SetAttributeFailSafe("PollPackets", UintegerValue(0)));
    EXPECT_FALSE(model->SetAttributeFailSafe("SegmentBytes", UintegerValue(100)));
}
