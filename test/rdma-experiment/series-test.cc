// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series.h"

#include "scenario-fixture.h"

using namespace ns3::rdma;

namespace
{
struct CountRow : SeriesRow
{
    uint64_t bytes;
};

using Point = SeriesPoint<CountRow>;
using Columns = RowSeries<CountRow>::Columns;

/// Samples two counters that grow by 125,000 bytes and by 1 byte in each interval.
class CountSeries : public RowSeries<CountRow>
{
  public:
    explicit CountSeries(const Columns& columns)
        : RowSeries(columns, 2)
    {
    }

  private:
    std::vector<CountRow> MakeRows(Tick at, const SeriesInput&) const override
    {
        const auto intervals = static_cast<uint64_t>(at / 10'000'000);
        return {{{7, 5'000'000}, intervals}, {{3}, 125'000 * intervals}};
    }
};

class SeriesTest : public FolderTest
{
  protected:
    const Columns m_columns{"series/test.csv",
                            {MakeTimeColumn<CountRow>(),
                             {"key", "", "", &Point::key},
                             {"rate", "", "", [](const Point& point) {
                                  return GetRateCell(point.bytes - point.before.bytes,
                                                     point.at - point.since);
                              }}}};
};
} // namespace

TEST_F(SeriesTest, RatesAreOfTheTimeSinceThePreviousRowOfAKey)
{
    CountSeries series(m_columns);
    series.Sample(10'000'000, {});
    series.Sample(20'000'500, {});
    series.Write(m_folder);
    // 125,000 bytes in 10 us are 100 Gb/s; one byte in the 5 us since its begin is 1.6 Mb/s.
    EXPECT_EQ(ReadText(m_folder / "test.csv"),
              "time_ns,key,rate\n"
              "10000,3,100.000\n"
              "10000,7,0.002\n"
              "20000.5,3,99.995\n"
              "20000.5,7,0.001\n");
    EXPECT_EQ(GetRateCell(12'345'678'901).thousandths, 12'346U); // 12.346 Gb/s.
}

TEST_F(SeriesTest, RowsOfOtherRanksArePartOfTheFile)
{
    CountSeries first(m_columns);
    CountSeries second(m_columns);
    second.Sample(10'000'000, {});
    ByteBuffer buffer;
    second.Pack(buffer);
    ByteReader reader(buffer);
    first.Unpack(reader);
    first.Write(m_folder);
    EXPECT_EQ(ReadText(m_folder / "test.csv"),
              "time_ns,key,rate\n10000,3,100.000\n10000,7,0.002\n");
}

TEST_F(SeriesTest, AFileThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(CountSeries(m_columns).Write(m_folder / "none"), std::runtime_error);
}
