// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/resource-report.h"

#include "ns3/balboa-resource-account.h"
#include "ns3/input-error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{
const ResourceLine&
GetLine(const std::vector<ResourceLine>& lines, const std::string& name)
{
    for (const ResourceLine& line : lines)
    {
        if (line.name == name)
        {
            return line;
        }
    }
    throw std::out_of_range(name);
}

double
GetBlocks(uint32_t queuePairs, uint32_t tlbEntries, uint32_t busBytes)
{
    return AccountResources({queuePairs, tlbEntries, busBytes}).back().blocks;
}

std::string
GetFault(const std::string& nic, const ResourceReport::Changes& changes)
{
    try
    {
        ResourceReport(nic, changes);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}
} // namespace

TEST(ResourceAccount, HasTheSumsOfTable3)
{
    const ResourceLine slow = AccountResources({500, 16384, 8}).back();
    EXPECT_DOUBLE_EQ(*slow.luts, 92'000);
    EXPECT_DOUBLE_EQ(slow.blocks, 181);
    EXPECT_DOUBLE_EQ(*slow.flipFlops, 115'000);
    EXPECT_EQ(slow.basis, ResourceBasis::STATED);
    const ResourceLine fast = AccountResources({500, 16384, 64}).back();
    EXPECT_DOUBLE_EQ(*fast.luts, 122'000);
    EXPECT_DOUBLE_EQ(fast.blocks, 402);
    EXPECT_DOUBLE_EQ(*fast.flipFlops, 214'000);
    // The paper's shares of the XCVU9P: 7.8, 8.4, 4.8 % and 10.3, 18.6, 9.1 %.
    EXPECT_NEAR(100 * *slow.luts / GetVcu118().luts, 7.8, 0.06);
    EXPECT_NEAR(100 * slow.blocks / GetVcu118().blocks, 8.4, 0.06);
    EXPECT_NEAR(100 * *slow.flipFlops / GetVcu118().flipFlops, 4.8, 0.07);
    EXPECT_NEAR(100 * *fast.luts / GetVcu118().luts, 10.3, 0.06);
    EXPECT_NEAR(100 * fast.blocks / GetVcu118().blocks, 18.6, 0.06);
    EXPECT_NEAR(100 * *fast.flipFlops / GetVcu118().flipFlops, 9.1, 0.06);
}

TEST(ResourceAccount, LinesAddUp)
{
    for (const uint32_t queuePairs : {1, 500, 16'000})
    {
        const std::vector<ResourceLine> lines = AccountResources({queuePairs, 4096, 16});
        double sum = 0;
        for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        {
            sum += lines[i].blocks;
        }
        EXPECT_DOUBLE_EQ(sum, lines.back().blocks);
    }
}

TEST(ResourceAccount, CountsTheTlbInBlocks)
{
    // 16,384 x 48 bit: blocks of 18 Kb hold 16,384 x 1, 48 of them, or 512 x 36 and 1024 x 18,
    // which is 32 + 16 rows of blocks more: 48 are the least, 24 of 36 Kb.
    EXPECT_DOUBLE_EQ(GetLine(AccountResources({500, 16384, 8}), "TLB").blocks, 24);
    EXPECT_DOUBLE_EQ(GetBlocks(500, 32768, 8) - GetBlocks(500, 16384, 8), 24);
}

TEST(ResourceAccount, GrowsLinearlyWithTheQueuePairsAsThePaperSays)
{
    // Section 6.1: from 9 % to 20 % of the 1470 blocks of an XC7VX690T (AMD DS180), each rounded to
    // 1 %, with 15,500 queue pairs more: 385 bits each, between 350 and 420.
    const double bits = 0.11 * 1470 * 36'864 / 15'500;
    EXPECT_NEAR(bits, 385, 1);
    EXPECT_NEAR(GetQueuePairBits(), bits, 0.01 * 1470 * 36'864 / 15'500);
    // In whole blocks that is a little more.
    const double growth = GetBlocks(16'000, 16384, 8) - GetBlocks(500, 16384, 8);
    EXPECT_GT(growth, 15'500.0 * GetQueuePairBits() / 36'864);
    EXPECT_LT(growth, 0.14 * 1470);
    // Twice as many take twice the blocks, where they fill them.
    const double half = GetBlocks(8192, 16384, 8) - GetBlocks(4096, 16384, 8);
    const double whole = GetBlocks(16'000, 16384, 8) - GetBlocks(8192, 16384, 8);
    EXPECT_NEAR(whole / half, 2, 0.15);
}

TEST(ResourceAccount, KeepsLogicAndRegistersWhenQueuePairsGrow)
{
    const ResourceLine few = AccountResources({500, 16384, 64}).back();
    const ResourceLine many = AccountResources({16'000, 16384, 64}).back();
    EXPECT_DOUBLE_EQ(*few.luts, *many.luts); // Section 6.1: within 1 %.
    EXPECT_DOUBLE_EQ(*few.flipFlops, *many.flipFlops);
    EXPECT_EQ(many.basis, ResourceBasis::SUM);
}

TEST(ResourceAccount, FitsOtherWidthsBetweenTheTwoVersions)
{
    // 32 B is 24/56 of the way: 92 K + 30 K x 24 / 56.
    const ResourceLine line = AccountResources({500, 16384, 32}).back();
    EXPECT_DOUBLE_EQ(*line.luts, 92'000 + 30'000 * 24.0 / 56);
    EXPECT_DOUBLE_EQ(line.blocks, 181 + 221 * 24.0 / 56);
    EXPECT_EQ(line.basis, ResourceBasis::FITTED);
}

TEST(BalboaResourceAccount, HasTheRowsOfTable2)
{
    const auto lines = AccountBalboaResources({500, {}});
    EXPECT_DOUBLE_EQ(*lines.back().luts, 43'732);
    EXPECT_DOUBLE_EQ(lines.back().blocks, 101);
    EXPECT_DOUBLE_EQ(*lines.back().flipFlops, 102'988);
    // Packet processing as a whole: 29,897, 66 and 75,053; the rounding of the table leaves 1 LUT.
    double luts = 0;
    double blocks = 0;
    for (const char* name : {"connection table",
                             "state table",
                             "transport timer",
                             "MSN table",
                             "packet processing, rest"})
    {
        luts += *GetLine(lines, name).luts;
        blocks += GetLine(lines, name).blocks;
    }
    EXPECT_NEAR(luts, 29'897, 1);
    EXPECT_DOUBLE_EQ(blocks, 66);
    // Shares of the XCU55C: 3.4, 5.1 (5.01 to the digit) and 4 %.
    EXPECT_NEAR(100 * *lines.back().luts / GetU55c().luts, 3.4, 0.06);
    EXPECT_NEAR(100 * lines.back().blocks / GetU55c().blocks, 5.1, 0.1);
    EXPECT_NEAR(100 * *lines.back().flipFlops / GetU55c().flipFlops, 4, 0.06);
}

TEST(BalboaResourceAccount, TablesGrowWithQueuePairsAndServicesWithSlots)
{
    // 18 blocks hold 512 queue pairs: 1 + 4 + 6 + 2 + 5; 1024 take as many again.
    EXPECT_DOUBLE_EQ(AccountBalboaResources({512, {}}).back().blocks, 101);
    EXPECT_DOUBLE_EQ(AccountBalboaResources({513, {}}).back().blocks, 101 + 18);
    EXPECT_DOUBLE_EQ(AccountBalboaResources({2000, {}}).back().blocks, 101 + 3 * 18);
    const ResourceLine with = AccountBalboaResources({500, {"aes", "aes", "dpi"}}).back();
    EXPECT_DOUBLE_EQ(*with.luts, 43'732 + 2 * 65'662 + 54'404);
    EXPECT_DOUBLE_EQ(*with.flipFlops, 102'988 + 2 * 11'669 + 40'508);
    EXPECT_DOUBLE_EQ(with.blocks, 101);
}

TEST(ResourceReport, TakesThePresetsNumbers)
{
    EXPECT_EQ(ResourceReport("strom10g", {}).GetConfig().busBytes, 8);
    const ResourceReport report("strom100g", {});
    EXPECT_EQ(report.GetConfig().busBytes, 64);
    EXPECT_EQ(report.GetConfig().queuePairs, 500);
    EXPECT_EQ(report.GetConfig().tlbEntries, 16384);
    std::ostringstream table;
    report.WriteTable(table);
    EXPECT_NE(table.str().find("stated: Table 3"), std::string::npos) << table.str();
    EXPECT_NE(table.str().find("18.6 %"), std::string::npos) << table.str();
    const auto json = nlohmann::json::parse(report.WriteJson());
    EXPECT_EQ(json["modules"].back()["luts"], 122'000);
    EXPECT_EQ(json["modules"].back()["basis"], "stated");
    EXPECT_EQ(json["modules"].front()["luts"], nullptr);
}

TEST(ResourceReport, SaysWhatIsWrong)
{
    EXPECT_EQ(GetFault("strom10g", {}), "");
    EXPECT_EQ(GetFault("srnic", {}),
              "list resources: --nic: expected balboa, strom10g or strom100g, got srnic");
    EXPECT_EQ(GetFault("balboa", {{}, 1024, {}, ""}),
              "list resources: --tlb-entries: expected strom10g or strom100g, got balboa");
    EXPECT_EQ(GetFault("balboa", {{}, {}, {}, "aes,des"}),
              "list resources: --services: expected a list of aes and dpi, got aes,des");
    EXPECT_EQ(GetFault("strom10g", {{}, {}, {}, "aes"}),
              "list resources: --services: expected balboa, got strom10g");
    ResourceReport::Changes changes;
    changes.queuePairs = 16'001;
    EXPECT_EQ(GetFault("strom10g", changes),
              "list resources: --qps: expected 1 to 16000, got 16001");
    changes.queuePairs.reset();
    changes.busBytes = 24;
    EXPECT_EQ(GetFault("strom10g", changes),
              "list resources: --bus-bytes: expected 8, 16, 32 or 64, got 24");
    changes.busBytes.reset();
    changes.tlbEntries = 0;
    EXPECT_EQ(GetFault("strom10g", changes),
              "list resources: --tlb-entries: expected 1 to 1048576, got 0");
}
