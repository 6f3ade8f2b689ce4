// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/collective-report.h"
#include "ns3/key-reader.h"
#include "ns3/work-time.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

// Links of 100 Gb/s and 1 us, two from server to server: 80 ps per byte. Bytes on the wire with
// preamble, FCS and gap (24): 58 of headers, RETH 16 in the first packet, immediate data 4 in the
// last. Each message is processed for 1 us, so that acknowledgments delay nothing.
constexpr int64_t US{1'000'000};
constexpr int64_t BYTE{80};
constexpr int64_t HEAD{(58 + 24) * BYTE};
constexpr int64_t BARRIER_STEP{2 * (HEAD + (16 + 4) * BYTE + US) + US}; ///< Of 0 bytes.
constexpr int64_t PART{4096};
/// Four packets on the second link, after the first one has passed the first link.
constexpr int64_t PART_STEP{4 * HEAD + (16 + 4 + PART) * BYTE + HEAD + (16 + 1024) * BYTE + 3 * US};

const char* const COMPUTE{R"({"compute": "100us", "barrier": false})"};
const char* const SYNCHRONIZED{R"({"compute": "100us"})"};

class SequenceRun : public FolderTest
{
  protected:
    static std::string GetRing(int ranks, bool hasBarrier)
    {
        return R"({"collective": {"operation": "all-reduce", "size": )" +
               std::to_string(ranks * PART) + R"(}, "barrier": )" +
               (hasBarrier ? "true}" : "false}");
    }

    /// @param more keys of the workload, as "\"iterations\": 2"
    RunReport RunPhases(int servers,
                        const std::vector<std::string>& phases,
                        const std::string& more = R"("iterations": 1)") const
    {
        std::string list;
        for (const std::string& phase : phases)
        {
            list += (list.empty() ? "" : ", ") + phase;
        }
        const Scenario scenario =
            Read(R"({"name": "s", "fabric": {"topology": "star", "hostRate": "100Gbps",
                     "linkDelay": "1us", "servers": )" +
                 std::to_string(servers) + R"(}, "nics": [{"preset": "connectx6",
                     "attributes": {"ns3::rdma::RdmaNic::AckInterval": "1000000"}}],
                     "workload": {"type": "sequence", "processing": "1us", "phases": [)" +
                 list + "], " + more + "}}");
        RunReport report = RunScenario(scenario, scenario.nics[0]).report;
        EXPECT_TRUE(report.violations.empty());
        EXPECT_TRUE(report.parts.at(0).troubles.empty());
        return report;
    }

    /// @return by iteration and step.
    static const std::vector<IterationRecord>& GetRecords(const RunReport& report)
    {
        return FindCollectiveReport(report.parts)->communicators.at(0).iterations;
    }
};

TEST_F(SequenceRun, ComputingAndARingTwiceTakeTheSumOfTheirTimes)
{
    const RunReport report = RunPhases(4, {COMPUTE, GetRing(4, false)}, R"("iterations": 2)");
    const auto& records = GetRecords(report);
    const int64_t iteration = 100 * US + 2 * 3 * PART_STEP;
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].firstBegin, 0);
    EXPECT_EQ(records[0].end, 100 * US);
    EXPECT_EQ(records[1].firstBegin, 100 * US);
    EXPECT_EQ(records[1].end, iteration);
    EXPECT_EQ(records[2].firstBegin, iteration);
    EXPECT_EQ(records[3].end, 2 * iteration);
    const auto& summary = report.parts[0].summary;
    EXPECT_EQ(summary["completed"], 2);
    EXPECT_DOUBLE_EQ(summary["time_us"]["mean"].get<double>(), iteration / 1e6);
    EXPECT_DOUBLE_EQ(summary["phases"][0]["mean_us"].get<double>(), 100);
    EXPECT_DOUBLE_EQ(summary["phases"][1]["mean_us"].get<double>(), 6 * PART_STEP / 1e6);
}

TEST_F(SequenceRun, ABarrierTakesOneNotificationPerPowerOfTwo)
{
    int rounds = 0;
    for (const int ranks : {2, 3, 4, 5, 8, 9, 16, 31})
    {
        SCOPED_TRACE(ranks);
        rounds = static_cast<int>(std::ceil(std::log2(ranks)));
        const RunReport report = RunPhases(ranks, {SYNCHRONIZED, GetRing(ranks, true)});
        const auto& records = GetRecords(report); // Compute, barrier, ring, barrier.
        ASSERT_EQ(records.size(), 4U);
        EXPECT_EQ(records[1].firstBegin, 100 * US);
        EXPECT_EQ(records[1].end, 100 * US + rounds * BARRIER_STEP);
        EXPECT_EQ(records[2].firstBegin, records[2].lastBegin);
        EXPECT_EQ(records[2].end - records[2].firstBegin, 2 * (ranks - 1) * PART_STEP);
        EXPECT_EQ(records[3].end - records[2].end, rounds * BARRIER_STEP);
        EXPECT_DOUBLE_EQ(report.parts[0].summary["phases"][0]["barrier_us"].get<double>(),
                         rounds * BARRIER_STEP / 1e6);
    }
}

TEST_F(SequenceRun, AStragglerDelaysTheBarrierByExactlyItsTime)
{
    // Half as long again, and 7 us: 157 us instead of 100.
    for (const int ranks : {2, 5, 8})
    {
        for (int rank = 0; rank < ranks; ++rank)
        {
            SCOPED_TRACE(std::to_string(rank) + " of " + std::to_string(ranks));
            const RunReport report =
                RunPhases(ranks,
                          {SYNCHRONIZED, R"({"compute": "10us", "barrier": false})"},
                          R"("stragglers": [{"rank": )" + std::to_string(rank) +
                              R"(, "factor": 1.5, "added": "7us"}])");
            const auto& records = GetRecords(report);
            const int64_t barrier = std::ceil(std::log2(ranks)) * BARRIER_STEP;
            EXPECT_EQ(records[0].firstBegin, 0);
            EXPECT_EQ(records[0].end, 157 * US);
            EXPECT_EQ(records[0].slowest, static_cast<uint32_t>(rank));
            EXPECT_EQ(records[1].end, 157 * US + barrier);
            // No rank leaves the barrier before the last one has entered it.
            EXPECT_GE(records[2].firstBegin, 157 * US);
            EXPECT_EQ(records[2].lastBegin, 157 * US + barrier);
        }
    }
}

TEST_F(SequenceRun, FlowsOfAPhaseBeginTogether)
{
    // Rank 0 sends to 1, rank 2 to 1 as well: the shared link passes 8 packets one after the other.
    const RunReport report =
        RunPhases(4, {R"({"name": "load", "flows": [{"src": 0, "dst": 1, "bytes": 4096},
             {"src": 2, "dst": 1, "bytes": 4096}]})"});
    const auto& record = GetRecords(report)[0];
    EXPECT_EQ(record.firstBegin, 0);
    EXPECT_EQ(record.lastBegin, 0);
    EXPECT_EQ(record.end, PART_STEP + 4 * HEAD + (16 + 4 + PART) * BYTE);
    EXPECT_EQ(report.parts[0].summary["phases"][0]["name"], "load");
    EXPECT_EQ(report.parts[0].summary["phases"][0]["kind"], "flows");
}

TEST_F(SequenceRun, RowsNameIterationPhaseAndTimes)
{
    const RunReport report = RunPhases(
        2,
        {SYNCHRONIZED,
         R"({"name": "exchange", "flows": [{"src": 0, "dst": 1, "bytes": 0}], "barrier": false})"});
    std::ostringstream rows;
    const ResultTable& table = report.parts[0].tables.at(0);
    rows << table.schema->GetHeader();
    table.writeRows(rows, "");
    // The barrier of two ranks is one notification, 3.01632 us, as the message is.
    EXPECT_EQ(rows.str(),
              "iteration,phase,name,kind,start_ns,last_start_ns,end_ns,time_ns,barrier_ns,"
              "slowest_rank,slowest_server\n"
              "0,0,compute,compute,0,0,100000,100000,3016.32,0,0\n"
              "0,1,exchange,flows,103016.320,103016.320,106032.640,3016.320,,1,1\n");
}

TEST_F(SequenceRun, TimesOfARankDoNotDependOnOtherPhases)
{
    const std::string drawn{
        R"({"compute": {"time": "50us", "distribution": "lognormal", "variation": 0.5},
            "barrier": false})"};
    const RunReport alone = RunPhases(4, {drawn}, R"("iterations": 3)");
    const RunReport beside = RunPhases(4, {drawn, COMPUTE}, R"("iterations": 3)");
    for (std::size_t iteration = 0; iteration < 3; ++iteration)
    {
        // The last rank has computed as long, and before for 100 us in each earlier iteration.
        EXPECT_EQ(GetRecords(alone)[iteration].end + static_cast<int64_t>(iteration) * 100 * US,
                  GetRecords(beside)[2 * iteration].end);
    }
    // A second phase has other times: with the same ones its end would be twice as late.
    const RunReport twice = RunPhases(4, {drawn, drawn});
    EXPECT_EQ(GetRecords(twice)[0].end, GetRecords(alone)[0].end);
    EXPECT_NE(GetRecords(twice)[1].end, 2 * GetRecords(twice)[0].end);
}

/// Draws of a distribution, in means.
struct Draws
{
    Draws(const std::string& distribution, double variation)
    {
        nlohmann::json json{{"time", "1ms"}, {"distribution", distribution}};
        if (variation > 0)
        {
            json["variation"] = variation;
        }
        WorkTime work;
        ReadKeyed(JsonValue(json, "f", "$"), work, [](Keys& keys, WorkTime& one) {
            one.Visit(keys);
        });
        RandomStream stream(1, 2);
        for (int i = 0; i < COUNT; ++i)
        {
            const double draw = static_cast<double>(work.Draw(stream)) / 1e9;
            sum += draw;
            squares += draw * draw;
            least = std::min(least, draw);
            most = std::max(most, draw);
        }
        EXPECT_LE(most * 1e9, static_cast<double>(work.GetMost()));
    }

    static constexpr int COUNT{100'000};
    double sum{0};
    double squares{0};
    double least{1e9};
    double most{0};
};

TEST(WorkTime, DrawsHaveTheirMeanAndTheirVariation)
{
    const struct
    {
        const char* distribution;
        double variation; ///< As a key; 0: none.
        double deviation;
    } cases[]{{"constant", 0, 0},
              {"uniform", 0.3, 0.3},
              {"exponential", 0, 1},
              {"lognormal", 0.5, 0.5}};

    for (const auto& one : cases)
    {
        SCOPED_TRACE(one.distribution);
        const Draws draws(one.distribution, one.variation);
        const double mean = draws.sum / Draws::COUNT;
        // Four standard deviations of the mean of 100,000 draws.
        EXPECT_NEAR(mean, 1, 4 * one.deviation / std::sqrt(Draws::COUNT) + 1e-12);
        EXPECT_NEAR(std::sqrt(std::max(draws.squares / Draws::COUNT - mean * mean, 0.0)),
                    one.deviation,
                    0.02);
    }
    const Draws uniform("uniform", 0.3); // From 1 - 0.3 sqrt(3) to 1 + 0.3 sqrt(3).
    EXPECT_GE(uniform.least, 0.4803);
    EXPECT_LT(uniform.least, 0.4813);
    EXPECT_LE(uniform.most, 1.5197);
    EXPECT_GT(uniform.most, 1.5187);
}

} // namespace
