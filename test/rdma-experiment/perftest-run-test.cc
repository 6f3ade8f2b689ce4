// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-run.h"

#include "ns3/host-memory.h"
#include "ns3/perftest-scenario.h"
#include "ns3/rdma-nic.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

// At 100 Gb/s a byte takes 80 ps; each link has 1 us. Frames have 58 bytes in common and 24 of
// preamble, FCS and gap on the wire.
constexpr double US_PER_BYTE{80e-6};
constexpr double LINK{1};
constexpr double COMMON{58 + 24};
constexpr double ACK{COMMON + 4};
constexpr double RETH{16};
constexpr double PADDED{4}; ///< 2 bytes of payload on the wire.
constexpr double EXACT{1e-9};
constexpr double MEBI{1 << 20};

PerftestRequest
Ask(const std::string& test, uint64_t iterations)
{
    PerftestRequest request;
    request.kind = ParsePerftestKind(test);
    request.iterations = iterations;
    return request;
}

PerftestResult
RunPerftest(const PerftestRequest& request, const std::function<void(Fabric&)>& onBuilt = nullptr)
{
    const PerftestOptions options = ResolvePerftest(request);
    const Scenario scenario = MakePerftestScenario(request, options.mtu);
    return RunPerftest(scenario, options, options.sizes.front(), {"", onBuilt});
}

LatencySummary
MeasureLatency(const PerftestRequest& request)
{
    return std::get<LatencySummary>(RunPerftest(request).summary);
}

BandwidthSummary
MeasureBandwidth(const PerftestRequest& request)
{
    return std::get<BandwidthSummary>(RunPerftest(request).summary);
}

/// @param messages of 64 KiB; @param messageBytes of each on the wire; @param extraUs before the
/// first byte and after the last
double
GetRate(double messages, double messageBytes, double extraUs)
{
    const double seconds = (messages * messageBytes * US_PER_BYTE + extraUs) * 1e-6;
    return messages * 65536 / seconds / MEBI;
}

std::string
FindFailure(const PerftestRequest& request, const std::function<void(Fabric&)>& onBuilt)
{
    try
    {
        RunPerftest(request, onBuilt);
        return "";
    }
    catch (const PerftestFailure& failure)
    {
        return failure.what();
    }
}

} // namespace

TEST(PerftestRun, ReadLatencyIsTheRequestAndItsResponse)
{
    const LatencySummary latency = MeasureLatency(Ask("read_lat", 20));
    const double expected = 2 * LINK + (COMMON + RETH) * US_PER_BYTE + (ACK + PADDED) * US_PER_BYTE;
    EXPECT_NEAR(latency.min, expected, EXACT); // 2.01504.
    EXPECT_NEAR(latency.max, expected, EXACT);
    EXPECT_NEAR(latency.deviation, 0, EXACT);
}

TEST(PerftestRun, AtomicLatencyIsTheRequestAndItsResponse)
{
    const LatencySummary latency = MeasureLatency(Ask("atomic_lat", 20));
    // AtomicETH 28; AETH 4 and AtomicAckETH 8.
    const double expected = 2 * LINK + (COMMON + 28) * US_PER_BYTE + (ACK + 8) * US_PER_BYTE;
    EXPECT_NEAR(latency.typical, expected, EXACT); // 2.01632.
}

TEST(PerftestRun, SendLatencyIsHalfOfTheRoundTrip)
{
    PerftestRequest request = Ask("send_lat", 20);
    request.connection = "UC";
    const double expected = LINK + (COMMON + PADDED) * US_PER_BYTE; // 1.00688.
    EXPECT_NEAR(MeasureLatency(request).typical, expected, EXACT);
    // A datagram has a DETH of 8.
    request.connection = "UD";
    EXPECT_NEAR(MeasureLatency(request).typical, expected + 8 * US_PER_BYTE, EXACT);
    // A reliable connection's answer leaves behind the acknowledgment, but for the first message.
    request.connection = "RC";
    const LatencySummary reliable = MeasureLatency(request);
    EXPECT_NEAR(reliable.typical, expected + ACK * US_PER_BYTE, EXACT);
    EXPECT_NEAR(reliable.min, expected + ACK * US_PER_BYTE / 2, EXACT);
}

TEST(PerftestRun, WriteLatencyIsSeenInMemory)
{
    PerftestRequest request = Ask("write_lat", 20);
    request.connection = "UC";
    const double expected = LINK + (COMMON + RETH + PADDED) * US_PER_BYTE; // 1.00816.
    EXPECT_NEAR(MeasureLatency(request).typical, expected, EXACT);
    request.connection = "RC";
    EXPECT_NEAR(MeasureLatency(request).typical, expected + ACK * US_PER_BYTE, EXACT);
}

TEST(PerftestRun, WriteLatencyCountsTheWholeMessage)
{
    PerftestRequest request = Ask("write_lat", 20);
    request.connection = "UC";
    request.size = 10000; // Packets of 4096, 4096 and 1808.
    const double bytes = 3 * COMMON + RETH + 10000;
    EXPECT_NEAR(MeasureLatency(request).typical, LINK + bytes * US_PER_BYTE, EXACT);
}

TEST(PerftestRun, LatencyGrowsWithTheFabric)
{
    PerftestRequest request = Ask("read_lat", 20);
    request.servers = 16; // One switch, store and forward: each frame and link counts twice.
    const double once = 2 * LINK + (COMMON + RETH + ACK + PADDED) * US_PER_BYTE;
    EXPECT_NEAR(MeasureLatency(request).typical, 2 * once, EXACT);
}

TEST(PerftestRun, BandwidthIsLineRateWithoutHeaders)
{
    constexpr double MESSAGES{200};
    constexpr double PACKETS{16};
    constexpr double HEADERS{PACKETS * COMMON + 65536};
    // WRITE: a RETH on the first packet. The last acknowledgment comes two links later.
    const double tail = 2 * LINK + ACK * US_PER_BYTE;
    const BandwidthSummary write = MeasureBandwidth(Ask("write_bw", 200));
    EXPECT_NEAR(write.average, GetRate(MESSAGES, HEADERS + RETH, tail), 1e-6);
    EXPECT_NEAR(write.messageRate, write.average * MEBI / 65536 / 1e6, EXACT);
    EXPECT_NEAR(MeasureBandwidth(Ask("send_bw", 200)).average,
                GetRate(MESSAGES, HEADERS, tail),
                1e-6);
    // READ: an AETH on the first and the last packet of the response.
    const double head = 2 * LINK + (COMMON + RETH) * US_PER_BYTE;
    EXPECT_NEAR(MeasureBandwidth(Ask("read_bw", 200)).average,
                GetRate(MESSAGES, HEADERS + 8, head),
                1e-6);
}

TEST(PerftestRun, BandwidthCountsTheHeadersOfTheDesign)
{
    const auto measure = [](const char* test) {
        PerftestRequest request = Ask(test, 200);
        request.nic = "srnic";
        return MeasureBandwidth(request).average;
    };
    // WRITE: 20 on each packet instead of the RETH; SEND: 8; both echoed in 8 of the
    // acknowledgment.
    const double tail = 2 * LINK + (ACK + 8) * US_PER_BYTE;
    EXPECT_NEAR(measure("write_bw"), GetRate(200, 16 * (COMMON + 20) + 65536, tail), 1e-6);
    EXPECT_NEAR(measure("send_bw"), GetRate(200, 16 * (COMMON + 8) + 65536, tail), 1e-6);
    // READ: 8 on each response, an AETH on the first and the last; the request, which has 8 too, is
    // acknowledged by a packet of its own, beside the responses.
    const double head = 2 * LINK + (COMMON + RETH + 8) * US_PER_BYTE;
    EXPECT_NEAR(measure("read_bw"),
                GetRate(200, 16 * (COMMON + 8) + 8 + ACK + 8 + 65536, head),
                1e-6);
}

TEST(PerftestRun, UnreliableBandwidthIsLineRateWithoutHeaders)
{
    // A send is complete when its last packet has left: no acknowledgment, no way back.
    for (const auto& [test, header] : {std::pair{"write_bw", RETH}, {"send_bw", 0.0}})
    {
        PerftestRequest request = Ask(test, 200);
        request.connection = "UC";
        EXPECT_NEAR(MeasureBandwidth(request).average,
                    GetRate(200, 16 * COMMON + header + 65536, 0),
                    1e-6)
            << test;
    }
}

TEST(PerftestRun, DatagramBandwidthIsLineRateWithoutHeaders)
{
    PerftestRequest request = Ask("send_bw", 2000);
    request.connection = "UD";
    request.size = 4096;
    // A DETH of 8 on each packet.
    const double rate = 4096 / ((COMMON + 8 + 4096) * US_PER_BYTE * 1e-6) / MEBI;
    EXPECT_NEAR(MeasureBandwidth(request).average, rate, 1e-6);
}

TEST(PerftestRun, BothDirectionsShareTheirWiresWithAcknowledgments)
{
    PerftestRequest request = Ask("write_bw", 1000);
    request.isBidirectional = true;
    // An acknowledgment per packet of the other direction.
    const double oneWay = GetRate(1000, 16 * (COMMON + ACK) + RETH + 65536, 0);
    EXPECT_NEAR(MeasureBandwidth(request).average / (2 * oneWay), 1, 5e-3);
}

TEST(PerftestRun, QueuePairsShareTheLink)
{
    PerftestRequest request = Ask("write_bw", 50);
    request.queuePairs = 4;
    const double tail = 2 * LINK + ACK * US_PER_BYTE;
    EXPECT_NEAR(MeasureBandwidth(request).average,
                GetRate(200, 16 * COMMON + RETH + 65536, tail),
                1e-6);
}

TEST(PerftestRun, OneMessageAtATimeWaitsForItsAcknowledgment)
{
    PerftestRequest request = Ask("write_bw", 10);
    request.txDepth = 1;
    const double tail = 2 * LINK + ACK * US_PER_BYTE;
    EXPECT_NEAR(MeasureBandwidth(request).average,
                GetRate(1, 16 * COMMON + RETH + 65536, tail),
                1e-6);
}

TEST(PerftestRun, ListsAndFewerCompletionsDoNotSlowTheWire)
{
    const double tail = 2 * LINK + ACK * US_PER_BYTE;
    PerftestRequest request = Ask("write_bw", 200);
    request.queuePairs = 2;
    request.postList = 20;
    request.completionInterval = 10;
    EXPECT_NEAR(MeasureBandwidth(request).average,
                GetRate(400, 16 * COMMON + RETH + 65536, tail),
                1e-6);
}

TEST(PerftestRun, BurstsAreApartByTheGap)
{
    PerftestRequest request = Ask("write_bw", 30);
    request.queuePairs = 2;
    request.burst = 10;
    request.gap = "5us";
    const PerftestResult result = RunPerftest(request);
    // Both queue pairs' bursts of ten share the wire, so they end together, but for the last
    // message: three such and two gaps.
    const double tail = 2 * LINK + ACK * US_PER_BYTE;
    const double message = (16 * COMMON + RETH + 65536) * US_PER_BYTE;
    const double burst = 20 * message + tail;
    const double all = 60 / ((3 * burst + 2 * 5) * 1e-6);
    EXPECT_NEAR(std::get<BandwidthSummary>(result.summary).messageRate * 1e6, all, 0.01 * all);
    EXPECT_NEAR(result.burstRate, 20 / (burst * 1e-6), 0.01 * result.burstRate);
}

TEST(PerftestRun, BurstsWithoutGapsAreAsNone)
{
    PerftestRequest request = Ask("write_bw", 200);
    const double without = MeasureBandwidth(request).average;
    request.burst = 20;
    const PerftestResult result = RunPerftest(request);
    EXPECT_NEAR(std::get<BandwidthSummary>(result.summary).average, without, 1e-6);
    EXPECT_EQ(result.burstRate, 0);
}

TEST(PerftestRun, TheLastMessageIsAlwaysSignaled)
{
    PerftestRequest request = Ask("write_bw", 205); // Two intervals of 100 and a rest of 5.
    request.completionInterval = 100;
    EXPECT_EQ(FindFailure(request, nullptr), "");
}

TEST(PerftestRun, InlineMessagesAreSparedAReadOfHostMemory)
{
    PerftestRequest request = Ask("send_lat", 20);
    request.isHardwareTimed = true;
    request.size = 64;
    request.settings = {"ns3::rdma::PcieLink::ReadJitter=0ns"};
    const double pushed = MeasureLatency(request).typical;
    request.inlineBytes = 63;
    const double fetched = MeasureLatency(request).typical;
    request.settings.push_back("ns3::rdma::PcieLink::ReadLatency=5us");
    // A message of 64 bytes is read from host memory once, whatever the latency of a read.
    const double slow = MeasureLatency(request).typical;
    EXPECT_GT(fetched, pushed + 0.2);
    EXPECT_GT(slow, fetched + 2);
    request.inlineBytes = 64;
    EXPECT_NEAR(MeasureLatency(request).typical, pushed, 1); // Nothing but the receive request.
}

TEST(PerftestRun, BeyondItsContextsANicIsLimitedByItsTurnsNotByPcie)
{
    PerftestRequest request = Ask("send_bw", 32);
    request.isHardwareTimed = true;
    request.size = 512;
    request.mtu = 1024;
    request.delay = "10ns";
    request.queuePairs = 1024; // Four times the contexts of the NIC.
    request.threads = 16;
    request.txDepth = 16;
    request.completionInterval = 4;
    const auto measure = [&request](const char* setting) {
        request.settings = {std::string("ns3::rdma::") + setting};
        return MeasureBandwidth(request).messageRate;
    };
    // 16 turns of two reads of 600 ns and a decision of 158 ns: 11.8 million messages per second,
    // less the time of the bytes.  Runs begin and end with fewer turns.
    const double usual = measure("WqeFetcher::MaxFetches=16");
    EXPECT_LT(usual, 11.8);
    EXPECT_GT(usual, 10);
    EXPECT_NEAR(measure("WqeFetcher::MaxFetches=8"), usual / 2, 0.1 * usual);
    EXPECT_NEAR(measure("PcieLink::Generation=4"), usual, 0.05 * usual);
}

TEST(PerftestRun, WriteLatencyWaitsForTheMemoryOfTheHost)
{
    PerftestRequest request = Ask("write_lat", 20);
    request.connection = "UC";
    request.isHardwareTimed = true;
    const auto measure = [&request](const char* latency) {
        request.settings = {std::string("ns3::rdma::PcieLink::WriteLatency=") + latency};
        return MeasureLatency(request).typical;
    };
    // Each of the two ways has one write to the host's memory, which the consumer waits for.
    EXPECT_NEAR(measure("1500ns") - measure("500ns"), 1, 1e-3);
}

TEST(PerftestRun, BothEndsMayHaveNicsOfTheirOwn)
{
    PerftestRequest request = Ask("write_bw", 20);
    request.nic = "connectx6";
    request.peerNic = "balboa";
    std::vector<std::string> control;
    const auto look = [&control](Fabric& fabric) {
        for (const uint32_t server : fabric.GetGraph().GetServers())
        {
            StringValue type;
            fabric.GetNodes().Get(server)->GetObject<RdmaNic>()->GetAttribute("CongestionControl",
                                                                              type);
            control.push_back(type.Get());
        }
    };
    EXPECT_EQ(FindFailure(request, look), "");
    EXPECT_EQ(control,
              (std::vector<std::string>{"ns3::rdma::Dcqcn", "ns3::rdma::AckClockedCredits"}));
    control.clear();
    request.servers = 16; // The others have the client's.
    EXPECT_EQ(FindFailure(request, look), "");
    ASSERT_EQ(control.size(), 16);
    EXPECT_EQ(std::count(control.begin(), control.end(), "ns3::rdma::Dcqcn"), 15);
    EXPECT_EQ(control.back(), "ns3::rdma::AckClockedCredits");
}

TEST(PerftestRun, RunsOnEachPreset)
{
    for (const bool isHardwareTimed : {false, true})
    {
        for (const char* nic :
             {"connectx5", "cx5-measured", "irn", "srnic", "balboa", "strom10g", "strom100g"})
        {
            for (const std::string& test : GetPerftestNames())
            {
                PerftestRequest request = Ask(test, 20);
                request.nic = nic;
                request.isHardwareTimed = isHardwareTimed;
                request.size = request.kind.verb == PerftestVerb::ATOMIC ? 8 : 10000;
                EXPECT_EQ(FindFailure(request, nullptr), "")
                    << nic << ' ' << test << ' ' << isHardwareTimed;
            }
        }
    }
}

TEST(PerftestRun, SaysWhichErrorEndedIt)
{
    const auto cut = [](Fabric& fabric) { fabric.SetLinkUp(0, false); };
    EXPECT_EQ(FindFailure(Ask("write_bw", 20), cut),
              "server 0: a work request ended with RETRY_EXC_ERR");
    PerftestRequest unreliable = Ask("send_lat", 20);
    unreliable.connection = "UC";
    EXPECT_EQ(FindFailure(unreliable, cut), "the test stopped: a message was lost on the way");
}
