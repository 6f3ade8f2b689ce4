// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/rpc-report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

// Links of 100 Gb/s and 10 ns, two from server to server: 80 ps per byte. 58 bytes of headers and
// 24 of preamble, FCS and gap per packet; RETH 16 in WRITEs and READ requests, AETH 4 in
// acknowledgments and READ responses.
constexpr int64_t BYTE{80};
constexpr int64_t DELAY{10'000};
constexpr int64_t US{1'000'000};
constexpr int64_t HEAD{(58 + 24) * BYTE};
constexpr int64_t BLOCK{4096}; ///< 16 tokens of 256 bytes.
constexpr int64_t WRITE{HEAD + (16 + BLOCK) * BYTE};
constexpr int64_t RESPONSE{HEAD + (4 + BLOCK) * BYTE};
constexpr int64_t ACK{2 * (HEAD + 4 * BYTE + DELAY)};      ///< Over both links.
constexpr int64_t REQUEST{2 * (HEAD + 16 * BYTE + DELAY)}; ///< Over both links.

/// @return the time of packets that follow each other over both links.
constexpr int64_t
GetWay(int64_t packet, int64_t packets)
{
    return (packets + 1) * packet + 2 * DELAY;
}

class TransferRun : public FolderTest
{
  protected:
    /// Prompts of 40 tokens have 3 blocks in each of 2 layers, which are ready at 100 and 200 us.
    /// No request begins after 150 us.
    static constexpr const char* CACHE{R"("promptTokens": 40, "tokenBytes": 256, "layers": 2,
                                          "layerTime": "100us", "duration": "150us")"};

    /// @param more, @param cache keys of the workload
    std::vector<RpcRecord> RunKeys(const std::string& more,
                                   const std::string& cache = CACHE,
                                   int nics = 1) const
    {
        const Scenario scenario = Read(
            R"({"name": "t", "fabric": {"topology": "star", "servers": 2, "hostRate": "100Gbps",
                     "linkDelay": "10ns", "mtu": 4096, "nicsPerServer": )" +
            std::to_string(nics) +
            R"(}, "nics": ["connectx6"], "groups": {"p": [0], "d": [1]},
                 "workload": {"type": "transfer", "prefill": "p", "decode": "d", )" +
            cache + ", " + more + "}}");
        const RunReport report = RunScenario(scenario, scenario.nics[0]).report;
        EXPECT_TRUE(report.violations.empty());
        EXPECT_TRUE(report.parts.at(0).troubles.empty());
        return FindRpcReport(report.parts)->records;
    }
};

TEST_F(TransferRun, APushEndsWithTheAcknowledgmentOfTheLastBlock)
{
    const auto records = RunKeys(R"("queuePairs": 1)");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].client, 0U); // The server that prefills posts.
    EXPECT_EQ(records[0].server, 1U);
    EXPECT_EQ(records[0].bytes, 6U * BLOCK); // The third block is moved whole.
    EXPECT_EQ(records[0].probes, 6U);        // Slices.
    EXPECT_EQ(records[0].status, RpcStatus::OK);
    EXPECT_EQ(records[0].latencyPs, 200 * US + GetWay(WRITE, 3) + ACK);
}

TEST_F(TransferRun, APullEndsWithTheLastByteOfTheLastBlock)
{
    const auto records = RunKeys(R"("queuePairs": 1, "direction": "pull")");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].client, 1U); // The server that decodes posts.
    EXPECT_EQ(records[0].server, 0U);
    EXPECT_EQ(records[0].latencyPs, 200 * US + REQUEST + GetWay(RESPONSE, 3));
}

TEST_F(TransferRun, ACorePostsOneSliceAfterTheOther)
{
    // 1 us for each of the last layer's three slices, and the way of the third.
    const auto records = RunKeys(R"("queuePairs": 1, "postTime": "1us")");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].latencyPs, 203 * US + GetWay(WRITE, 1) + ACK);
    // Slices of 1 KiB: 12, of which the first 1 KiB of payload is as long as the last.
    const auto slices = RunKeys(R"("queuePairs": 1, "postTime": "1us", "sliceBytes": "1KiB")");
    EXPECT_EQ(slices[0].probes, 24U);
    EXPECT_EQ(slices[0].latencyPs, 212 * US + GetWay(HEAD + (16 + 1024) * BYTE, 1) + ACK);
}

TEST_F(TransferRun, AFullQueuePairWaitsForACompletion)
{
    // One work request at a time: three round trips after the last layer is ready.
    const auto records = RunKeys(R"("queuePairs": 1, "outstanding": 1)");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].latencyPs, 200 * US + 3 * (GetWay(WRITE, 1) + ACK));
}

TEST_F(TransferRun, AClosedLoopBeginsWhenARequestHasEnded)
{
    const auto records = RunKeys(R"("queuePairs": 1, "concurrent": 2)",
                                 R"("promptTokens": 40, "tokenBytes": 256, "layers": 2,
                                    "layerTime": "10us", "duration": "30us")");
    // Two at 0, and two when these have ended after more than 20 us; those end after the duration.
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].startPs, 0);
    EXPECT_EQ(records[1].startPs, 0);
    EXPECT_GE(records[2].startPs, 20 * US);
    EXPECT_EQ(records[2].startPs, records[0].latencyPs);
}

TEST_F(TransferRun, QueuePairsUseAllNicsOfAServer)
{
    // 64 slices of 64 KiB: 16 packets of WRITE size each, on one NIC or on two.
    const std::string cache = R"("tokenBytes": "64KiB", "promptTokens": 64, "layers": 1,
                                 "layerTime": "100us", "duration": "150us")";
    const auto one = RunKeys(R"("queuePairs": 1)", cache, 2);
    const auto two = RunKeys(R"("queuePairs": 2)", cache, 2);
    const auto getTime = [](const std::vector<RpcRecord>& records) {
        return static_cast<double>(records.at(0).latencyPs - 100 * US);
    };
    const double bytes = 64.0 * 16 * static_cast<double>(HEAD + BLOCK * BYTE);
    EXPECT_NEAR(getTime(one) / bytes, 1, 0.02);
    EXPECT_NEAR(getTime(two) / (bytes / 2), 1, 0.02);
}

} // namespace
