// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/partial-report.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::rdma;

namespace
{

/// A rank's report whose numbers are multiples of its own.
PartialReport
MakePart(uint64_t factor)
{
    PartialReport part;
    part.counts.flowsStarted = 50;
    part.counts.drops = {{"buffer-full", 1 * factor}, {"link-down", 2 * factor}};
    part.counts.fabricDrops = 13 * factor;
    part.counts.nicDiscards = 14 * factor;
    part.counts.ecnMarks = 3 * factor;
    part.counts.pfcPauses = 4 * factor;
    part.counts.cnps = 5 * factor;
    part.counts.retransmitted = 6 * factor;
    part.counts.timeouts = 7 * factor;
    part.counts.packetHops = 8 * factor;
    part.counts.events = 9 * factor;
    part.counts.simulatedPs = static_cast<int64_t>(1000 * factor);
    HostRecord host;
    host.server = static_cast<uint32_t>(100 - factor);
    host.cpuCores = 0.5;
    part.hosts = {host};
    part.rank = {9 * factor, 10 * factor, 11 * factor, 0.5, 0.25, 0.125, 12 * factor};
    return part;
}

/// @return what arrives at the first rank.
PartialReport
Send(const PartialReport& part)
{
    ByteBuffer buffer;
    buffer.Put(part);
    ByteReader reader(buffer);
    auto copy = reader.Get<PartialReport>();
    EXPECT_EQ(reader.GetLeft(), 0);
    return copy;
}

} // namespace

TEST(PartialReport, CountsAddUpAndFlowsDoNot)
{
    const RunReport report = MergeReports({MakePart(1), Send(MakePart(10))});
    EXPECT_EQ(report.flowsStarted, 50); // Each rank knows all of them.
    EXPECT_EQ(report.drops.at("buffer-full"), 11);
    EXPECT_EQ(report.drops.at("link-down"), 22);
    EXPECT_EQ(report.fabricDrops, 143);
    EXPECT_EQ(report.nicDiscards, 154);
    EXPECT_EQ(report.ecnMarks, 33);
    EXPECT_EQ(report.pfcPauses, 44);
    EXPECT_EQ(report.cnps, 55);
    EXPECT_EQ(report.retransmitted, 66);
    EXPECT_EQ(report.timeouts, 77);
    EXPECT_EQ(report.packetHops, 88);
    EXPECT_EQ(report.events, 99);
    EXPECT_EQ(report.simulatedPs, 10'000);
    EXPECT_FALSE(report.isPartial);
    EXPECT_TRUE(report.violations.empty());
    ASSERT_EQ(report.parts.size(), 1);
    std::ostringstream rows;
    report.parts[0].tables[0].writeRows(rows, "");
    EXPECT_EQ(rows.str(), // By node id, not by rank.
              "90,0,0.5,0,0,0,0,0,0,0,0\n"
              "99,0,0.5,0,0,0,0,0,0,0,0\n");
    ASSERT_EQ(report.ranks.size(), 2);
    EXPECT_EQ(report.ranks[1].events, 90);
    EXPECT_EQ(report.ranks[1].windows, 100);
    EXPECT_EQ(report.ranks[1].sentBytes, 110);
    EXPECT_EQ(report.ranks[1].computeSeconds, 0.5);
    EXPECT_EQ(report.ranks[1].waitSeconds, 0.25);
    EXPECT_EQ(report.ranks[1].exchangeSeconds, 0.125);
    EXPECT_EQ(report.ranks[1].peakRssBytes, 120);
}

TEST(PartialReport, EveryCounterTravelsAndAddsUp)
{
    PartialReport part;
    uint64_t value = 1;
    for (const RunCounter& counter : GetRunCounters())
    {
        part.counts.*counter.value = value++;
    }
    const RunReport sum = MergeReports({part, Send(part), Send(part)});
    value = 1;
    for (const RunCounter& counter : GetRunCounters())
    {
        EXPECT_EQ(sum.*counter.value, 3 * value++) << counter.name;
    }
}

TEST(PartialReport, OneStoppedRankMakesTheRunPartial)
{
    PartialReport stopped = MakePart(1);
    stopped.counts.isPartial = true;
    EXPECT_TRUE(MergeReports({MakePart(1), Send(stopped)}).isPartial);
}

TEST(PartialReport, ViolationsComeInTheSameOrderHoweverTheRanksAreCut)
{
    const Violation early{10, 4, "is early"};
    const Violation late{20, 2, "is late"};
    const Violation twin{20, 1, "is late, too"};
    const std::vector<std::string> expected{"flow 4 is early",
                                            "flow 1 is late, too",
                                            "flow 2 is late"};
    PartialReport first;
    PartialReport second;
    first.violations = {early, twin};
    second.violations = {late};
    EXPECT_EQ(MergeReports({first, Send(second)}).violations, expected);
    first.violations = {late};
    second.violations = {early, twin};
    EXPECT_EQ(MergeReports({first, Send(second)}).violations, expected);
}

TEST(PartialReport, WhatIsLeftIsAddedUpIntoOneLine)
{
    PartialReport first;
    first.losslessDrops = 1;
    first.framesLeft = 2;
    first.bytesLeft = {{70, 5}};
    PartialReport second = first;
    second.bytesLeft = {{64, 6}};
    const std::vector<std::string> expected{
        "2 frames of a lossless priority were dropped for want of buffer",
        "4 frames are neither delivered nor dropped",
        "switch 64 still holds 6 bytes",
        "switch 70 still holds 5 bytes"};
    EXPECT_EQ(MergeReports({first, Send(second)}).violations, expected);
}
