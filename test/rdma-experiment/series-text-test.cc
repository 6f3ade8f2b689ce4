// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-text.h"

#include "scenario-fixture.h"

using namespace ns3::rdma;

using SeriesTextTest = FolderTest;

TEST_F(SeriesTextTest, WritesExactNumbers)
{
    const TableSchema schema("series/test.csv", {{"a", "", ""}, {"b", "", ""}, {"c", "", ""}});
    SeriesText text(schema);
    text.AddTime(10'000'000).Add(0).Skip().EndLine();
    text.AddTime(1'500).AddTime(1'001).AddTime(0).EndLine();
    // 125,000 bytes in 10 us are 100 Gb/s; one byte in 3 ns is 2.6666 Gb/s.
    text.AddRate(125'000, 10'000'000).AddRate(1, 3'000).AddRate(0, 1).EndLine();
    text.AddRate(12'345'678'901).AddRate(100'000'000'000).EndLine();
    text.Write(m_folder / "x.csv");
    EXPECT_EQ(ReadText(m_folder / "x.csv"),
              "a,b,c\n10000,0,\n1.5,1.001,0\n100.000,2.667,0.000\n12.346,100.000\n");
}

TEST_F(SeriesTextTest, SaysWhatCannotBeWritten)
{
    const TableSchema schema("series/test.csv", {{"a", "", ""}});
    const SeriesText text(schema);
    EXPECT_THROW(text.Write(m_folder / "none" / "x.csv"), std::runtime_error);
}
