// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/table-schema.h"

#include "ns3/number-text.h"
#include "ns3/random-stream.h"
#include "ns3/result-names.h"
#include "ns3/text-row.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <sstream>

using namespace ns3::rdma;

TEST(TableSchema, ATableIsAFileOfRunsWhileItExists)
{
    EXPECT_FALSE(IsRunFile("beats.csv"));
    {
        const TableSchema table("beats.csv", {{"server", "", "node id"}, {"at_ns", "ns", "time"}});
        EXPECT_EQ(table.GetHeader(), "server,at_ns\n");
        EXPECT_TRUE(IsRunFile("beats.csv"));
        EXPECT_TRUE(IsReservedName("beats.csv"));
        const auto all = TableSchema::GetAll();
        EXPECT_EQ(std::count(all.begin(), all.end(), &table), 1);
    }
    EXPECT_FALSE(IsRunFile("beats.csv"));
}

TEST(TableSchema, EveryColumnHasAMeaningAndANameOfItsOwnInItsTable)
{
    std::set<std::string> files;
    for (const TableSchema* table : TableSchema::GetAll())
    {
        EXPECT_TRUE(files.insert(table->GetFile()).second) << table->GetFile();
        std::set<std::string> names;
        for (const ResultColumn& column : table->GetColumns())
        {
            EXPECT_TRUE(names.insert(column.name).second) << column.name;
            EXPECT_FALSE(column.meaning.empty()) << column.name;
        }
    }
    const std::set<std::string> expected{"collectives.csv",
                                         "flows.csv",
                                         "hosts.csv",
                                         "messages.csv",
                                         "rpcs.csv",
                                         "samples.csv",
                                         "sequence.csv",
                                         "series/buffer.csv",
                                         "series/class.csv",
                                         "series/goodput.csv",
                                         "series/port.csv",
                                         "series/queue.csv",
                                         "series/rate.csv",
                                         "series/spray.csv",
                                         "streams.csv",
                                         "threads.csv"};
    EXPECT_EQ(files, expected);
}

TEST(NumberText, NanosecondsAreExact)
{
    EXPECT_EQ(FormatNs(3000), "3");
    EXPECT_EQ(FormatNs(2500), "2.5");
    EXPECT_EQ(FormatNs(1), "0.001");
    std::ostringstream out;
    TextRow().Add(PaddedNsCell{3000}).Add(PaddedNsCell{2500}).Add(PaddedNsCell{1}).WriteTo(out);
    TextRow().Add(MilliCell{3000}).Add(MilliCell{2007}).WriteTo(out);
    EXPECT_EQ(out.str(), "3,2.500,0.001\n3.000,2.007\n");
}

TEST(NumberText, NumbersHaveSixSignificantDigitsAsInPrintf)
{
    RandomStream random(5, 1);
    for (uint32_t draw = 0; draw < 20'000; ++draw)
    {
        // From 2^-40 to 2^40, and halves of the last digit, which are rounded to even.
        const int exponent = static_cast<int>(random.Next32() % 81) - 40;
        const double value = draw % 4 == 0 ? (random.Next32() % 2'000'001) / 2.0
                                           : std::ldexp(random.NextDouble(), exponent);
        char expected[40];
        std::snprintf(expected, sizeof expected, "%.6g", value);
        ASSERT_EQ(FormatNumber(value), expected);
    }
}

TEST(NumberText, ARowTakesTheLargestNumber)
{
    std::ostringstream out;
    TextRow().Add(uint64_t{UINT64_MAX}).Add(NsCell{2500}).Add(std::optional<double>()).WriteTo(out);
    EXPECT_EQ(out.str(), "18446744073709551615,2.5,\n");
}

TEST(NumberText, EachLineBeginsWithThePrefix)
{
    std::ostringstream out;
    TextRow row("background");
    row.Add(1U).Add(0.5).WriteTo(out);
    row.Add("word").WriteTo(out);
    EXPECT_EQ(out.str(), "background,1,0.5\nbackground,word\n");
}
