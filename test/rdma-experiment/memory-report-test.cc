// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/memory-report.h"

#include "ns3/input-error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{

nlohmann::json
Report(const std::string& nic, std::optional<uint32_t> queuePairs = {})
{
    return nlohmann::json::parse(MemoryReport(nic, queuePairs).WriteJson());
}

} // namespace

TEST(MemoryReport, ComparesDesignsByTheirPublishedMemory)
{
    // SRNIC section 6.1: 10 K / 4.4 MB against 256 / 2 MB is 17.8, "18x".
    const auto srnic = Report("srnic");
    EXPECT_NEAR(srnic["performant_per_mb"]["published"], 10'000 / 4.4, 0.1);
    EXPECT_NEAR(srnic["ratio_to_connectx5"]["published"], 17.76, 0.01);
    EXPECT_NEAR(Report("connectx5")["performant_per_mb"]["published"], 128, 1e-9);
    EXPECT_NEAR(Report("connectx5")["ratio_to_connectx5"]["published"], 1, 1e-9);
}

TEST(MemoryReport, SumsItsStructures)
{
    const auto report = Report("srnic");
    uint64_t built = 0;
    for (const auto& structure : report["structures"])
    {
        built += structure["built_bytes"].get<uint64_t>();
        EXPECT_EQ(structure["aligned_bytes"]["exact"], structure["design_bytes"]);
        EXPECT_EQ(structure["aligned_bytes"]["block-ram"], structure["built_bytes"]);
        EXPECT_EQ(structure["aligned_bytes"].size(), 4U);
    }
    EXPECT_EQ(report["total"]["built_bytes"], built);
    EXPECT_NEAR(report["performant_per_mb"]["built"], 10'000 / (built / 1048576.0), 1e-6);
}

TEST(MemoryReport, DoesNotCompareWhatIsNotPublished)
{
    const auto other = Report("srnic", 20'000);
    EXPECT_EQ(other["queue_pairs"], 20'000);
    EXPECT_TRUE(other["published_bytes"].is_null());
    EXPECT_TRUE(other["performant_per_mb"]["published"].is_null());
    // The tables of BALBOA are not all of its memory: no number per MB.
    EXPECT_TRUE(Report("balboa")["is_partial"]);
    EXPECT_TRUE(Report("balboa")["performant_per_mb"]["built"].is_null());
    EXPECT_TRUE(Report("connectx5")["performant_per_mb"]["built"].is_null());
}

TEST(MemoryReport, PrintsALineForEachStructure)
{
    std::ostringstream text;
    MemoryReport("srnic").WriteTable(text);
    for (const char* part : {"translation table",
                             "210 B x 10000 queue pairs",
                             "; instead: host memory (SRNIC section 4.4.2)",
                             "published: 4.400 MB",
                             "17.8x of connectx5"})
    {
        EXPECT_NE(text.str().find(part), std::string::npos) << part << " in\n" << text.str();
    }
}

TEST(MemoryReport, RefusesUnknownDesignsAndSizes)
{
    EXPECT_THROW(MemoryReport("srnik"), InputError);
    EXPECT_THROW(MemoryReport("srnic", 0), InputError);
    EXPECT_THROW(MemoryReport("srnic", (1U << 24U) + 1), InputError);
}
