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

    /// 256 tokens for 4 experts each, of 16 ranks on 4 servers of a star, each with a NIC.
    /// @param local rate @param more keys of the workload
    RunReport RunOnServers(const std::string& local, const std::string& more) const
    {
        return RunIn(GetStar(4) + R"(, "nicsPerServer": 4)",
                     R"("tokens": 256, "topK": 4, "ranksPerServer": 4, "placement": "rail",
                        "local": {"latency": "1us", "rate": ")" +
                         local + R"("}, )" + more);
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

// Token k of rank (s, g), which is rank g of server s, is for the 4 ranks from 4 s + g + 1 + 4 k:
// of servers s + k and, unless g is 3, s + k + 1. With 256 tokens each server has 128 tokens of a
// rank, or 64 if g is 3, and each rank 64.
constexpr int64_t TOKEN{7168};
constexpr int64_t LATENCY{US}; ///< Inside a server.

const char* const RAIL_OF_PAIRS{R"("messages": "rank-pair", "stages": "rail")"};

TEST_F(MoeRun, ARailTakesTheBytesOfItsBusiestNicAndTheLastTokensWayInsideTheServer)
{
    // Tokens of 16 packets; 5 ps per byte inside servers. 3 * 128 messages and as many
    // acknowledgments; then the last token goes to 3 ranks, one after the other.
    constexpr int64_t LONG{65'536};
    const RunReport report = RunOnServers("1600Gbps", R"("hidden": 65536, "stages": "rail")");
    const int64_t nic = 3 * 128 * (GetWireBytes(LONG) + ACK) * PS_PER_BYTE;
    const int64_t last = 3 * LONG * 5 + LATENCY;
    EXPECT_NEAR(GetTime(report, 0) / static_cast<double>(nic + last), 1, 0.01);
    EXPECT_NEAR(GetTime(report, 1) / GetTime(report, 0), 2, 0.02);
}

TEST_F(MoeRun, MessagesPerPairEndTogetherAndAreForwardedAtTheEnd)
{
    // 3 messages of 128 tokens to other servers, and 3 acknowledgments. The NIC sends packets of
    // the 3 queue pairs in turn, so that all of a rank's messages arrive at the end. It forwards 64
    // tokens of each to 3 ranks.
    const RunReport report = RunOnServers("1600Gbps", RAIL_OF_PAIRS);
    const int64_t nic = 3 * (GetWireBytes(128 * TOKEN) + ACK) * PS_PER_BYTE;
    const int64_t forwarding = 3 * 64 * TOKEN * 5; // Of one message.
    const auto dispatch = static_cast<double>(nic + 3 * forwarding + LATENCY);
    EXPECT_NEAR(GetTime(report, 0) / dispatch, 1, 0.01);
    // In combine, ranks send the tokens of one server to all rails, then those of the next: the
    // NICs begin after the first ones.
    const auto combine = static_cast<double>(2 * nic + 2 * forwarding + LATENCY);
    EXPECT_NEAR(GetTime(report, 1) / combine, 1, 0.01);
    // The bound has the forwarding of one message in dispatch, and in combine one message to the
    // rail, which is a third of it.
    const auto bound = static_cast<double>(3 * nic + forwarding + 2 * forwarding / 3 + 2 * LATENCY);
    const auto& summary = report.parts[0].summary["moe"];
    EXPECT_NEAR(summary["empty_network_us"].get<double>() * US / bound, 1, 0.01);
    const int64_t rail = 12 * 3 * 128 + 4 * 3 * 64; // Tokens of ranks with g < 3, and g = 3.
    const int64_t local = 16 * 4 * 3 * 64;          // Tokens of 4 servers for 3 ranks.
    EXPECT_EQ(summary["dispatch_bytes"], (rail + local) * TOKEN);
    EXPECT_EQ(summary["local_dispatch_bytes"], local * TOKEN);
    EXPECT_EQ(summary["combine_bytes"], 2 * (rail + local) * TOKEN);
    EXPECT_EQ(summary["local_combine_bytes"], 2 * local * TOKEN);
}

TEST_F(MoeRun, WithoutARailATokenPassesTheNicForEachOfItsRanks)
{
    // 64 tokens for each of the 12 ranks of other servers.
    const RunReport report = RunOnServers("1600Gbps", R"("messages": "rank-pair")");
    const int64_t nic = 12 * (GetWireBytes(64 * TOKEN) + ACK) * PS_PER_BYTE;
    EXPECT_NEAR(GetTime(report, 0) / static_cast<double>(nic), 1, 0.01);
    const auto& summary = report.parts[0].summary["moe"];
    EXPECT_EQ(summary["local_dispatch_bytes"], 16 * 3 * 64 * TOKEN); // For the own server only.
    EXPECT_EQ(summary["dispatch_bytes"], 16 * 15 * 64 * TOKEN);
}

TEST_F(MoeRun, ASlowLinkInsideTheServerIsTheBound)
{
    // At 20 Gb/s, 400 ps per byte, a rank's own tokens for its server (3 ranks) take longer than
    // all messages of the rail. It then forwards those of 3 servers without a pause. In combine the
    // tokens for the own server are last, and the rail ends before them.
    const RunReport report = RunOnServers("20Gbps", RAIL_OF_PAIRS);
    const int64_t local = 4 * 3 * 64 * TOKEN * 400;
    EXPECT_NEAR(GetTime(report, 0) / static_cast<double>(local + LATENCY), 1, 0.001);
    EXPECT_NEAR(GetTime(report, 1) / static_cast<double>(2 * local + LATENCY), 1, 0.001);
    const auto& summary = report.parts[0].summary["moe"];
    EXPECT_NEAR(summary["empty_network_us"].get<double>() * US / (3.0 * local), 1, 0.001);
}

TEST_F(MoeRun, ATokenIsForwardedWhenItHasArrivedAndItsResultReturnedTheSameWay)
{
    // 3 tokens of 500 bytes of rank (0, 0) for rank (1, 1), by way of (1, 0): one packet, stored
    // and forwarded once over two links; then 10 ps per byte and 1 us. Combine is the reverse with
    // twice the bytes, still one packet.
    const auto getWay = [](int64_t bytes) {
        return 2 * GetWireBytes(bytes) * PS_PER_BYTE + 2 * 10'000 + bytes * 10 + US;
    };
    const RunReport report =
        RunIn(GetStar(2),
              R"("tokens": 3, "topK": 1, "hidden": 500, "routing": "matrix", "iterations": 2,
                 "matrix": [[0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
                 "messages": "rank-pair", "stages": "rail", "ranksPerServer": 2,
                 "local": {"rate": "800Gbps", "latency": "1us"}, "expertTime": "50us")");
    EXPECT_EQ(GetRecord(report, 0).end, getWay(1500));
    EXPECT_EQ(GetRecord(report, 2).end, getWay(1500) + 50 * US + getWay(3000));
    EXPECT_EQ(report.parts[0].summary["completed"], 2);
    // The bound is exact if each link has one message.
    const double bound = report.parts[0].summary["moe"]["empty_network_us"].get<double>();
    EXPECT_NEAR(bound * US, static_cast<double>(getWay(1500) + getWay(3000)), 1);
}

TEST_F(MoeRun, MessagesOfLayersThatShareQueuePairsAreCountedForTheirOwnStage)
{
    // Zipf routing: other numbers of messages in each direction, and pairs with none in one of
    // them. A message that were counted for another stage would leave a rank waiting.
    for (const char* const more : {R"("messages": "token")",
                                   R"("messages": "rank-pair")",
                                   R"("messages": "token", "stages": "rail")",
                                   R"("messages": "rank-pair", "stages": "rail")"})
    {
        const bool isRail = std::string(more).find("stages") != std::string::npos;
        const std::string servers =
            isRail ? R"(, "ranksPerServer": 3, "local": {"rate": "400Gbps", "latency": "1us"})"
                   : "";
        const RunReport report =
            RunIn(GetStar(isRail ? 3 : 9),
                  R"("tokens": 5, "topK": 2, "expertsPerRank": 3, "hidden": 1000, "iterations": 4,
                     "routing": "zipf", "zipf": 1.5, "queuePairs": 2, )" +
                      std::string(more) + servers);
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
