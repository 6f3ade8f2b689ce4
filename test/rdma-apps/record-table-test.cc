// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/record-table.h"

#include <gtest/gtest.h>
#include <memory>
#include <sstream>

using namespace ns3::rdma;

namespace
{
struct Lap
{
    uint32_t car;
    int64_t ps;
    double speed;
    int place; ///< -1: none.
};

std::optional<uint32_t>
GetPlace(const Lap& lap)
{
    return lap.place < 0 ? std::nullopt : std::optional(static_cast<uint32_t>(lap.place));
}

using LapTable = RecordTable<Lap, double>;

LapTable
MakeTable()
{
    return {"laps.csv",
            {{"car", "", "its number", &Lap::car},
             {"time_ns", "ns", "of the lap", [](const Lap& lap) { return NsCell{lap.ps}; }},
             {"share",
              "",
              "of the most speed",
              [](const Lap& lap, double most) { return lap.speed / most; }},
             {"place", "", "empty if it gave up", GetPlace},
             {"end", "", "a word", [](const Lap& lap) { return lap.place < 0 ? "out" : "in"; }}}};
}
} // namespace

TEST(RecordTable, TheTypeOfAColumnIsThatOfItsGetter)
{
    const LapTable table = MakeTable();
    EXPECT_EQ(table.GetHeader(), "car,time_ns,share,place,end\n");
    const ColumnType types[]{ColumnType::WHOLE,
                             ColumnType::REAL,
                             ColumnType::REAL,
                             ColumnType::REAL_OR_EMPTY,
                             ColumnType::WORD};
    for (std::size_t i = 0; i < table.GetColumns().size(); ++i)
    {
        EXPECT_EQ(table.GetColumns()[i].type, types[i]) << table.GetColumns()[i].name;
    }
    EXPECT_EQ(table.GetColumns()[1].unit, "ns");
    EXPECT_EQ(table.GetColumns()[1].meaning, "of the lap");
}

TEST(RecordTable, ARowHasACellOfEachColumn)
{
    const LapTable table = MakeTable();
    const auto laps = std::make_shared<const std::vector<Lap>>(
        std::vector<Lap>{{7, 2500, 30, 1}, {9, 3, 10, -1}});
    const ResultTable result = table.MakeResult(laps, std::make_shared<const double>(40));
    EXPECT_EQ(result.schema, &table);
    std::ostringstream out;
    result.writeRows(out, "");
    result.writeRows(out, "rally");
    // 30 / 40 and 10 / 40; 2500 and 3 ps.
    EXPECT_EQ(out.str(),
              "7,2.5,0.75,1,in\n9,0.003,0.25,,out\n"
              "rally,7,2.5,0.75,1,in\nrally,9,0.003,0.25,,out\n");
}
