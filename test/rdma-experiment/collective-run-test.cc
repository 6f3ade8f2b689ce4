// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/collective-report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// One message in the empty network: links of 100 Gb/s and 1 us, 80 ps per byte. Bytes on the wire
/// with preamble, FCS and gap (24): 58 of headers, RETH 16 in the first packet, immediate data 4 in
/// the last; an acknowledgment has AETH 4.
///
/// Only the last packet of a message is acknowledged, and each message is processed for 1 us: its
/// acknowledgment has left before the receiver's next message, and does not delay it.
struct Message
{
    static constexpr int64_t PROCESSING{1'000'000};
    static constexpr int64_t BYTE{80};
    static constexpr int64_t DELAY{1'000'000};
    static constexpr int64_t HEAD{(58 + 24) * BYTE};
    static constexpr int64_t ACK{HEAD + 4 * BYTE};

    int hops;
    int64_t bytes; ///< At least 1; no packet is longer than the first.

    /// R: from the posting to the last byte at the receiver, and its processing.
    int64_t GetArrival() const
    {
        // The first packet is stored and forwarded at each hop; the others follow it closely.
        return GetDuration() + (hops - 1) * GetFirst() + hops * DELAY + PROCESSING;
    }

    /// F: to the sender's completion.
    int64_t GetRoundTrip() const
    {
        return GetArrival() - PROCESSING + hops * (ACK + DELAY);
    }

    /// How long a link is busy.
    int64_t GetDuration() const
    {
        const int64_t packets = (bytes + 1023) / 1024;
        return packets * HEAD + (16 + 4 + bytes) * BYTE;
    }

    int64_t GetFirst() const
    {
        return bytes > 1024 ? HEAD + (16 + 1024) * BYTE : GetDuration();
    }
};

int64_t
GetR(int64_t bytes, int hops = 2)
{
    return Message{hops, bytes}.GetArrival();
}

class CollectiveRun : public FolderTest
{
  protected:
    /// @param more keys of the workload, as "\"slices\": 4"
    RunReport RunIn(const std::string& fabric, int64_t bytes, const std::string& more) const
    {
        const Scenario scenario = Read(R"({"name": "c", "fabric": )" + fabric + R"(,
                 "nics": [{"preset": "connectx6",
                           "attributes": {"ns3::rdma::RdmaNic::AckInterval": "1000000"}}],
                 "workload": {"type": "collective", "processing": "1us", "size": )" +
                                       std::to_string(bytes) + ", " + more + "}}");
        return RunScenario(scenario, scenario.nics[0]).report;
    }

    RunReport RunStar(int servers, int64_t bytes, const std::string& more) const
    {
        return RunIn(
            R"({"topology": "star", "hostRate": "100Gbps", "linkDelay": "1us", "servers": )" +
                std::to_string(servers) + "}",
            bytes,
            more);
    }

    /// @return the time of the only iteration.
    int64_t Measure(int ranks, int64_t bytes, const std::string& more) const
    {
        return GetTime(RunStar(ranks, bytes, more));
    }

    static const CollectiveReport& GetReport(const RunReport& report)
    {
        return *FindCollectiveReport(report.parts);
    }

    static int64_t GetTime(const RunReport& report, std::size_t iteration = 0)
    {
        EXPECT_TRUE(report.violations.empty());
        EXPECT_TRUE(report.parts.at(0).troubles.empty());
        const CommunicatorResult& one = GetReport(report).communicators.at(0);
        const IterationRecord& record = one.iterations.at(iteration);
        EXPECT_EQ(record.lastBegin, record.firstBegin);
        return record.end - record.firstBegin;
    }

    /// @return the time of the only iteration, which the report's bound equals.
    int64_t MeasureBound(int ranks, int64_t bytes, const std::string& more) const
    {
        const RunReport report = RunStar(ranks, bytes, more);
        EXPECT_EQ(GetReport(report).communicators[0].bound, GetTime(report)) << more;
        return GetTime(report);
    }
};

constexpr int64_t PART{4096};
const std::vector<int> ALL_RANKS{2, 3, 4, 5, 7, 8, 12, 16, 31, 64};
const std::vector<int> POWERS{2, 4, 8, 16, 32, 64};

int
GetLog2(int power)
{
    return power == 1 ? 0 : 1 + GetLog2(power / 2);
}

TEST_F(CollectiveRun, RingsTakeOneArrivalPerStep)
{
    for (const int n : ALL_RANKS)
    {
        SCOPED_TRACE(n);
        const int64_t step = GetR(PART);
        EXPECT_EQ(MeasureBound(n, n * PART, R"("operation": "all-reduce")"), 2 * (n - 1) * step);
        EXPECT_EQ(MeasureBound(n, n * PART, R"("operation": "all-gather")"), (n - 1) * step);
        EXPECT_EQ(MeasureBound(n, n * PART, R"("operation": "reduce-scatter")"), (n - 1) * step);
        EXPECT_EQ(MeasureBound(n, PART, R"("operation": "send-receive")"), step);
    }
}

TEST_F(CollectiveRun, SlicesOfARingFollowEachOther)
{
    // 4 slices of 64 KiB: a slice lasts 64 x 1106 x 80 ps + 20 x 80 ps = 5.66 us, so that the first
    // one has arrived, after some 7.8 us, before the fourth has left at 22.7 us. A rank then sends
    // without a pause: K steps of 4 slices, and the latency of the last. The acknowledgments of all
    // slices but the last one leave between them.
    const int n = 6;
    const Message slice{2, 65536};
    const int64_t latency = slice.GetArrival() - slice.GetDuration();
    EXPECT_EQ(Measure(n, n * 4 * 65536, R"("operation": "all-reduce", "slices": 4)"),
              2 * (n - 1) * 4 * slice.GetDuration() + (2 * (n - 1) * 4 - 1) * Message::ACK +
                  latency);
    // 2 slices of 1 KiB: a slice lasts 0.09 us, and 2.1 us on its way: each step waits for it.
    const Message small{2, 1024};
    EXPECT_EQ(Measure(n, n * 2 * 1024, R"("operation": "all-reduce", "slices": 2)"),
              2 * (n - 1) * small.GetArrival() + small.GetDuration());
}

TEST_F(CollectiveRun, ExchangesTakeOneArrivalPerStep)
{
    for (const int n : POWERS)
    {
        SCOPED_TRACE(n);
        int64_t halving = 0;
        for (int part = n / 2; part > 0; part /= 2)
        {
            halving += GetR(part * PART);
        }
        const int64_t bytes = n * PART;
        EXPECT_EQ(
            MeasureBound(n, bytes, R"("operation": "all-reduce", "algorithm": "halving-doubling")"),
            2 * halving);
        EXPECT_EQ(
            MeasureBound(n,
                         bytes,
                         R"("operation": "reduce-scatter", "algorithm": "recursive-halving")"),
            halving);
        EXPECT_EQ(MeasureBound(n,
                               bytes,
                               R"("operation": "all-gather", "algorithm": "recursive-doubling")"),
                  halving);
        EXPECT_EQ(MeasureBound(n,
                               bytes,
                               R"("operation": "all-reduce", "algorithm": "recursive-doubling")"),
                  GetLog2(n) * GetR(bytes));
    }
}

TEST_F(CollectiveRun, AChainTakesOneArrivalPerHopAndTheOtherSlicesFollow)
{
    for (const int n : ALL_RANKS)
    {
        for (const char* operation : {"broadcast", "reduce"})
        {
            SCOPED_TRACE(std::string(operation) + " " + std::to_string(n));
            const std::string more =
                std::string(R"("operation": ")") + operation + R"(", "root": 1)";
            EXPECT_EQ(MeasureBound(n, 2 * PART, more), (n - 1) * GetR(2 * PART));
            const Message slice{2, PART};
            const int64_t sliced = (n - 1) * slice.GetArrival() + 7 * slice.GetDuration();
            const int64_t time = Measure(n, 8 * PART, more + R"(, "slices": 8)");
            EXPECT_GE(time, sliced); // Ranks on the way send acknowledgments between slices.
            EXPECT_LE(time, sliced + (n - 2) * 8 * Message::ACK);
        }
    }
}

TEST_F(CollectiveRun, ABinomialTreeTakesOneStepPerLevel)
{
    // In a broadcast the root sends log2 n messages, each after the completion of the one before;
    // the last one arrives last. In a reduce each level waits for an arrival.
    const Message message{2, PART};
    for (const int n : POWERS)
    {
        SCOPED_TRACE(n);
        const int levels = GetLog2(n);
        EXPECT_EQ(Measure(n, PART, R"("operation": "broadcast", "algorithm": "binomial")"),
                  (levels - 1) * message.GetRoundTrip() + message.GetArrival());
        EXPECT_EQ(Measure(n, PART, R"("operation": "reduce", "algorithm": "binomial", "root": 1)"),
                  levels * message.GetArrival());
    }
    // 6 ranks: 0 sends to 4, 2, 1; 4 to 5; 2 to 3. Rank 1 gets the third message of the root.
    EXPECT_EQ(Measure(6, PART, R"("operation": "broadcast", "algorithm": "binomial")"),
              2 * message.GetRoundTrip() + message.GetArrival());
}

TEST_F(CollectiveRun, RoundsOfAnAllToAllWaitForEachOther)
{
    const Message message{2, PART};
    for (const int n : ALL_RANKS)
    {
        SCOPED_TRACE(n);
        for (const std::string algorithm : {"shifted", "nccl", "pairwise"})
        {
            if (algorithm == "pairwise" && (n & (n - 1)) != 0)
            {
                continue;
            }
            const std::string more =
                R"("operation": "all-to-all", "window": 1, "algorithm": ")" + algorithm + '"';
            EXPECT_EQ(MeasureBound(n, n * PART, more), (n - 1) * message.GetArrival());
            EXPECT_EQ(Measure(n, n * PART, more + R"(, "waitFor": "completion")"),
                      (n - 2) * message.GetRoundTrip() + message.GetArrival());
        }
    }
}

TEST_F(CollectiveRun, AnAllToAllAtOnceTakesAsLongAsABusyLinkAndALatency)
{
    // 15 messages of 64 KiB leave each rank, and reach it; that they meet at the switch delays
    // some.
    const Message message{2, 65536};
    const int64_t bound = 15 * message.GetDuration() + 2 * Message::DELAY;
    const int64_t time = Measure(16, 16 * 65536, R"("operation": "all-to-all")");
    EXPECT_GE(time, bound);
    EXPECT_LE(time, bound * 13 / 10);
}

TEST_F(CollectiveRun, AHierarchyTakesTheSumOfItsStages)
{
    // 16 ranks in 4 groups of 4: 3 steps of 1/4, 6 steps of 1/16, 3 steps of 1/4.
    const int64_t expected = 6 * GetR(4 * PART) + 6 * GetR(PART);
    EXPECT_EQ(MeasureBound(16,
                           16 * PART,
                           R"("operation": "all-reduce", "algorithm": "hierarchical", "inner": 4)"),
              expected);
    // Groups within servers, at 800 Gb/s and 500 ns: a step of 16 KiB takes 163.84 ns and 500 ns.
    const int64_t step = 16384 * 10 + 500'000 + Message::PROCESSING;
    const std::string local =
        R"("operation": "all-reduce", "algorithm": "hierarchical", "ranksPerServer": 4,
           "local": {"rate": "800Gbps", "latency": "500ns"})";
    const RunReport report = RunStar(4, 16 * PART, local);
    // The four rings between servers share the servers' links: at least 6 steps.
    EXPECT_GE(GetTime(report), 6 * step + 6 * GetR(PART));
    EXPECT_EQ(GetReport(report).communicators[0].bound, 6 * step + 6 * GetR(PART));
}

TEST_F(CollectiveRun, IterationsFollowAfterTheTimeForComputing)
{
    const RunReport report =
        RunStar(4, 4 * PART, R"("operation": "all-reduce", "iterations": 5, "compute": "3us")");
    const int64_t time = 6 * GetR(PART);
    // Five times, and four pauses of 3 us.
    EXPECT_DOUBLE_EQ(report.parts[0].summary["period_us"].get<double>(),
                     static_cast<double>((5 * time + 4 * 3'000'000) / 5) / 1e6);
    EXPECT_DOUBLE_EQ(report.parts[0].summary["time_us"]["mean"].get<double>(),
                     static_cast<double>(time) / 1e6);
    const auto& records = GetReport(report).communicators[0].iterations;
    ASSERT_EQ(records.size(), 5U);
    for (std::size_t iteration = 0; iteration < records.size(); ++iteration)
    {
        EXPECT_EQ(GetTime(report, iteration), time);
        EXPECT_EQ(records[iteration].firstBegin,
                  static_cast<int64_t>(iteration) * (time + 3'000'000));
        EXPECT_EQ(records[iteration].ranksDone, 4U);
        // All ranks end together: the lowest one counts, which waited for its neighbor in the ring.
        EXPECT_EQ(records[iteration].slowest, 0U);
        EXPECT_EQ(records[iteration].awaited, 3U);
    }
}

TEST_F(CollectiveRun, DoubleTreesCompleteWithinTheirBounds)
{
    for (const int n : ALL_RANKS)
    {
        SCOPED_TRACE(n);
        const int64_t bytes = int64_t{1} << 20;
        const RunReport report =
            RunStar(n,
                    bytes,
                    R"("operation": "all-reduce", "algorithm": "double-tree", "slices": 16)");
        // A rank sends at most 2 S: three messages of S/2 in one tree, one in the other.
        const int64_t wire = 2 * Message{2, bytes}.GetDuration();
        EXPECT_GE(GetTime(report), GetReport(report).communicators[0].bound);
        EXPECT_LE(GetTime(report), 2 * wire + 2 * GetLog2(64) * GetR(bytes / 32));
    }
}

TEST_F(CollectiveRun, PathsOfDifferentLengthAddUp)
{
    // 64 servers in 4 racks: 60 of 63 messages stay in a rack (2 links), 3 pass the core (4 links).
    // One message at a time.
    const std::string fabric =
        R"({"topology": "fat-tree", "servers": 64, "hostRate": "100Gbps", "fabricRate": "100Gbps",
            "linkDelay": "1us"})";
    const RunReport report = RunIn(fabric, PART, R"("operation": "broadcast")");
    EXPECT_EQ(GetReport(report).communicators[0].bound, GetTime(report));
    EXPECT_EQ(GetTime(report), 60 * GetR(PART) + 3 * GetR(PART, 4));
    const RunReport ring = RunIn(fabric, 64 * PART, R"("operation": "all-gather")");
    EXPECT_GE(GetTime(ring), GetReport(ring).communicators[0].bound);
}

TEST_F(CollectiveRun, CommunicatorsWorkSideBySideOnRandomServers)
{
    const RunReport report = RunStar(
        16,
        4 * PART,
        R"("operation": "all-reduce", "communicators": 4, "placement": "random", "iterations": 2)");
    const CollectiveReport& collective = GetReport(report);
    ASSERT_EQ(collective.communicators.size(), 4U);
    for (const CommunicatorResult& one : collective.communicators)
    {
        // On a star no two communicators share a link.
        EXPECT_EQ(one.iterations[0].end, 6 * GetR(PART));
        EXPECT_EQ(one.iterations[1].end, 12 * GetR(PART));
    }
    // 4 ranks, 6 steps, 4 packets, 2 iterations, 4 communicators.
    EXPECT_EQ(collective.stats.packets, 4U * 6 * 4 * 2 * 4);
    // Of all communicators together: 6 steps of a quarter of the buffer by each of 16 ranks, twice.
    const double gbps = 8e3 * 2 * 16 * 6 * PART / static_cast<double>(12 * GetR(PART));
    EXPECT_NEAR(report.parts[0].summary["goodput_gbps"].get<double>(), gbps, 1e-9 * gbps);
}

TEST_F(CollectiveRun, NcclWaitsForTheReceiverBeforeEachSlice)
{
    // The entries of the first 4 slices are written at once. Later ones leave with the data, and
    // each acknowledgment takes 6.88 ns of a link: at most two per step.
    const int n = 8;
    const int64_t steps = 2 * (n - 1);
    const Message entry{2, 64};
    const RunReport report =
        RunStar(n, n * PART, R"("operation": "all-reduce", "library": "nccl")");
    const int64_t least = entry.GetArrival() - Message::PROCESSING + steps * GetR(PART);
    EXPECT_GE(GetTime(report), least);
    EXPECT_LE(GetTime(report), least + steps * (entry.GetDuration() + 2 * Message::ACK));
    // A slice has 4 packets, an entry one.
    EXPECT_EQ(GetReport(report).stats.packets, static_cast<uint64_t>(n * steps * 5));
}

TEST_F(CollectiveRun, FlagsOfNcclsProtocolsAreOnTheWire)
{
    // 4,096 B of data per step: by LL 512 lines of 16 B, 8 packets; by LL128 35 lines of 128 B
    // (4,200 B would fit), 4,480 B in 5 packets. The entry is one more packet.
    const int n = 4;
    const int64_t steps = 2 * (n - 1);

    const struct
    {
        const char* protocol;
        int64_t wire;
        uint64_t packets;
    } cases[] = {{"simple", 4096, 4}, {"ll", 8192, 8}, {"ll128", 4480, 5}};

    const Message entry{2, 64};
    for (const auto& one : cases)
    {
        SCOPED_TRACE(one.protocol);
        const RunReport report =
            RunStar(n,
                    n * PART,
                    R"("operation": "all-reduce", "library": "nccl", "protocol": ")" +
                        std::string(one.protocol) + '"');
        const int64_t bound = steps * GetR(one.wire);
        const int64_t least = entry.GetArrival() - Message::PROCESSING + bound;
        EXPECT_EQ(GetReport(report).communicators[0].bound, bound);
        EXPECT_GE(GetTime(report), least);
        EXPECT_LE(GetTime(report), least + steps * (entry.GetDuration() + 2 * Message::ACK));
        EXPECT_EQ(GetReport(report).stats.packets, n * steps * (one.packets + 1));
        EXPECT_EQ(report.parts[0].summary["protocol"], one.protocol);
    }
}

TEST_F(CollectiveRun, NcclsOwnChoiceFollowsItsTimeModel)
{
    // 12.5 GB/s, 4 ranks. 16 KiB: ring by LL 6.6 + 6 x 5 + 16.384 / (6.25 x 4/6) = 40.5 us, tree by
    // LL 6.8 + 4 x 5 + 16.384 / (4.8875 / 3.8 x 0.7) = 45.0, LL128 above 48, Simple above 64.
    // 256 B: the tree's 26.8 + 0.2. 16 MiB: ring by LL128 14 + 6 x 8.5 + 16777 / (11.5 x 4/6) =
    // 2253, by Simple 1.4 x (8.4 + 6 x 14) + 16777 / (12.5 x 4/6) = 2143; trees above 4,000.
    const struct
    {
        int64_t bytes;
        const char* algorithm;
        const char* protocol;
    } cases[] = {{256, "double-tree", "ll"}, {16384, "ring", "ll"}, {16 << 20, "ring", "simple"}};

    for (const auto& one : cases)
    {
        const RunReport report =
            RunStar(4,
                    one.bytes,
                    R"("operation": "all-reduce", "library": "nccl", "algorithm": "auto")");
        EXPECT_TRUE(report.parts[0].troubles.empty());
        EXPECT_EQ(report.parts[0].summary["algorithm"], one.algorithm) << one.bytes;
        EXPECT_EQ(report.parts[0].summary["protocol"], one.protocol) << one.bytes;
    }
    // A forced protocol leaves the choice of the algorithm, and the other way round: by LL128 the
    // ring takes 14 + 6 x 8.5 + 2 = 67 us, the tree 14 + 4 x 8.5 + 5 = 53; in a ring LL is fastest.
    const auto choose = [this](const std::string& more) {
        const auto summary =
            RunStar(4, 16384, R"("operation": "all-reduce", "library": "nccl", )" + more)
                .parts[0]
                .summary;
        return summary["algorithm"].get<std::string>() + ' ' +
               summary["protocol"].get<std::string>();
    };
    EXPECT_EQ(choose(R"("algorithm": "auto", "protocol": "ll128")"), "double-tree ll128");
    EXPECT_EQ(choose(R"("algorithm": "ring", "protocol": "auto")"), "ring ll");
}

TEST_F(CollectiveRun, NcclHasEightPiecesOfAPointToPointMessageOnTheirWay)
{
    // 1 MiB in pieces of 128 KiB: all 8 entries are written at once, so that the pieces follow each
    // other; with 2 MiB the ninth waits for the arrival of the first, which has long been there.
    // Both ends copy at 112 Gb/s: the first piece leaves after a copy, the last one is copied at
    // the end; all other copies are hidden, as the link takes 11.3 us per piece and a copy 9.4 us.
    const int64_t copy = 131072 * 8'000 / 112;
    for (const int64_t pieces : {8, 16})
    {
        const int64_t bytes = pieces * 131072;
        const Message entry{2, 64};
        const Message piece{2, 131072};
        const int64_t time = Measure(2, bytes, R"("operation": "send-receive", "library": "nccl")");
        const int64_t least = entry.GetArrival() - Message::PROCESSING + piece.GetArrival() +
                              (pieces - 1) * piece.GetDuration() + 2 * copy;
        EXPECT_GE(time, least);
        EXPECT_LE(time, least + 4 * pieces * (entry.GetDuration() + Message::ACK));
    }
}

TEST_F(CollectiveRun, ChannelsOfAPeerCopySideBySide)
{
    // At 40 Gb/s a copy takes 26.2 us, longer than two pieces on the link: a channel's sender
    // copies all of its pieces, one after the other, and the receiver the last one.
    const int64_t copy = 131072 * 8'000 / 40;
    const int64_t pieces = 16;
    const Message entry{2, 64};
    const Message piece{2, 131072};
    for (const int64_t channels : {1, 2})
    {
        const int64_t time =
            Measure(2,
                    pieces * 131072,
                    R"("operation": "send-receive", "library": "nccl", "copyRate": "40Gbps",
                       "channelsPerPeer": )" +
                        std::to_string(channels));
        const int64_t least = entry.GetArrival() - Message::PROCESSING +
                              (pieces / channels + 1) * copy + piece.GetArrival();
        EXPECT_GE(time, least);
        // The last pieces of two channels share the link.
        EXPECT_LE(time,
                  least + (channels - 1) * piece.GetDuration() +
                      4 * (entry.GetDuration() + Message::ACK));
    }
}

TEST_F(CollectiveRun, BatchesOfAnAllToAllFollowEachOther)
{
    // 18 ranks at 100 Gb/s have two channels, one per peer: rounds 0 to 7, 8 to 15, and 16 and 17.
    // A batch begins when the rank's parts of the one before have arrived; each takes at least an
    // entry, a copy by the sender, the way of a piece, and a copy by the receiver. Pieces of 32 KiB
    // are copied by 2 of 9 warps in the batches of four rounds, by all in the last one.
    const int64_t bytes = 32768;
    const int64_t copy = bytes * 8'000 / 112;
    const Message entry{2, 64};
    const Message piece{2, bytes};
    const int64_t time =
        Measure(18,
                18 * bytes,
                R"("operation": "all-to-all", "algorithm": "nccl", "library": "nccl")");
    const int64_t way = entry.GetArrival() - Message::PROCESSING + piece.GetArrival();
    const int64_t slow = copy * 9 / 2;
    const int64_t least = 3 * way + 4 * slow + 2 * copy;
    EXPECT_GE(time, least);
    // The other pieces of a batch wait for the link, with their entries and acknowledgments.
    EXPECT_LE(time, least + 17 * (piece.GetDuration() + 4 * Message::ACK));
}

TEST_F(CollectiveRun, NcclSendsItsNotificationApartOnAFabricWithAdaptiveRouting)
{
    // Above 8 KiB: 16 packets of data, one of the notification, one of the entry.
    const RunReport report =
        RunStar(2, 16384, R"("operation": "send-receive", "library": "nccl-adaptive-routing")");
    EXPECT_EQ(GetReport(report).stats.packets, 2U * (16 + 1 + 1));
    const RunReport small =
        RunStar(2, 8192, R"("operation": "send-receive", "library": "nccl-adaptive-routing")");
    EXPECT_EQ(GetReport(small).stats.packets, 2U * (8 + 1));
}

TEST_F(CollectiveRun, EveryAlgorithmOfNcclCompletesWithItsWindows)
{
    for (const std::string more :
         {R"("operation": "all-reduce", "algorithm": "double-tree")",
          R"("operation": "all-gather", "channels": 2)",
          R"("operation": "reduce-scatter")",
          R"("operation": "all-to-all", "algorithm": "nccl", "window": 2)",
          R"("operation": "all-to-all", "algorithm": "nccl", "skew": 2)",
          R"("operation": "send-receive", "channelsPerPeer": 2, "chunk": "64KiB")",
          R"("operation": "all-to-all", "algorithm": "nccl", "window": 1, "waitFor": "completion")",
          R"("operation": "broadcast", "root": 3)",
          R"("operation": "reduce")"})
    {
        SCOPED_TRACE(more);
        const RunReport report =
            RunStar(7, 7 << 20, R"("iterations": 3, "library": "nccl", )" + more);
        EXPECT_TRUE(report.parts[0].troubles.empty());
        for (const IterationRecord& record : GetReport(report).communicators[0].iterations)
        {
            EXPECT_EQ(record.ranksDone, 7U);
        }
    }
}

TEST_F(CollectiveRun, LossesAreRecoveredAndCounted)
{
    const RunReport report = RunIn(
        R"({"topology": "star", "hostRate": "100Gbps", "linkDelay": "1us", "servers": 8,
            "lossRate": 0.001})",
        8 * 65536,
        R"("operation": "all-reduce", "iterations": 4)");
    const CollectiveReport& collective = GetReport(report);
    EXPECT_GT(collective.stats.retransmitted, 0U);
    EXPECT_FALSE(collective.communicators[0].last);
    EXPECT_GT(collective.communicators[0].iterations[3].end, 4 * 14 * GetR(65536));
}

TEST_F(CollectiveRun, AStallNamesWhatIsMissing)
{
    // Server 2 is cut off: rank 3 gets nothing.
    const Scenario scenario = Read(R"({"name": "c", "run": {"stallLimit": "1ms"},
        "fabric": {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"},
        "linkEvents": [{"at": "0s", "link": [2, 4], "state": "down"}],
        "nics": ["connectx6"],
        "workload": {"type": "collective", "operation": "all-gather", "size": "16KiB"}})");
    const RunReport report = RunScenario(scenario, scenario.nics[0]).report;
    ASSERT_EQ(report.parts[0].troubles.size(), 1U);
    // Ranks 0 and 1 send all that they have, rank 3 its own part and nothing else, rank 2 its own.
    EXPECT_NE(report.parts[0].troubles[0].find("all-gather, communicator 0: "), std::string::npos);
    EXPECT_NE(report.parts[0].troubles[0].find("of 12 messages posted"), std::string::npos);
    EXPECT_NE(report.parts[0].troubles[0].find("waits for rank"), std::string::npos);
}

} // namespace
