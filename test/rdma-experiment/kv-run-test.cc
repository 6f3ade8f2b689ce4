// SPDX-License-Identifier: GPL-2.0-only
#include "rpc-fixture.h"

#include "ns3/scenario-writer.h"

#include <map>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{
namespace
{

/// Four clients and two stores at one switch.
constexpr const char* GOOD_KV_SCENARIO{R"({
  "name": "kv",
  "fabric": {"topology": "star", "servers": 6, "hostRate": "40Gbps", "linkDelay": "500ns"},
  "groups": {"stores": [0, 1], "clients": [2, 5]},
  "nics": ["kv-direct"],
  "kernels": {"stores": ["ns3::rdma::KvDirectKernel"]},
  "workload": {"type": "kv", "clients": "clients", "servers": "stores", "get": 0.5,
               "keyBytes": 8, "valueBytes": 12, "memory": "64KiB", "utilization": 0.3, "batch": 8,
               "outstanding": 2, "duration": "60us"}
})"};

class KvRunTest : public ChangedScenarioTest
{
  protected:
    KvRunTest()
        : ChangedScenarioTest(GOOD_KV_SCENARIO)
    {
    }

    /// Runs, and every operation is answered rightly.
    RunReport RunWell(const std::vector<std::string>& sets) const
    {
        RunReport report = RunWith(sets);
        EXPECT_GT(FindRpcReport(report.parts)->records.size(), 30U);
        EXPECT_EQ(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::OK),
                  FindRpcReport(report.parts)->records.size());
        EXPECT_TRUE(report.violations.empty());
        return report;
    }
};

TEST_F(KvRunTest, EveryOperationIsAnsweredRightly)
{
    const std::vector<std::string> cases[]{
        {},
        {R"(workload={"type": "kv", "clients": "clients", "servers": "stores", "ycsb": "d",
                      "keyBytes": 8, "valueBytes": 12, "memory": "64KiB", "utilization": 0.3,
                      "batch": 8, "duration": "60us"})"},
        {R"(nics=[{"preset": "kv-direct", "hardware": "on"}])"},
        {"workload.modify=0.5", "workload.returns=false"},
        {"workload.modify=0.5", "workload.hotKeys=1"},
        {R"(workload.function="ns3::rdma::KvMax")",
         "workload.modify=0.5",
         "workload.valueBytes=16"},
        {"workload.zipf=0.99", "workload.compressed=false", "workload.batch=1"},
        {"workload.valueBytes=254", "workload.memory=256KiB"},
        {"workload.operationsPerSecond=2e6", "workload.outstanding=16"},
        {"workload.counted=true", "workload.memory=4GiB", "workload.warming=1000"},
        {"workload.cores=2"},
        {"workload.cores=2", R"(nics=[{"preset": "connectx6", "hardware": "on"}])", "kernels={}"},
        {R"(beside={"name": "background", "type": "incast", "senders": 2, "bytes": 1000})"},
        {R"(nics=[{"name": "mixed", "groups": {"stores": "kv-direct"}, "default": "connectx6"}])"},
    };
    for (const auto& sets : cases)
    {
        SCOPED_TRACE(sets.empty() ? "" : sets.front());
        RunWell(sets);
    }
}

TEST_F(KvRunTest, LossIsMadeGoodByTheTransport)
{
    const RunReport report = RunWell({"fabric.lossRate=0.01", "workload.duration=200us"});
    EXPECT_GT(FindRpcReport(report.parts)->records.size(), 500U);
}

TEST_F(KvRunTest, OperationsOnABrokenQueuePairFailAndTheRunEnds)
{
    // The first packet that is lost breaks the queue pair; a batch fails a microsecond later.
    const RunReport report =
        RunWith({"fabric.lossRate=0.3",
                 "workload.duration=2ms",
                 R"(nics=[{"preset": "kv-direct", "name": "fragile", "attributes":
                                                {"ns3::rdma::RdmaNic::RetryCount": 0}}])"});
    EXPECT_GT(FindRpcReport(report.parts)->totals.GetCount(RpcStatus::FAILED), 0U);
    EXPECT_LT(FindRpcReport(report.parts)->records.size(), 1'000'000U);
}

TEST_F(KvRunTest, OperandsLongerThanValuesHaveRoom)
{
    RunWell({R"(workload.function="ns3::rdma::KvCompareSwap")",
             "workload.get=0",
             "workload.modify=1",
             "workload.valueBytes=8",
             "workload.compressed=false",
             "workload.batch=64"});
}

TEST_F(KvRunTest, EachNicOfAServerHasAStoreWithItsPartOfTheKeys)
{
    const RunReport report = RunWell({R"(fabric.nicsPerServer={"stores": 3})"});
    const nlohmann::ordered_json summary = FindRpcReport(report.parts)->WriteSummary();
    ASSERT_EQ(summary["nics"].size(), 6U);
    uint64_t answered = 0;
    for (const auto& nic : summary["nics"])
    {
        EXPECT_GT(nic["requests"], 0);
        answered += nic["requests"].get<uint64_t>();
    }
    // Those that ended before the clients stopped.
    const double rate = summary["requests_per_second"];
    EXPECT_NEAR(static_cast<double>(answered), rate * 60e-6, 1);
    std::map<uint32_t, int> servers;
    for (const RpcRecord& record : FindRpcReport(report.parts)->records)
    {
        ++servers[record.server];
    }
    EXPECT_EQ(servers.size(), 2U);
}

TEST_F(KvRunTest, ACountedStoreHasTheRateOfOneWithBytes)
{
    // Two NICs with PCIe links of 10 M requests/s each: a GET of a uniform key is a read of one
    // line, so a store answers 2 x 10 M/s, less chained buckets; the same keys have the same
    // buckets.
    const std::vector<std::string> sets{
        "workload.get=1",
        "workload.batch=1",
        "workload.outstanding=1",
        "workload.duration=1ms",
        R"(kernels.stores=[{"type": "ns3::rdma::KvDirectKernel", "attributes":
            {"ns3::rdma::KvDirectKernel::CacheBytes": 0}}])"};
    const auto getRate = [this](const std::vector<std::string>& all) {
        return FindRpcReport(RunWell(all).parts)
            ->WriteSummary()["requests_per_second"]
            .get<double>();
    };
    std::vector<std::string> counted = sets;
    counted.emplace_back("workload.counted=true");
    const double rate = getRate(sets);
    EXPECT_NEAR(getRate(counted), rate, 0.02 * rate);
}

TEST_F(KvRunTest, OperationsBeforeTheRunWarmTheDramOfACountedStore)
{
    // All lines fit into the DRAM, and may be there: after 16 operations per key no access uses
    // PCIe, which takes 800 ns; one of the DRAM takes 200.
    const std::vector<std::string> sets{
        "workload.get=1",
        "workload.counted=true",
        "workload.batch=1",
        "workload.outstanding=1",
        R"(kernels.stores=[{"type": "ns3::rdma::KvDirectKernel", "attributes":
            {"ns3::rdma::KvDirectKernel::CacheRatio": 1,
             "ns3::rdma::KvDirectKernel::DispatchRatio": 1}}])"};
    const auto getLatency = [this](std::vector<std::string> all, const std::string& warming) {
        all.push_back("workload.warming=" + warming);
        const auto summary = FindRpcReport(RunWell(all).parts)->WriteSummary();
        return summary["latency_us"]["mean"].get<double>();
    };
    const double cold = getLatency(sets, "1");
    const double warm = getLatency(sets, "32768");
    EXPECT_GT(cold - warm, 0.5);
}

TEST_F(KvRunTest, WhoHasWhichKeysDependsOnTheSeed)
{
    const auto count = [this](const std::string& seed) {
        const RunReport report =
            RunWell({R"(fabric.nicsPerServer={"stores": 3})", "run.seed=" + seed});
        return FindRpcReport(report.parts)->WriteSummary()["nics"];
    };
    EXPECT_EQ(count("7"), count("7"));
    EXPECT_NE(count("7"), count("8"));
}

TEST_F(KvRunTest, ABatchOfUpdatesIsAsLongAsItsOperandsNotAsTheValues)
{
    // 64 values of 1,000 bytes would pass MaxBatchBytes; 64 operands of a byte do not.
    RunWell({"workload.get=0",
             "workload.modify=1",
             "workload.returns=false",
             "workload.valueBytes=1000",
             "workload.memory=1MiB",
             "workload.batch=64"});
}

TEST_F(KvRunTest, BatchesRaiseTheThroughputOfOneConnection)
{
    const auto count = [this](const std::string& batch) {
        return FindRpcReport(RunWell({"workload.batch=" + batch, "workload.outstanding=1"}).parts)
            ->records.size();
    };
    // With one message under way the round trip is the limit: eight times the operations, in
    // little more time.
    EXPECT_GT(count("8"), 6 * count("1"));
}

TEST_F(KvRunTest, TheResolvedScenarioReadsTheSame)
{
    const std::vector<std::string> cases[]{
        {},
        {"workload.cores=2", "workload.operationsPerSecond=1e6", "workload.batchDelay=2us"},
        {"workload.modify=0.2", "workload.hotKeys=3", "workload.returns=false"},
        {R"(workload.function="ns3::rdma::KvMax")",
         "workload.modify=0.5",
         "workload.valueBytes=16"},
        {R"(workload={"type": "kv", "clients": "clients", "servers": "stores", "ycsb": "f",
                      "keyBytes": 8, "valueBytes": 12, "memory": "64KiB", "duration": "60us"})"},
        {R"(beside={"name": "background", "type": "incast", "senders": 2, "bytes": 1000})"},
    };
    for (const auto& sets : cases)
    {
        const std::string once = WriteScenario(ReadWith(sets));
        EXPECT_EQ(WriteScenario(Read(once)), once);
    }
}

TEST_F(KvRunTest, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {"workload.servers=clients",
         "$.workload.servers: expected another group than that of the clients"},
        {R"(kernels={"stores": ["ns3::rdma::GetKernel"]})",
         "$.workload.servers: expected a group for which $.kernels has ns3::rdma::KvDirectKernel"},
        {"workload.ycsb=e", "$.workload.ycsb: expected one of"},
        {"workload.ycsb=a", "$.workload.get: expected no such key beside ycsb"},
        {"workload.get=1.5", "$.workload.get: expected a number from 0 to 1"},
        {"workload.modify=0.6", "$.workload.modify: expected a share that is at most 1 with that"},
        {"workload.zipf=1", "$.workload.zipf: expected a number from 0 to 0.9999"},
        {"workload.keyBytes=3", "$.workload.keyBytes: expected"},
        {"workload.valueBytes=3000", "$.workload.valueBytes: expected"},
        {"workload.memory=1KiB", "$.workload.memory: expected a store that can be made"},
        {"workload.memory=32GiB", "$.workload.memory: expected at most 16GiB"},
        {"workload.utilization=2", "$.workload.utilization: expected a number from 0 to 1"},
        {"workload.batch=0", "$.workload.batch: expected"},
        {"workload.outstanding=0", "$.workload.outstanding: expected"},
        {"workload.operationsPerSecond=0", "$.workload.operationsPerSecond: expected"},
        {"workload.warmup=1s", "$.workload.warmup: expected a time before the duration is over"},
        {"workload.cores=0", "$.workload.cores: expected"},
        {"workload.hotKeys=0", "$.workload.hotKeys: expected"},
        {R"(workload.function="ns3::rdma::KvMax")",
         "$.workload.function: expected a function of updates, for values of whole elements"},
        {R"(workload={"type": "kv", "clients": "clients", "servers": "stores", "get": 0, "modify": 1,
                      "function": "ns3::rdma::KvNonZero", "keyBytes": 8, "valueBytes": 8,
                      "memory": "64KiB", "duration": "60us"})",
         "$.workload.function: expected a function of updates, got ns3::rdma::KvNonZero"},
        {R"(workload.function="ns3::rdma::GetKernel")",
         "$.workload.function: expected a type below ns3::rdma::KvFunction"},
    };
    for (const auto& [set, fault] : cases)
    {
        EXPECT_EQ(FindFault(set).rfind(fault, 0), 0U) << set << ": " << FindFault(set);
    }
    EXPECT_NE(GetInputError([this] {
                  RunWith({"workload.utilization=0.95"});
              }).find("expected a utilization that stores have room for"),
              std::string::npos);
    const auto tooLong = [this] {
        RunWith({"workload.valueBytes=2000", "workload.memory=1MiB", "workload.batch=64"});
    };
    EXPECT_NE(GetInputError(tooLong).find("expected batches that the kernel takes "
                                          "(KvDirectKernel::MaxBatchBytes, 65536), got one of"),
              std::string::npos);
    EXPECT_NE(GetInputError([this] {
                  RunWith({"workload.hotKeys=100000"});
              }).find("expected keys that can be"),
              std::string::npos);
}

} // namespace
} // namespace ns3::rdma
