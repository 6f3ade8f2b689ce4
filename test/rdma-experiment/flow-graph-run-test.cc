// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/nic-presets.h"
#include "ns3/scenario-builder.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// One row of flows.csv.
struct Row
{
    uint64_t flow{0};
    int64_t startPs{0};
    int64_t endPs{0};
    double slowdown{0};
    std::string status;
};

/// Picoseconds of a number of nanoseconds with up to three decimals.
int64_t
ReadPs(const std::string& text)
{
    return std::llround(std::stold(text) * 1000);
}

std::map<uint64_t, Row>
ReadRows(const std::string& csv)
{
    std::map<uint64_t, Row> rows;
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line))
    {
        std::vector<std::string> cells;
        std::istringstream words(line);
        for (std::string cell; std::getline(words, cell, ',');)
        {
            cells.push_back(cell);
        }
        Row row;
        row.flow = std::stoull(cells[0]);
        row.startPs = ReadPs(cells[4]);
        row.status = cells[11];
        if (row.status == "completed")
        {
            row.endPs = row.startPs + ReadPs(cells[5]);
            row.slowdown = std::stod(cells[7]);
        }
        rows[row.flow] = row;
    }
    return rows;
}

/// 100 Gb/s on all links, 1 us each: 80 ps per byte. Bytes on the wire with preamble, FCS and gap
/// (24): 58 of headers, RETH 16 in the first packet, immediate data 4 in the last; an
/// acknowledgment has AETH 4 and is 86 bytes.
class IdlePath
{
  public:
    static constexpr int64_t BYTE{80};
    static constexpr int64_t DELAY{1'000'000};
    static constexpr int64_t HEAD{(58 + 24) * BYTE};
    static constexpr int64_t ACK{(58 + 4 + 24) * BYTE};

    /// @param hops links on the way
    explicit IdlePath(int hops)
        : m_hops(hops)
    {
    }

    /// From the posting to the last byte at the receiver. @param bytes a multiple of four; the last
    /// packet of several carries less than 1024 - 4, so that no packet is longer than the first
    int64_t GetOneWay(int64_t bytes) const
    {
        const int64_t packets = (bytes + 1023) / 1024;
        const int64_t last = bytes - (packets - 1) * 1024;
        if (packets == 1)
        {
            return m_hops * (HEAD + (16 + 4 + last) * BYTE + DELAY);
        }
        // The first packet is stored and forwarded at each hop; the others follow it closely.
        return m_hops * (HEAD + (16 + 1024) * BYTE + DELAY) + (packets - 2) * (HEAD + 1024 * BYTE) +
               HEAD + (4 + last) * BYTE;
    }

    /// From the posting to the sender's completion.
    int64_t GetRoundTrip(int64_t bytes) const
    {
        return GetOneWay(bytes) + GetFlight();
    }

    /// Of an acknowledgment, or a control message.
    int64_t GetFlight() const
    {
        return m_hops * (ACK + DELAY);
    }

  private:
    int m_hops;
};

class FlowGraphRun : public FolderTest
{
  protected:
    RunOutcome RunGraph(const nlohmann::json& operations,
                        const std::string& fabric,
                        const std::string& nic = "\"connectx6\"") const
    {
        const nlohmann::json workload{{"type", "graph"}, {"operations", operations}};
        const Scenario scenario =
            Read(R"({"name": "graph", "fabric": )" + fabric + R"(, "nics": [)" + nic +
                 R"(], "workload": )" + workload.dump() + "}");
        return RunScenario(scenario, scenario.nics[0]);
    }
};

const std::string STAR{
    R"({"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"})"};

TEST_F(FlowGraphRun, ADependentStartsWhenItsSenderIsNotified)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": 100000},
        {"id": "at-receiver", "src": 1, "dst": 2, "bytes": 400, "after": ["a"], "delay": "2us"},
        {"id": "at-sender", "src": 0, "dst": 3, "bytes": 400, "after": ["a"], "delay": "3us"},
        {"id": "elsewhere", "src": 3, "dst": 2, "bytes": 400, "after": ["a"], "delay": "20us"}])");
    const RunOutcome outcome = RunGraph(operations, STAR);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    const auto rows = ReadRows(outcome.flows);
    ASSERT_EQ(rows.size(), 4U);
    const IdlePath path(2);
    // 98 packets, the last of 672 bytes.
    EXPECT_EQ(rows.at(0).startPs, 0);
    EXPECT_EQ(rows.at(0).endPs, path.GetRoundTrip(100'000));
    EXPECT_EQ(rows.at(1).startPs, path.GetOneWay(100'000) + 2'000'000);
    EXPECT_EQ(rows.at(2).startPs, path.GetRoundTrip(100'000) + 3'000'000);
    EXPECT_EQ(rows.at(3).startPs, path.GetOneWay(100'000) + path.GetFlight() + 20'000'000);
    for (const auto& [number, row] : rows)
    {
        EXPECT_EQ(row.slowdown, 1) << number;
    }
}

TEST_F(FlowGraphRun, WithoutPredecessorTheDelayCountsFromTheStart)
{
    const auto operations =
        nlohmann::json::parse(R"([{"id": 7, "src": 0, "dst": 1, "bytes": "1kB", "delay": "5us"}])");
    EXPECT_EQ(ReadRows(RunGraph(operations, STAR).flows).at(0).startPs, 5'000'000);
}

/// A READ on the links of IdlePath. A request has the headers, RETH 16 and no payload; each packet
/// of the response carries at most 1024 bytes, the first and the last also AETH 4.
int64_t
GetReadTime(int hops, int64_t bytes)
{
    const int64_t request = hops * (IdlePath::HEAD + 16 * IdlePath::BYTE + IdlePath::DELAY);
    const int64_t packets = (bytes + 1023) / 1024;
    const int64_t last = bytes - (packets - 1) * 1024;
    if (packets == 1)
    {
        return request + hops * (IdlePath::HEAD + (4 + last) * IdlePath::BYTE + IdlePath::DELAY);
    }
    return request + hops * (IdlePath::HEAD + (4 + 1024) * IdlePath::BYTE + IdlePath::DELAY) +
           (packets - 2) * (IdlePath::HEAD + 1024 * IdlePath::BYTE) + IdlePath::HEAD +
           (4 + last) * IdlePath::BYTE;
}

TEST_F(FlowGraphRun, AReadEndsAtItsRequesterWhichNotifiesAllOtherServers)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": 100000, "operation": "read"},
        {"id": "at-requester", "src": 0, "dst": 2, "bytes": 400, "after": ["a"], "delay": "2us"},
        {"id": "at-responder", "src": 1, "dst": 3, "bytes": 400, "after": ["a"], "delay": "3us"},
        {"id": "elsewhere", "src": 3, "dst": 2, "bytes": 400, "after": ["a"], "delay": "20us"}])");
    const RunOutcome outcome = RunGraph(operations, STAR);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    const auto rows = ReadRows(outcome.flows);
    ASSERT_EQ(rows.size(), 4U);
    const IdlePath path(2);
    const int64_t end = GetReadTime(2, 100'000);
    EXPECT_EQ(rows.at(0).endPs, end);
    EXPECT_EQ(rows.at(1).startPs, end + 2'000'000);
    EXPECT_EQ(rows.at(2).startPs, end + path.GetFlight() + 3'000'000);
    EXPECT_EQ(rows.at(3).startPs, end + path.GetFlight() + 20'000'000);
    for (const auto& [number, row] : rows)
    {
        EXPECT_EQ(row.slowdown, 1) << number;
    }
}

TEST_F(FlowGraphRun, ASendEndsAtItsReceiverLikeAWriteWithImmediateData)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": 100000, "operation": "send"},
        {"id": "at-receiver", "src": 1, "dst": 2, "bytes": 0, "after": ["a"], "operation": "send"},
        {"id": "at-sender", "src": 0, "dst": 3, "bytes": 400, "after": ["a"], "delay": "3us"}])");
    const RunOutcome outcome = RunGraph(operations, STAR);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    const auto rows = ReadRows(outcome.flows);
    ASSERT_EQ(rows.size(), 3U);
    // Without RETH 16 in the first packet, which passes two links, and immediate data 4 in the last
    // one, which follows the middle ones at the rate of a link.
    const int64_t oneWay = IdlePath(2).GetOneWay(100'000) - (2 * 16 + 4) * IdlePath::BYTE;
    EXPECT_EQ(rows.at(1).startPs, oneWay);
    EXPECT_EQ(rows.at(0).endPs, oneWay + IdlePath(2).GetFlight());
    EXPECT_EQ(rows.at(2).startPs, rows.at(0).endPs + 3'000'000);
    EXPECT_EQ(rows.at(1).status, "completed");
}

TEST_F(FlowGraphRun, OperationsOfAllKindsShareAQueuePairUnderLossOnEveryPreset)
{
    // The workload's operation holds for those that have none of their own.
    auto operations = nlohmann::json::parse(R"([
        {"id": 0, "src": 0, "dst": 1, "bytes": 0, "operation": "send"},
        {"id": 1, "src": 0, "dst": 1, "bytes": 60000},
        {"id": 2, "src": 0, "dst": 1, "bytes": 50000, "operation": "write"},
        {"id": 3, "src": 0, "dst": 1, "bytes": 30000, "operation": "send"},
        {"id": 4, "src": 0, "dst": 1, "bytes": 0, "after": [1]},
        {"id": 5, "src": 0, "dst": 1, "bytes": 10000, "operation": "send", "after": [4, 3]}])");
    for (auto& operation : operations)
    {
        operation["queuePair"] = "q";
    }
    operations.push_back(
        nlohmann::json::parse(R"({"id": 6, "src": 1, "dst": 2, "bytes": 9000, "after": [2, 5]})"));
    const nlohmann::json workload{{"type", "graph"},
                                  {"operation", "read"},
                                  {"operations", operations}};
    for (const NicPreset& known : GetNicPresets())
    {
        const std::string preset(known.name);
        const Scenario scenario =
            Read(R"({"name": "graph", "fabric": {"topology": "star", "servers": 4,
                     "lossRate": 0.01}, "nics": [")" +
                 preset + R"("], "workload": )" + workload.dump() + "}");
        const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
        EXPECT_EQ(outcome.completed, 7U) << preset;
        EXPECT_TRUE(outcome.report.violations.empty())
            << preset << ": " << outcome.report.violations.front();
    }
}

TEST_F(FlowGraphRun, OperationsOnASharedQueuePairFollowEachOther)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": 100000, "queuePair": "q"},
        {"id": "b", "src": 0, "dst": 1, "bytes": 400, "queuePair": "q"},
        {"id": "c", "src": 0, "dst": 1, "bytes": 400, "after": ["b"], "queuePair": "q"},
        {"id": "d", "src": 1, "dst": 0, "bytes": 400, "after": ["c"]}])");
    const RunOutcome outcome = RunGraph(operations, STAR);
    EXPECT_EQ(outcome.completed, 4U);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    const auto rows = ReadRows(outcome.flows);
    EXPECT_EQ(rows.at(1).startPs, 0);
    EXPECT_GT(rows.at(1).endPs, rows.at(0).endPs); // Behind it, though short.
    EXPECT_EQ(rows.at(2).startPs, rows.at(1).endPs);
    EXPECT_EQ(outcome.report.simulatedPs, rows.at(3).endPs);
}

/// Broadcasts of 63 operations each among the 64 servers of a fat-tree, one after the other: each
/// server that has the data gives them on, first between racks. No two messages meet.
class Broadcasts
{
  public:
    explicit Broadcasts(int rounds)
    {
        std::vector<uint32_t> leaves;
        for (int round = 0; round < rounds; ++round)
        {
            std::vector<uint32_t> last = leaves; // All have ended before the next begins.
            leaves.clear();
            Broadcast(round, last, leaves);
        }
    }

    /// When the last of them is complete, by the longest path of the graph.
    int64_t FindEnd() const
    {
        std::vector<std::array<int64_t, 2>> ends; // At the sender, at the receiver.
        int64_t end = 0;
        for (const Operation& one : operations)
        {
            int64_t start = 0;
            for (const uint32_t predecessor : one.after)
            {
                const Operation& before = operations[predecessor];
                const auto& [atSender, atReceiver] = ends[predecessor];
                const int64_t notified =
                    before.dst == one.src   ? atReceiver
                    : before.src == one.src ? atSender
                                            : atReceiver + GetPath(before.dst, one.src).GetFlight();
                start = std::max(start, notified);
            }
            start += COMPUTE;
            const IdlePath path = GetPath(one.src, one.dst);
            ends.push_back({start + path.GetRoundTrip(BYTES), start + path.GetOneWay(BYTES)});
            end = std::max(end, ends.back()[0]);
        }
        return end;
    }

    nlohmann::json Write() const
    {
        auto list = nlohmann::json::array();
        for (std::size_t i = 0; i < operations.size(); ++i)
        {
            nlohmann::json entry{{"id", i},
                                 {"src", operations[i].src},
                                 {"dst", operations[i].dst},
                                 {"bytes", BYTES},
                                 {"delay", "1us"}};
            for (const uint32_t predecessor : operations[i].after)
            {
                entry["after"].push_back(predecessor);
            }
            list.push_back(entry);
        }
        return list;
    }

    struct Operation
    {
        uint32_t src;
        uint32_t dst;
        std::vector<uint32_t> after;
    };

    std::vector<Operation> operations;

  private:
    static constexpr int64_t BYTES{20'000};
    static constexpr int64_t COMPUTE{1'000'000};
    static constexpr uint32_t RACK{16};

    /// In a rack over one switch, between racks over three.
    static IdlePath GetPath(uint32_t src, uint32_t dst)
    {
        return IdlePath(src / RACK == dst / RACK ? 2 : 4);
    }

    void Broadcast(int round, const std::vector<uint32_t>& before, std::vector<uint32_t>& leaves)
    {
        const uint32_t root = static_cast<uint32_t>(round) % RACK;
        std::map<uint32_t, uint32_t> lastOf; // Operation that each server was last part of.
        std::vector<uint32_t> holders{root};
        for (const uint32_t distance : {32, 16, 8, 4, 2, 1})
        {
            for (const uint32_t src : std::vector<uint32_t>(holders))
            {
                const uint32_t dst = src ^ distance;
                const auto known = lastOf.find(src);
                const auto number = static_cast<uint32_t>(operations.size());
                operations.push_back(
                    {src,
                     dst,
                     known == lastOf.end() ? before : std::vector<uint32_t>{known->second}});
                lastOf[src] = number;
                lastOf[dst] = number;
                holders.push_back(dst);
            }
        }
        for (const auto& [server, operation] : lastOf)
        {
            if (leaves.empty() || leaves.back() != operation)
            {
                leaves.push_back(operation);
            }
        }
    }
};

TEST_F(FlowGraphRun, AThousandOperationsTakeTheLongestPathOfTheGraph)
{
    const Broadcasts broadcasts(16);
    ASSERT_EQ(broadcasts.operations.size(), 1008U);
    const RunOutcome outcome = RunGraph(broadcasts.Write(),
                                        R"({"topology": "fat-tree", "servers": 64,
        "hostRate": "100Gbps", "fabricRate": "100Gbps", "linkDelay": "1us"})");
    EXPECT_EQ(outcome.completed, 1008U);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    for (const auto& [number, row] : ReadRows(outcome.flows))
    {
        ASSERT_EQ(row.slowdown, 1) << number;
    }
    EXPECT_EQ(outcome.report.simulatedPs, broadcasts.FindEnd());
}

TEST_F(FlowGraphRun, EveryPresetRunsAGraphOnALossyFabricWithAndWithoutHardware)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": "300kB", "queuePair": "q"},
        {"id": "b", "src": 1, "dst": 2, "bytes": "100kB", "after": ["a"]},
        {"id": "c", "src": 0, "dst": 1, "bytes": "50kB", "after": ["a"], "queuePair": "q"},
        {"id": "d", "src": 3, "dst": 0, "bytes": "5kB", "after": ["b", "c"]}])");
    const std::string lossy = R"({"topology": "star", "servers": 4, "lossRate": 0.01})";
    for (const char* preset : {"connectx6", "irn", "srnic", "balboa", "strom100g"})
    {
        for (const char* hardware : {"off", "on"})
        {
            const std::string nic =
                std::string(R"({"preset": ")") + preset + R"(", "hardware": ")" + hardware + "\"}";
            const RunOutcome outcome = RunGraph(operations, lossy, nic);
            EXPECT_EQ(outcome.completed, 4U) << nic;
            EXPECT_TRUE(outcome.report.violations.empty()) << nic;
        }
    }
}

TEST_F(FlowGraphRun, WhatWaitsForAFailedOperationNeverStarts)
{
    const auto operations = nlohmann::json::parse(R"([
        {"id": "a", "src": 0, "dst": 1, "bytes": "1MB", "queuePair": "q"},
        {"id": "b", "src": 1, "dst": 2, "bytes": "1kB", "after": ["a"]},
        {"id": "c", "src": 2, "dst": 3, "bytes": "1kB"},
        {"id": "d", "src": 0, "dst": 1, "bytes": "1kB", "after": ["c"], "queuePair": "q",
         "delay": "900ms"}])");
    const nlohmann::json workload{{"type", "graph"}, {"operations", operations}};
    Scenario scenario = Read(R"({"name": "graph", "fabric": )" + STAR +
                             R"(, "nics": ["irn"], "workload": )" + workload.dump() + R"(,
        "linkEvents": [{"at": "10us", "link": [1, 4], "state": "down"}]})");
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    const auto rows = ReadRows(outcome.flows);
    EXPECT_EQ(rows.count(1), 0U);
    EXPECT_EQ(rows.at(0).status, "failed");
    EXPECT_EQ(rows.at(2).status, "completed");
    EXPECT_EQ(rows.at(3).status, "failed"); // On the queue pair that is broken.
    EXPECT_EQ(outcome.report.flowsStarted, 3U);
}

} // namespace
