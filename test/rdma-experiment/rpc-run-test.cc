// SPDX-License-Identifier: GPL-2.0-only
#include "rpc-fixture.h"

#include "ns3/kernel-tcp.h"

#include <algorithm>
#include <set>

namespace ns3::rdma
{
namespace
{

/// All ways of a GET.
const std::vector<std::string> REQUESTS{"get-kernel", "traversal-kernel", "read", "tcp"};

class RpcRun : public RpcTest
{
  protected:
    /// One request between two hosts on a cable of 1 us, hardware off, of a table with one key.
    int64_t GetLoneLatency(const std::string& request,
                           const std::vector<std::string>& others = {}) const
    {
        std::vector<std::string> sets{R"(fabric={"topology": "back-to-back", "linkDelay": "1us"})",
                                      R"(groups={"stores": [[1, 1]], "clients": [[0, 0]]})",
                                      "workload.request=" + request,
                                      "workload.outstanding=1",
                                      "workload.keys=1",
                                      "workload.duration=1us"};
        sets.insert(sets.end(), others.begin(), others.end());
        const RunReport report = RunGets(sets);
        EXPECT_EQ(FindRpcReport(report.parts)->records.size(), 1U);
        return FindRpcReport(report.parts)->records[0].latencyPs;
    }

    /// Preamble 8, FCS 4, gap 12; Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4.
    static constexpr int64_t HEADERS{82};
    static constexpr int64_t PS_PER_BYTE{80}; ///< At 100 Gb/s.
};

/// Every request has ended, and rightly. @param least answers
void
ExpectAllAnswered(const RunReport& report, std::size_t least = 31)
{
    ASSERT_TRUE(FindRpcReport(report.parts));
    EXPECT_GE(FindRpcReport(report.parts)->records.size(), least);
    EXPECT_EQ(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::OK) +
                  FindRpcReport(report.parts)->totals.GetCount(RpcStatus::NOT_FOUND),
              FindRpcReport(report.parts)->records.size());
    EXPECT_TRUE(report.violations.empty());
}

/// 4 clients x 3 requests start at once, each ends after its latency, and the next one of its
/// client starts then, for 100 us.
void
ExpectAnswersOfAClosedLoop(const std::vector<RpcRecord>& records, const std::string& request)
{
    constexpr int64_t LOOPS{12};
    const auto answers = static_cast<int64_t>(records.size());
    if (request == "tcp")
    {
        // A lone GET takes 47 us, 4 us of them on links: for each of the two messages 0.6 us of
        // system calls, 3.15 us of segments and packets, 11 us of moderation, interrupt and
        // wake-up; idle exits of 2 us and 10 us; 1 us of the RPC library. A server's core works
        // 4.4 us for a call: even if one server had all 12, the last first answer would come after
        // 47 + 11 x 4.4 = 95 us, so each loop starts a second request. A third one starts only if
        // the first two waited for less than 100 - 2 x 47 = 6 us: two of each server's.
        EXPECT_GE(answers, 2 * LOOPS);
        EXPECT_LE(answers, 2 * LOOPS + 4);
        return;
    }
    int64_t least = INT64_MAX;
    for (const RpcRecord& record : records)
    {
        least = std::min(least, record.latencyPs);
    }
    // Without waiting each loop starts one request per latency. The first 12 wait for each other,
    // and later ones seldom: together at most one request of each loop is missing.
    const int64_t most = LOOPS * ((100'000'000 + least - 1) / least);
    EXPECT_LE(answers, most);
    EXPECT_GE(answers, most - LOOPS);
}

TEST_F(RpcRun, EveryAnswerIsTheKeysValue)
{
    for (const std::string& request : REQUESTS)
    {
        for (const char* hardware : {"off", "on"})
        {
            const RunReport report =
                RunGets({"workload.request=" + request,
                         std::string(R"(nics=[{"preset": "strom100g", "hardware": ")") + hardware +
                             "\"}]"});
            SCOPED_TRACE(request + hardware);
            ExpectAllAnswered(report, request == "tcp" ? 24 : 31);
            ExpectAnswersOfAClosedLoop(FindRpcReport(report.parts)->records, request);
            for (const RpcRecord& record : FindRpcReport(report.parts)->records)
            {
                EXPECT_EQ(record.bytes, 256U);
                EXPECT_GE(record.probes, 1U);
            }
        }
    }
}

TEST_F(RpcRun, ValuesOfSeveralPacketsAreWhole)
{
    for (const std::string& request : REQUESTS)
    {
        SCOPED_TRACE(request);
        ExpectAllAnswered(RunGets({"workload.request=" + request,
                                   "workload.valueBytes=5000B",
                                   "workload.duration=300us"}));
    }
}

TEST_F(RpcRun, AbsentKeysAreNotFound)
{
    for (const std::string& request : REQUESTS)
    {
        SCOPED_TRACE(request);
        const RunReport report = RunGets({"workload.request=" + request,
                                          "workload.absent=0.5",
                                          "workload.occupancy=0.9",
                                          "workload.duration=300us"});
        ExpectAllAnswered(report);
        const double all = static_cast<double>(FindRpcReport(report.parts)->records.size());
        // Within four standard deviations of the share.
        EXPECT_NEAR(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::NOT_FOUND) / all,
                    0.5,
                    4 * 0.5 / sqrt(all));
        const auto& records = FindRpcReport(report.parts)->records;
        const bool hasSecondLook =
            std::any_of(records.begin(), records.end(), [](const RpcRecord& record) {
                return record.status == RpcStatus::OK && record.probes > 1;
            });
        EXPECT_EQ(hasSecondLook, request != "tcp"); // There the server looks on by itself.
    }
}

TEST_F(RpcRun, LostPacketsAreRecovered)
{
    for (const std::string& request : REQUESTS)
    {
        for (const char* hardware : {"off", "on"})
        {
            SCOPED_TRACE(request + hardware);
            const RunReport report =
                RunGets({"workload.request=" + request,
                         "fabric.lossRate=0.01",
                         "workload.duration=1ms",
                         std::string(R"(nics=[{"preset": "strom100g", "hardware": ")") + hardware +
                             "\"}]"});
            ExpectAllAnswered(report);
            EXPECT_GT(report.drops.at("link-loss"), 0U);
        }
    }
}

TEST_F(RpcRun, KernelsRunOnNicsOfOtherTransports)
{
    for (const std::string preset : {"srnic", "connectx6", "connectx7"})
    {
        for (const char* hardware : {"off", "on"})
        {
            for (const char* request : {"get-kernel", "traversal-kernel"})
            {
                SCOPED_TRACE(preset + hardware + request);
                const RunReport report = RunGets(
                    {std::string("workload.request=") + request,
                     "fabric.pfc=false",
                     "fabric.lossRate=0.005",
                     "workload.duration=300us",
                     R"(nics=[{"preset": ")" + preset + R"(", "hardware": ")" + hardware + "\"}]"});
                ExpectAllAnswered(report);
                EXPECT_GT(report.drops.at("link-loss"), 0U);
            }
        }
    }
}

TEST_F(RpcRun, AClosedLoopKeepsItsNumberUnderWay)
{
    const RunReport report = RunGets();
    for (uint32_t client = 2; client <= 5; ++client)
    {
        std::vector<std::pair<int64_t, int>> changes;
        for (const RpcRecord& record : FindRpcReport(report.parts)->records)
        {
            if (record.client == client)
            {
                changes.emplace_back(record.startPs, 1);
                changes.emplace_back(record.startPs + record.latencyPs, -1);
                EXPECT_LT(record.startPs, FindRpcReport(report.parts)->totals.GetUntil());
            }
        }
        std::sort(changes.begin(), changes.end()); // Of one time, those that end come first.
        int underWay = 0;
        for (const auto& [at, change] : changes)
        {
            underWay += change;
            EXPECT_LE(underWay, 3);
            if (at > 0 && at < FindRpcReport(report.parts)->totals.GetUntil())
            {
                EXPECT_GE(underWay, 2); // The next one arrives at the same time.
            }
        }
    }
}

TEST_F(RpcRun, ASparseOpenLoopEndsWithItsLastRequest)
{
    // Two a millisecond of all clients: nothing happens between the last one and the end.
    const RunReport report = RunGets(
        {"workload.outstanding=8", "workload.requestsPerSecond=500", "workload.duration=5ms"});
    EXPECT_GT(FindRpcReport(report.parts)->records.size(), 0U);
    EXPECT_EQ(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::OK),
              FindRpcReport(report.parts)->records.size());
}

TEST_F(RpcRun, ARunWithoutAnyRequestIsRefused)
{
    // A request per second of each client: the first of 4 comes after a quarter of a second.
    const std::string error = GetInputError([&] { RunGets({"workload.requestsPerSecond=1"}); });
    EXPECT_NE(error.find("$.workload: expected requestsPerSecond and duration with at least one"),
              std::string::npos)
        << error;
}

TEST_F(RpcRun, FlowsThatNicsHaveNoRoomForNameTheirKey)
{
    // Each store has a queue pair of each of 4 clients; the incast's flows need more.
    const std::string error = GetInputError([&] {
        RunGets(
            {R"(nics=[{"preset": "strom100g",
                           "attributes": {"ns3::rdma::TimerArrayTimeout::QueuePairs": "4"}}])",
             R"(beside={"name": "background", "type": "incast", "senders": 3, "bytes": 1000})"});
    });
    EXPECT_NE(error.find("$.workloads: expected flows for which the NICs have room, got: "
                         "the NIC of endpoint 0 holds at most 4 queue pairs"),
              std::string::npos)
        << error;
}

TEST_F(RpcRun, AnOpenLoopHasItsRate)
{
    // 4 clients at 200,000 per second for 5 ms: 4000, within four standard deviations of a Poisson
    // number.
    const RunReport report =
        RunGets({"workload.requestsPerSecond=200000", "workload.duration=5ms"});
    ExpectAllAnswered(report);
    EXPECT_NEAR(static_cast<double>(FindRpcReport(report.parts)->records.size()),
                4000,
                4 * sqrt(4000));
}

TEST_F(RpcRun, RequestsBeyondTheBoundWaitAtTheirClient)
{
    const RunReport report = RunGets(
        {"workload.requestsPerSecond=2e6", "workload.outstanding=1", "workload.duration=50us"});
    ExpectAllAnswered(report);
    const auto& records = FindRpcReport(report.parts)->records;
    const auto byLatency = [](const RpcRecord& left, const RpcRecord& right) {
        return left.latencyPs < right.latencyPs;
    };
    const auto [least, most] = std::minmax_element(records.begin(), records.end(), byLatency);
    EXPECT_GT(most->latencyPs, 10 * least->latencyPs);
}

TEST_F(RpcRun, KeysAreSpreadOverTheServers)
{
    const RunReport report = RunGets({"workload.zipf=0.99"});
    std::set<uint32_t> servers;
    for (const RpcRecord& record : FindRpcReport(report.parts)->records)
    {
        servers.insert(record.server);
    }
    EXPECT_EQ(servers, (std::set<uint32_t>{0, 1}));
}

TEST_F(RpcRun, ALoneReadGetTakesTwoRoundTrips)
{
    // Two requests with RETH 16, answers with AETH 4.
    const int64_t bytes = 2 * (HEADERS + 16) + (HEADERS + 4 + 64) + (HEADERS + 4 + 256);
    // After each READ the client's core waits for a miss of 80 ns.
    EXPECT_EQ(GetLoneLatency("read"), 4'000'000 + bytes * PS_PER_BYTE + 2 * 80'000);
}

TEST_F(RpcRun, ALoneKernelGetTakesOneRoundTripAndTwoMemoryAccesses)
{
    // The request has RETH 16 and 24 of parameters, the answer RETH 16, a word of 8 and the value.
    const int64_t wire = 2'000'000 + (HEADERS + 16 + 24 + HEADERS + 16 + 8 + 256) * PS_PER_BYTE;
    TimeValue read;
    CreateObject<PcieLink>()->GetAttribute("ReadLatency", read);
    const int64_t memory = 2 * read.Get().GetPicoSeconds();
    const int64_t latency = GetLoneLatency("get-kernel");
    EXPECT_GT(latency, wire + memory);
    // Less than 30 cycles of 6.4 ns for kernel and TLB, and the bytes on PCIe.
    EXPECT_LT(latency, wire + memory + 30 * 6'400 + 200'000);
}

TEST_F(RpcRun, ALoneTcpGetTakesTheTimeOfTheCoresAndOneRoundTrip)
{
    // Two SENDs: headers, a call of 44 + 16, an answer of 28 + 16 and the value.
    constexpr uint64_t CALL{60};
    constexpr uint64_t ANSWER{44 + 256};
    const int64_t wire = 2'000'000 + (2 * HEADERS + CALL + ANSWER) * PS_PER_BYTE;
    const KernelTcpCosts costs = CreateObject<KernelTcp>()->GetCosts();
    int64_t cores = 1'000'000; // The RPC library (SoftwareCosts).
    // The server's core sleeps for less than LongIdle, the client's waits longer for its answer.
    cores += costs.GetIdleExit(1'000'000) + costs.GetIdleExit(costs.longIdle);
    for (const uint64_t bytes : {CALL, ANSWER})
    {
        cores += 2 * costs.systemCall + costs.sendSegment + costs.receivePacket +
                 costs.receiveSegment + costs.interrupt + costs.wakeUp +
                 costs.sendCopy.GetDuration(bytes) + costs.receiveCopy.GetDuration(bytes) +
                 costs.pages.GetDuration(bytes) + costs.moderation;
    }
    cores += 2 * 80'000; // An entry and a value miss the caches.
    EXPECT_EQ(GetLoneLatency("tcp"), wire + cores);
}

TEST_F(RpcRun, CostsOfTheScenarioReplaceThoseOfKernelTcp)
{
    const int64_t usual = GetLoneLatency("tcp");
    const int64_t tuned =
        GetLoneLatency("tcp", {R"(workload.costs={"ns3::rdma::KernelTcp::Moderation": "0s",
                            "ns3::rdma::KernelTcp::LongIdleExit": "2us"})"});
    // Two messages of 8 us of moderation, and one exit of 2 us instead of 10 us.
    EXPECT_EQ(usual - tuned, (2 * 8 + 8) * 1'000'000);
    EXPECT_EQ(FindFault(R"(workload.costs={"ns3::rdma::KernelTcp::Moderation": "0s"})"),
              "$.workload.costs.ns3::rdma::KernelTcp::Moderation: expected an attribute that has "
              "an effect on requests of get-kernel, got ns3::rdma::KernelTcp::Moderation");
}

TEST_F(RpcRun, TheSameScenarioGivesTheSameRequests)
{
    const std::vector<std::string> sets{
        "workload.zipf=0.9",
        "workload.requestsPerSecond=500000",
        "workload.warmup=10us",
        R"(beside={"name": "background", "type": "incast", "senders": 3, "bytes": "100kB"})"};
    const auto write = [](const RunReport& report) {
        std::ostringstream out;
        FindRpcReport(report.parts)->WriteRows(out);
        return out.str();
    };
    const std::string once = write(RunGets(sets));
    EXPECT_EQ(write(RunGets(sets)), once);
    auto other = sets;
    other.push_back(R"(run={"seed": 2})");
    EXPECT_NE(write(RunGets(other)), once);
}

TEST_F(RpcRun, FlowsOfTheBackgroundRunBesideRequests)
{
    const Scenario scenario = ReadGets(
        {R"(beside={"name": "background", "type": "incast", "senders": "clients", "bytes": "200kB"})"});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 4U);
    ExpectAllAnswered(outcome.report);
    // 4 x 200 kB to server 0 take 64 us of its link: requests wait.
    const auto longest = [](const RunReport& report) {
        int64_t latency = 0;
        for (const RpcRecord& record : FindRpcReport(report.parts)->records)
        {
            latency = std::max(latency, record.latencyPs);
        }
        return latency;
    };
    EXPECT_GT(longest(outcome.report), 2 * longest(RunGets()));
}

TEST_F(RpcRun, WithoutDrainRequestsAreCutOff)
{
    const RunReport report = RunGets({R"(run={"drain": false})"});
    EXPECT_EQ(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::UNFINISHED),
              12U); // 4 clients with 3 each.
    EXPECT_EQ(report.simulatedPs, 100'000'000);
}

TEST_F(RpcRun, AServerThatIsCutOffFailsItsRequests)
{
    const RunReport report =
        RunGets({"workload.duration=50us",
                 R"(linkEvents=[{"at": "20us", "link": [0, 6], "state": "down"}])",
                 R"(attributes={"ns3::rdma::RdmaNic::RetryCount": 2})"});
    // Calls to server 0 end with an error; those that it had taken before have no answer, which
    // nothing tells their clients.
    const RpcReport& rpcs = *FindRpcReport(report.parts);
    EXPECT_GT(rpcs.totals.GetCount(RpcStatus::FAILED), 0U);
    EXPECT_EQ(rpcs.totals.GetCount(RpcStatus::OK) + rpcs.totals.GetCount(RpcStatus::FAILED) +
                  rpcs.totals.GetCount(RpcStatus::STALLED),
              rpcs.records.size());
    EXPECT_TRUE(report.violations.empty());
}

} // namespace
} // namespace ns3::rdma
