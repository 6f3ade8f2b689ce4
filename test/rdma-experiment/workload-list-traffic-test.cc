// SPDX-License-Identifier: GPL-2.0-only

// Requests, streams and stores in a list of workloads.

#include "../test-files.h"
#include "workload-list-fixture.h"

#include "ns3/rpc-report.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class WorkloadListTrafficTest : public WorkloadListTest
{
};

TEST_F(WorkloadListTrafficTest, RequestsBeginBetweenStartAndEnd)
{
    const Scenario scenario =
        ReadList({With(GETS, {{"start", "5us"}, {"end", "30us"}}),
                  With(GETS, {{"name", "open"}, {"requestsPerSecond", 1e6}, {"start", "20us"}})});
    const Outcome run = Run(scenario);
    std::map<std::string, std::pair<int64_t, int64_t>> spans;
    for (const ResultPart& part : run.report.parts)
    {
        const auto& report = *std::any_cast<std::shared_ptr<const RpcReport>>(part.details);
        EXPECT_GT(report.records.size(), 4U) << part.workload;
        EXPECT_EQ(report.totals.GetCount(RpcStatus::OK), report.records.size());
        spans[part.workload] = {report.records.front().startPs, report.records.back().startPs};
    }
    EXPECT_EQ(spans["gets"].first, 5'000'000); // A closed loop begins at once.
    EXPECT_LT(spans["gets"].second, 30'000'000);
    EXPECT_GT(spans["open"].first, 20'000'000);
    EXPECT_LT(spans["open"].second, 80'000'000);
}

TEST_F(WorkloadListTrafficTest, EachWorkloadOfRequestsHasItsOwnPartOfAServersMemory)
{
    for (const char* request : {"read", "tcp"})
    {
        const Json one = With(GETS, {{"request", request}, {"duration", "200us"}});
        const Json other = With(one, {{"name", "other"}, {"valueBytes", "100B"}, {"keys", 50}});
        const Json third = With(one, {{"name", "third"}, {"clients", "more"}});
        Json json = MakeJson({one, other, third});
        json["groups"]["more"] = {{2, 3}};
        json["nics"] = {"connectx6"};
        const Outcome run = Run(Read(json.dump()));
        EXPECT_TRUE(run.report.violations.empty());
        for (const char* name : {"gets", "other", "third"})
        {
            const Json& status = run.summary["workloads"][name]["rpc"]["status"];
            EXPECT_GT(status["ok"], 5) << request << ' ' << name;
            EXPECT_EQ(status["wrong"], 0) << request << ' ' << name;
        }
    }
}

TEST_F(WorkloadListTrafficTest, AKvDirectKernelServesOneWorkload)
{
    const Json kv{{"name", "one"},
                  {"type", "kv"},
                  {"clients", "clients"},
                  {"servers", "stores"},
                  {"get", 0.5},
                  {"keyBytes", 8},
                  {"valueBytes", 12},
                  {"memory", "64KiB"},
                  {"utilization", 0.3},
                  {"duration", "20us"}};
    Json json = MakeJson({kv, With(kv, {{"name", "two"}})});
    json["nics"] = {"kv-direct"};
    json["kernels"] = {{"stores", {"ns3::rdma::KvDirectKernel"}}};
    const std::string error = GetInputError([&] { Run(Read(json.dump())); });
    EXPECT_NE(
        error.find("$.workloads[1]: expected connections that the NICs take, got: a KV-Direct "
                   "kernel that serves another workload already"),
        std::string::npos)
        << error;
    // Cores serve as many as there are.
    json["workloads"][0]["cores"] = 2;
    json["workloads"][1]["cores"] = 2;
    const Outcome run = Run(Read(json.dump()));
    for (const char* name : {"one", "two"})
    {
        EXPECT_EQ(run.summary["workloads"][name]["rpc"]["status"]["wrong"], 0);
        EXPECT_GT(run.summary["workloads"][name]["rpc"]["status"]["ok"], 5);
    }
}

TEST_F(WorkloadListTrafficTest, FlowsOfTwoWorkloadsIntoGpuMemory)
{
    const Json gpu = With(INCAST, {{"memory", "gpu"}, {"gpuMemory", "16MiB"}});
    Json json = MakeJson({gpu, With(gpu, {{"name", "second"}, {"at", "12us"}}), INCAST});
    json["workloads"][2]["name"] = "host";
    json["nics"] = {{{"preset", "balboa"},
                     {"hardware", "on"},
                     {"attributes", {{"ns3::rdma::GpuPath::BarBytes", "67108864"}}}}};
    const Outcome run = Run(Read(json.dump()));
    EXPECT_EQ(run.summary["flows"]["completed"], 30);
    EXPECT_TRUE(run.report.violations.empty());
}

TEST_F(WorkloadListTrafficTest, StreamsBeginAtTheirStartWithTheSameResults)
{
    const Json streams{{"name", "messages"},
                       {"type", "streams"},
                       {"streams",
                        {{{"sender", 2}, {"receiver", 3}, {"messageBytes", "4KiB"}},
                         {{"sender", 4},
                          {"receiver", 3},
                          {"queuePairs", 2},
                          {"messageBytes", "4KiB"},
                          {"rate", "5Gbps"}}}},
                       {"duration", "200us"},
                       {"warmup", "20us"}};
    const auto run = [this](const Json& workload, const Json& options) {
        Json json = MakeJson({workload});
        json["nics"] = {{{"preset", "connectx6"}, {"hardware", "on"}}};
        json["run"] = options;
        return Run(Read(json.dump())).summary["workloads"]["messages"]["streams"];
    };
    const Json early = run(streams, Json::object());
    EXPECT_GT(early["received"], 100);
    EXPECT_EQ(run(With(streams, {{"start", "33us"}}), Json::object()), early);
    // A workload that has not begun is no stall.
    EXPECT_EQ(run(With(streams, {{"start", "1ms"}}), {{"stallLimit", "100us"}}), early);
}

} // namespace
