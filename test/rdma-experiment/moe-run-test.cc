// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/collective-report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr int64_t PS_PER_BYTE{80}; ///< 100 Gb/s.
constexpr int64_t US{1'000'000};
constexpr int64_t ACK{58 + 24 + 4}; ///< With AETH.

/// Bytes on the wire of a message, with an MTU of 4096: 58 of headers and 24 of preamble, FCS and
/// gap per packet, RETH 16 in the first, immediate data 4 in the last.
int64_t
GetWireBytes(int64_t bytes)
{
    return (bytes + 4095) / 4096 * (58 + 24) + 16 + 4 + bytes;
}

class MoeRun : public FolderTest
{
  protected:
    /// @param fabric, @param more keys of the fabric and of the workload
    RunReport RunIn(const std::string& fabric,
                    const std::string& more,
                    const std::string& preset = "connectx6") const
    {
        const Scenario scenario = Read(
            R"({"name": "m", "fabric": {"hostRate": "100Gbps", "linkDelay": "10ns", "mtu": 4096, )" +
            fabric + R"(}, "nics": [{"preset": ")" + preset +
            R"(", "attributes": {"ns3::rdma::RdmaNic::AckInterval": "1000000"}}],
                 "workload": {"type": "moe", )" +
            more + "}}");
        RunReport report = RunScenario(scenario, scenario.nics[0]).report;
        EXPECT_TRUE(report.violations.empty());
        EXPECT_TRUE(report.parts.at(0).troubles.empty());
        return report;
    }

    static std::string GetStar(int servers)
    {
        return R"("topology": "star", "servers": )" + std::to_string(servers);
    }

    static const IterationRecord& GetRecord(const RunReport& report, std::size_t step)
    {
        return FindCollectiveReport(report.parts)->communicators.at(0).iterations.at(step);
    }

    static double GetTime(const RunReport& report, std::size_t step)
    {
        const IterationRecord& record = GetRecord(report, step);
        return static_cast<double>(record.end - record.firstBegin);
    }

    /// A layer of 8 experts per token whose routing is equal takes the bytes of a NIC over its
    /// rate. Each NIC sends the messages of its tokens for other ranks, (n - 1)/n of them, and an
    /// acknowledgment for each message that it receives. @param hidden bytes of a token
    static void ExpectBusiestNic(const RunReport& report, int ranks, int tokens, int64_t hidden)
    {
        const int64_t messages = int64_t{ranks - 1} * tokens * 8 / ranks;
        const auto dispatch =
            static_cast<double>(messages * (GetWireBytes(hidden) + ACK) * PS_PER_BYTE);
        const auto combine =
            static_cast<double>(messages * (GetWireBytes(2 * hidden) + ACK) * PS_PER_BYTE);
        EXPECT_NEAR(GetTime(report, 0) / dispatch, 1, 0.01);
        EXPECT_NEAR(GetTime(report, 1) / combine, 1, 0.01);
        const auto& summary = report.parts[0].summary["moe"];
        EXPECT_EQ(summary["dispatch_bytes"], ranks * messages * hidden);
        EXPECT_EQ(summary["combine_bytes"], 2 * ranks * messages * hidden);
        EXPECT_EQ(summary["imbalance"], 1);
    }
};

TEST_F(MoeRun, EqualRoutingTakesTheBytesOfTheBusiestNicOverItsRate)
{
    for (const auto& [ranks, tokens] : {std::pair(8, 64), {16, 64}, {64, 32}})
    {
        SCOPED_TRACE(ranks);
        const RunReport report =
            RunIn(GetStar(ranks), R"("hidden": 7168, "tokens": )" + std::to_string(tokens));
        ExpectBusiestNic(report, ranks, tokens, 7168);
    }
}

TEST_F(MoeRun, MessagesOfLayersThatShareQueuePairsAreCountedForTheirOwnStage)
{
    // Zipf routing: other numbers of messages in each direction, and pairs with none in one of
    // them. A message that were counted for another stage would leave a rank waiting.
    for (const char* const messages : {"token", "rank-pair"})
    {
        const RunReport report =
            RunIn(GetStar(9),
                  R"("tokens": 5, "topK": 2, "expertsPerRank": 3, "hidden": 1000, "iterations": 4,
                     "routing": "zipf", "zipf": 1.5, "messages": ")" +
                      std::string(messages) + '"');
        EXPECT_EQ(report.parts[0].summary["completed"], 4);
        for (std::size_t step = 0; step < 8; ++step)
        {
            EXPECT_EQ(GetRecord(report, step).ranksDone, 9U);
        }
    }
}

TEST_F(MoeRun, ExpertsComputeBetweenDispatchAndCombineForEachToken)
{
    // Three tokens of rank 0 for the experts of rank 1: one packet each, stored and forwarded once,
    // over two links. Then 50 us and 1 us per token, and the way back with twice the bytes.
    const auto getWay = [](int64_t bytes) {
        return 4 * GetWireBytes(bytes) * PS_PER_BYTE + 2 * 10'000;
    };
    const RunReport report = RunIn(GetStar(2),
                                   R"("tokens": 3, "topK": 1, "hidden": 1000, "routing": "matrix",
                                      "matrix": [[0, 3], [0, 0]], "expertTime": "50us",
                                      "tokenTime": "1us")");
    EXPECT_EQ(GetRecord(report, 0).end, getWay(1000));
    EXPECT_EQ(GetRecord(report, 1).end, getWay(1000) + 53 * US);
    EXPECT_EQ(GetRecord(report, 2).end, getWay(1000) + 53 * US + getWay(2000));
    const auto& phases = report.parts[0].summary["phases"];
    EXPECT_EQ(phases[1]["name"], "experts");
    EXPECT_EQ(phases[1]["kind"], "compute");
    EXPECT_EQ(report.parts[0].summary["moe"]["imbalance"], 2); // 3 and 0, of a mean of 1.5.
}

} // namespace
