// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/memory-account.h"

#include "ns3/memory-design.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr double MIB{1024.0 * 1024.0};

NicMemoryDesign
GetDesign(const std::string& name)
{
    const auto& designs = GetMemoryDesigns();
    return *std::find_if(designs.begin(), designs.end(), [&name](const NicMemoryDesign& design) {
        return design.name == name;
    });
}

/// The line of that name; empty if there is none.
MemoryLine
GetLine(const std::vector<MemoryLine>& lines, const std::string& name)
{
    const auto found = std::find_if(lines.begin(), lines.end(), [&name](const MemoryLine& line) {
        return line.name == name;
    });
    return found == lines.end() ? MemoryLine{} : *found;
}

struct PaperRow
{
    std::string structure;
    double bytes; ///< As the paper prints it, with the unit of 2^10, 2^20 or 2^30 B.
    double last;  ///< One unit of its last digit.
};

constexpr double KIB{1024.0};
constexpr double GIB{1024.0 * MIB};

// SRNIC Table 1, third column, and section 3.2.
const PaperRow TABLE_1[] = {
    {"receiving buffer", 0.6 * MIB, 0.1 * MIB},
    {"queue pair contexts", 2.0 * MIB, 0.1 * MIB},
    {"translation table", 8 * MIB, 1 * MIB},
    {"WQE cache", 9.8 * MIB, 0.1 * MIB},
    {"bitmaps", 3.0 * MIB, 0.1 * MIB},
    {"reordering buffer", 4.9 * GIB, 0.1 * GIB},
    {"outstanding request table", 114.4 * MIB, 0.1 * MIB},
};

} // namespace

TEST(MemoryAccount, DerivesEveryRowOfSrnicsTable1)
{
    const auto lines = AccountMemory(GetDesign("conceptual").config);
    EXPECT_EQ(lines.size(), std::size(TABLE_1));
    for (const PaperRow& row : TABLE_1)
    {
        const MemoryLine line = GetLine(lines, row.structure);
        EXPECT_NEAR(line.conceptualBytes, row.bytes, row.last / 2) << row.structure;
        EXPECT_EQ(line.designBytes, line.conceptualBytes) << row.structure;
        EXPECT_EQ(line.replacedBy, "") << row.structure;
    }
    // By hand: 210 B x 10,000; 2^32 / 2^12 x 8 B; 16 x 64 B x 10,000; 5 x 500 / 8 B x 10,000;
    // 2^19 B x 10,000; 24 B x 500 x 10,000.
    EXPECT_EQ(lines[1].conceptualBytes, 2'100'000U);
    EXPECT_EQ(lines[2].conceptualBytes, 8'388'608U);
    EXPECT_EQ(lines[3].conceptualBytes, 10'240'000U);
    EXPECT_EQ(lines[4].conceptualBytes, 3'125'000U);
    EXPECT_EQ(lines[5].conceptualBytes, 5'242'880'000U);
    EXPECT_EQ(lines[6].conceptualBytes, 120'000'000U);
}

TEST(MemoryAccount, SrnicKeepsWhatTable1LeavesIt)
{
    const auto lines = AccountMemory(GetDesign("srnic").config);
    for (const char* gone : {"WQE cache", "bitmaps", "reordering buffer"})
    {
        EXPECT_EQ(GetLine(lines, gone).designBytes, 0U) << gone;
        EXPECT_NE(GetLine(lines, gone).replacedBy, "") << gone;
        EXPECT_GT(GetLine(lines, gone).conceptualBytes, 0U) << gone;
    }
    EXPECT_NEAR(GetLine(lines, "translation table").designBytes, 1.2 * MIB, 1);
    EXPECT_NEAR(GetLine(lines, "translation table").conceptualBytes, 8 * MIB, 1);
    // SRNIC section 4.3.1: 2 B x 10,000 = 19.5 KB.
    EXPECT_NEAR(GetLine(lines, "schedule queue").designBytes, 19.5 * KIB, 0.05 * KIB);
    // Two bursts of 16 KB with 8 WQEs of 64 B each: 2 x (16384 + 512).
    EXPECT_EQ(GetLine(lines, "scheduler's bursts").designBytes, 33'792U);
}

TEST(MemoryAccount, SrnicAsBuiltStaysBelowWhatTable2Prints)
{
    // The paper does not print its alignment: 2.05 MB here, 2.3 there.
    const auto lines = AccountMemory(GetDesign("srnic").config);
    const MemoryLine contexts = GetLine(lines, "queue pair contexts");
    EXPECT_EQ(contexts.builtBytes, 935U * 2304); // 5 x 187 blocks of 2048 x 9 bit.
    const MemoryTotal total = SumMemory(lines);
    EXPECT_GT(total.builtBytes, total.designBytes);
    EXPECT_LT(total.builtBytes, 4.4 * MIB);
    EXPECT_GT(total.builtBytes, 0.85 * 4.4 * MIB);
}

TEST(MemoryAccount, BlockRamsAndUltraRamsOfTable2MakeItsTotal)
{
    // 621 blocks of 36 Kb and 48 of 288 Kb: 4.42 MB.
    EXPECT_NEAR((621 * 36.0 + 48 * 288.0) * 1024 / 8, 4.4 * MIB, 0.05 * MIB);
    EXPECT_EQ(*GetDesign("srnic").statedBytes, static_cast<uint64_t>(4.4 * MIB));
}

TEST(MemoryAccount, ScalesWithQueuePairs)
{
    NicMemoryDesign design = GetDesign("srnic");
    const uint64_t before = SumMemory(AccountMemory(design.config)).designBytes;
    SetQueuePairs(design, 20'000);
    // 10,000 more contexts of 210 B, 10,000 more entries of 2 B; nothing else grows.
    EXPECT_EQ(SumMemory(AccountMemory(design.config)).designBytes, before + 2'120'000);
}

TEST(MemoryAccount, ConnectX5FitsMoreContextsThanItServesWell)
{
    const NicMemoryDesign design = GetDesign("connectx5");
    // SRNIC Eq. 1: 2 MB / 375 B = 5.6K; 256 were measured.
    EXPECT_EQ(*design.statedBytes / design.config.contextBytes, 5592U);
    EXPECT_EQ(*design.performantQueuePairs, 256U);
    EXPECT_EQ(SumMemory(AccountMemory(design.config)).builtBytes, 256U * 375);
}

TEST(MemoryAccount, BlockRamsOfBalboasTablesAreThoseOfItsTable2)
{
    // BALBOA Table 2: state table 6, MSN table 5, transport timer 2 (blocks of 18 Kb).
    const auto lines = AccountMemory(GetDesign("balboa").config);
    constexpr uint64_t BLOCK{18 * 1024 / 8};
    EXPECT_EQ(GetLine(lines, "state table").builtBytes, 6 * BLOCK);
    EXPECT_EQ(GetLine(lines, "transport timer").builtBytes, 2 * BLOCK);
    // 24, 64, 32 and 32 bits take 1 + 2 + 1 + 1 blocks; the paper has no sixth for the single bit,
    // which a compiler puts into logic.
    EXPECT_EQ(GetLine(lines, "MSN table").builtBytes, 6 * BLOCK);
    // 16, 16 and 1 bits take 3; 2000 requests in blocks of 2048 x 9 and fewer bits take 31.
    EXPECT_EQ(GetLine(lines, "retransmission pointers").builtBytes, 3 * BLOCK);
    EXPECT_EQ(GetLine(lines, "retransmission requests").builtBytes, 31 * BLOCK);
    // 24, 128 and 16 bits take 1 + 4 + 1; the paper has 4.
    EXPECT_EQ(GetLine(lines, "connection table").builtBytes, 6 * BLOCK);
}

TEST(MemoryAccount, TablesOfASizeOfTheirOwnDoNotFollowQueuePairs)
{
    NicMemoryDesign design = GetDesign("balboa");
    SetQueuePairs(design, 1000);
    const auto lines = AccountMemory(design.config);
    EXPECT_EQ(GetLine(lines, "state table").designBytes, 15'375U);             // 123 bits x 1000.
    EXPECT_EQ(GetLine(lines, "retransmission requests").designBytes, 54'000U); // 216 bits x 2000.
}

TEST(MemoryAccount, AlignmentRoundsDepthsOrBlocks)
{
    const MemoryTable table{"", 10'000, {1680}};
    EXPECT_EQ(GetTableBytes(table, MemoryAlignment::EXACT), 2'100'000U);
    EXPECT_EQ(GetTableBytes(table, MemoryAlignment::POWER_OF_TWO), 16'384U * 210);
    EXPECT_EQ(GetTableBytes(table, MemoryAlignment::BLOCK_RAM), 935U * 2304);  // 5 x 187.
    EXPECT_EQ(GetTableBytes(table, MemoryAlignment::ULTRA_RAM), 72U * 36'864); // 3 x 24.
}

TEST(MemoryAccount, AFullTableWastesNothing)
{
    // 512 x 36 bit is one block, 4096 x 72 bit is one URAM.
    EXPECT_EQ(GetTableBytes({"", 512, {36}}, MemoryAlignment::BLOCK_RAM), 2304U);
    EXPECT_EQ(GetTableBytes({"", 513, {36}}, MemoryAlignment::BLOCK_RAM), 2U * 2304);
    EXPECT_EQ(GetTableBytes({"", 4096, {72}}, MemoryAlignment::ULTRA_RAM), 36'864U);
    EXPECT_EQ(GetTableBytes({"", 8192, {8}}, MemoryAlignment::POWER_OF_TWO), 8192U);
    EXPECT_EQ(GetTableBytes({"", 0, {8}}, MemoryAlignment::BLOCK_RAM), 0U);
    EXPECT_EQ(GetTableBytes({"", 8, {}}, MemoryAlignment::ULTRA_RAM), 0U);
}

TEST(MemoryAccount, IrnPaysForBitmapsButNotForReordering)
{
    const auto lines = AccountMemory(GetDesign("irn").config);
    EXPECT_EQ(GetLine(lines, "bitmaps").designBytes, 3'125'000U);
    EXPECT_EQ(GetLine(lines, "reordering buffer").designBytes, 0U);
    EXPECT_EQ(GetLine(lines, "WQE cache").designBytes, 10'240'000U);
}

TEST(MemoryAccount, CountsTheStateOfMultipathConnections)
{
    // 10,000 queue pairs: 210 B, 418 bits and 193 bits; two bitmaps of 1024 bits.
    const auto uet = AccountMemory(GetDesign("uet").config);
    EXPECT_EQ(GetLine(uet, "queue pair contexts").designBytes, 2'100'000U);
    EXPECT_EQ(GetLine(uet, "context").designBytes, 0U); // Counted once.
    EXPECT_EQ(GetLine(uet, "NSCC").designBytes, 522'500U);
    EXPECT_EQ(GetLine(uet, "entropy values").designBytes, 241'250U);
    EXPECT_EQ(GetLine(uet, "bitmaps").designBytes, 2'560'000U);
    // 256 values of 34 bits.
    const auto mrc = AccountMemory(GetDesign("mrc").config);
    EXPECT_EQ(GetLine(mrc, "entropy profile").designBytes, 10'880'000U);
    EXPECT_EQ(GetLine(mrc, "bitmaps").designBytes, 2'560'000U);
}
