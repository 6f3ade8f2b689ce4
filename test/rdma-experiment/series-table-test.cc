// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-table.h"

#include "ns3/byte-buffer.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

struct TestRow : SeriesRow
{
    uint32_t most;

    void Absorb(const TestRow& earlier)
    {
        most = std::max(most, earlier.most);
    }
};

TestRow
MakeRow(uint64_t key, uint32_t most)
{
    return {{key}, most};
}

using Table = SeriesTable<TestRow>;

/// So many rows per time that MIN_TIMES times are kept: 100.
constexpr std::size_t WIDE{Table::MAX_ROWS};

std::vector<Tick>
GetTimes(const Table& table)
{
    std::vector<Tick> times;
    for (const auto& block : table.GetBlocks())
    {
        times.push_back(block.at);
    }
    return times;
}

} // namespace

TEST(SeriesTable, KeepsAllTimesWhileThereIsRoom)
{
    Table table(WIDE);
    for (Tick at = 1; at <= 100; ++at)
    {
        table.Add(at, {MakeRow(7, 1)});
    }
    EXPECT_EQ(GetTimes(table).size(), 100);
}

TEST(SeriesTable, ThinsTheWholeRunEvenly)
{
    Table table(WIDE);
    for (Tick at = 1; at <= 101; ++at)
    {
        table.Add(at, {MakeRow(7, static_cast<uint32_t>(at == 11 ? 500 : 1))});
    }
    // Of 1 to 100 the even ones stay; 101 stays until 102 takes its place.
    std::vector<Tick> times = GetTimes(table);
    ASSERT_EQ(times.size(), 50 + 1);
    for (std::size_t i = 0; i < 50; ++i)
    {
        EXPECT_EQ(times[i], 2 * (static_cast<Tick>(i) + 1));
    }
    EXPECT_EQ(times.back(), 101);
    table.Add(102, {MakeRow(7, 3)});
    times = GetTimes(table);
    ASSERT_EQ(times.size(), 51);
    EXPECT_EQ(times.back(), 102);
    EXPECT_EQ(table.GetBlocks().back().rows.front().most, 3);
    // What goes is taken over by the next.
    EXPECT_EQ(table.GetBlocks()[5].at, 12);
    EXPECT_EQ(table.GetBlocks()[5].rows.front().most, 500);
    EXPECT_EQ(table.GetBlocks()[4].rows.front().most, 1);
}

TEST(SeriesTable, KeepsTheBeginningOfALongRun)
{
    // 256 rows per time, as of flows: room for 780 times. 20 ms of samples every 10 us are 2,000
    // times, of which every fourth stays: 500, the first at 40 us.
    Table table(256);
    for (Tick at = 1; at <= 2'000; ++at)
    {
        table.Add(at, {MakeRow(7, 1)});
    }
    const std::vector<Tick> times = GetTimes(table);
    ASSERT_EQ(times.size(), 500);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        EXPECT_EQ(times[i], 4 * (static_cast<Tick>(i) + 1));
    }
}

TEST(SeriesTable, IsBoundedHoweverLongItGoesOn)
{
    Table table(WIDE);
    for (Tick at = 1; at <= 100'000; ++at)
    {
        table.Add(at, {MakeRow(7, 1)});
    }
    // 100 times of 1,024 samples hold 102,400, those of 512 only 51,200: 97 whole ones and the
    // rest.
    const std::vector<Tick> times = GetTimes(table);
    ASSERT_EQ(times.size(), 98);
    EXPECT_EQ(times.front(), 1'024);
    EXPECT_EQ(times[96], 97 * 1'024);
    EXPECT_EQ(times.back(), 100'000);
}

TEST(SeriesTable, IdleTimesOfAThinnedTableDoNotCrowdOutWhatWasBefore)
{
    Table table(WIDE);
    for (Tick at = 1; at <= 1'000; ++at)
    {
        table.Add(at, {MakeRow(7, 1)});
    }
    const std::vector<Tick> before = GetTimes(table); // Every 16th: 62 times and 1,000.
    ASSERT_EQ(before.size(), 63);
    for (Tick at = 1'001; at <= 5'000; ++at)
    {
        table.Add(at, {MakeRow(7, 1)});
        table.MergeNewest();
    }
    const std::vector<Tick> times = GetTimes(table);
    ASSERT_GE(times.size(), 63);
    EXPECT_TRUE(std::equal(before.begin(), before.end() - 1, times.begin()));
    EXPECT_EQ(times.back(), 5'000);
    EXPECT_LE(times.size(), 64);
}

/// With one rank an idle time is skipped; with several it is sampled more often.
TEST(SeriesTable, TheNumberOfIdleTimesHasNoEffectOnTheTimesAfterThem)
{
    for (const Tick busy : {50, 100, 101, 102, 200, 399, 1'000})
    {
        Table once(WIDE);
        Table often(WIDE);
        for (Tick at = 1; at <= busy; ++at)
        {
            once.Add(at, {MakeRow(7, 1)});
            often.Add(at, {MakeRow(7, 1)});
        }
        const Tick end = busy + 30;
        once.Add(end, {MakeRow(7, 1)});
        once.MergeNewest();
        for (Tick at = busy + 1; at <= end; ++at)
        {
            often.Add(at, {MakeRow(7, 1)});
            often.MergeNewest();
        }
        for (Tick at = end + 1; at <= end + 500; ++at)
        {
            once.Add(at, {MakeRow(7, 1)});
            often.Add(at, {MakeRow(7, 1)});
        }
        EXPECT_EQ(GetTimes(once), GetTimes(often)) << busy;
    }
}

TEST(SeriesTable, TheNewestTimeCanTakeThePlaceOfTheOneBefore)
{
    Table table(WIDE);
    table.Add(1, {MakeRow(7, 1)});
    table.Add(2, {MakeRow(7, 9)});
    table.Add(3, {MakeRow(7, 1)});
    table.MergeNewest();
    EXPECT_EQ(GetTimes(table), (std::vector<Tick>{1, 3}));
    EXPECT_EQ(table.GetBlocks()[1].rows.front().most, 9);
}

TEST(SeriesTable, ManyRowsPerTimeLeaveRoomForFewerTimes)
{
    // 200,000 rows are 1,000 times of 200.
    Table table(200);
    for (Tick at = 1; at <= 1'000; ++at)
    {
        table.Add(at, {});
    }
    EXPECT_EQ(table.GetBlocks().size(), 1'000);
    table.Add(1'001, {});
    EXPECT_EQ(table.GetBlocks().size(), 501);
}

TEST(SeriesTable, RowsOfAllRanksAreOneTimesRowsByKey)
{
    Table first(2);
    Table second(2);
    first.Add(10, {MakeRow(5, 1), MakeRow(1, 1)});
    first.Add(20, {MakeRow(1, 2)});
    second.Add(10, {MakeRow(3, 1)});
    second.Add(20, {});
    second.Add(30, {MakeRow(9, 1)}); // The first rank was stopped before.
    ByteBuffer buffer;
    buffer.Put(second.GetBlocks());
    ByteReader reader(buffer);
    first.Merge(reader.Get<std::vector<Table::Block>>());
    EXPECT_EQ(reader.GetLeft(), 0);
    ASSERT_EQ(GetTimes(first), (std::vector<Tick>{10, 20, 30}));
    const auto& rows = first.GetBlocks().front().rows;
    ASSERT_EQ(rows.size(), 2); // The lowest keys.
    EXPECT_EQ(rows[0].key, 1);
    EXPECT_EQ(rows[1].key, 3);
}

namespace
{
struct SumRow : SeriesRow
{
    uint64_t bytes;

    void Join(const SumRow& other)
    {
        bytes += other.bytes;
    }
};
} // namespace

TEST(SeriesTable, RowsOfOneKeyOnSeveralRanksAreJoined)
{
    using SumTable = SeriesTable<SumRow>;
    SumTable first(2);
    first.Add(10, {{{1}, 5}, {{2}, 7}});
    SumTable second(2);
    second.Add(10, {{{2}, 100}, {{1}, 30}});
    SumTable third(2);
    third.Add(10, {{{2}, 1000}});
    first.Merge(second.GetBlocks());
    first.Merge(third.GetBlocks());
    const auto& rows = first.GetBlocks().front().rows;
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows[0].bytes, 35);
    EXPECT_EQ(rows[1].bytes, 1107);
}
