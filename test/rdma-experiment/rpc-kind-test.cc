// SPDX-License-Identifier: GPL-2.0-only
#include "rpc-fixture.h"

#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{
namespace
{

class RpcKindTest : public RpcTest
{
};

TEST_F(RpcKindTest, TheResolvedScenarioReadsTheSame)
{
    const std::vector<std::string> cases[]{
        {},
        {"workload.request=read", "workload.zipf=0.99", "workload.absent=0.1"},
        {"workload.requestsPerSecond=1e6", "workload.warmup=20us", "workload.occupancy=0.9"},
        {"workload.request=traversal-kernel"},
        {"workload.request=tcp", "workload.cores=4"},
        {R"(beside={"name": "background", "type": "incast", "senders": 2, "bytes": 1000})"},
    };
    for (const auto& sets : cases)
    {
        const std::string once = WriteScenario(ReadGets(sets));
        EXPECT_EQ(WriteScenario(Read(once)), once);
    }
}

TEST_F(RpcKindTest, DefaultsAreWrittenOut)
{
    const auto json = nlohmann::json::parse(WriteScenario(ReadGets()))["workload"];
    EXPECT_EQ(json["kernel"], "ns3::rdma::GetKernel");
    EXPECT_EQ(json["zipf"], 0.0);
    EXPECT_EQ(json["absent"], 0.0);
    EXPECT_EQ(json["occupancy"], 0.5);
    EXPECT_EQ(json["warmup"], "0ps");
}

TEST_F(RpcKindTest, FilesOfEachWorkloadCountAsTheScenarios)
{
    WriteFile("sizes.cdf", "1000 0\n2000 100\n");
    const auto background = [](const std::string& file) {
        return R"(beside={"name": "background", "type": "poisson", "load": 0.1, "duration": "50us",
                                       "sizes": ")" +
               file + "\"}";
    };
    const ScenarioDigest digest = MakeDigest(ReadGets({background("sizes.cdf")}));
    EXPECT_EQ(digest.files.count("sizes.cdf"), 1U);
    WriteFile("other.cdf", "1000 0\n3000 100\n");
    EXPECT_NE(MakeDigest(ReadGets({background("other.cdf")})).hash, digest.hash);
    EXPECT_EQ(FindFault(background("none.cdf")).rfind("$.workloads[1].sizes: expected a file", 0),
              0U)
        << FindFault(background("none.cdf"));
}

TEST_F(RpcKindTest, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {"workload.clients=client",
         "$.workload.clients: expected a group of $.groups (nearest: "
         "clients"},
        {"workload.servers=clients",
         "$.workload.servers: expected another group than that of the clients"},
        {"workload.request=write", "$.workload.request: expected one of"},
        {"workload.request=3", "$.workload.request: expected one of"},
        {R"(workload.kernel="ns3::rdma::ConsistencyKernel")",
         "$.workload.request: expected a request for which $.kernels.stores has "
         "ns3::rdma::ConsistencyKernel, got \"get-kernel\""},
        {R"(workload.kernel="ns3::rdma::Kernel")",
         "$.workload.kernel: expected a type below ns3::rdma::OffloadKernel"},
        {"workload.cores=2",
         "$.workload.cores: expected a request that cores carry out with it, got get-kernel"},
        {"workload.outstanding=0",
         "$.workload.outstanding: expected a whole number from 1 to 65536, got 0"},
        {"workload.requestsPerSecond=0",
         "$.workload.requestsPerSecond: expected a number above 0 and at most 1e+09, got 0"},
        {"workload.requestsPerSecond=1e10",
         "$.workload.requestsPerSecond: expected a number above 0 and at most 1e+09"},
        {"workload.keys=0", "$.workload.keys: expected a whole number from 1 to 16777216, got 0"},
        {"workload.zipf=-1", "$.workload.zipf: expected a number from 0 to 10, got -1"},
        {"workload.absent=1.5", "$.workload.absent: expected a number from 0 to 1, got 1.5"},
        {"workload.occupancy=0",
         "$.workload.occupancy: expected a number above 0 and at most 1, got 0"},
        {"workload.valueBytes=2MiB", "$.workload.valueBytes: expected at most 1MiB"},
        {"workload.duration=0us", "$.workload.duration: expected a time above zero"},
        {"workload.warmup=100us",
         "$.workload.warmup: expected a time before the duration is over, got \"100us\""},
        {"workload.kyes=1", "$.workload.kyes: expected a known key (nearest: keys"},
        {R"(workload.background={"type": "rpc"})",
         R"($.workload.background: expected "workloads": [{"name": "background", ...}, ...] in )"
         "place of it"},
        {R"(beside={"name": "background", "type": "incast", "senders": 9, "bytes": 1})",
         "$.workloads[1]: "},
        {R"(run={"fluidStart": "10us"})",
         "$.run.fluidStart: expected a workload of flows alone with it, got rpc"},
        {R"(run={"precision": 0.1, "warmup": "1us"})",
         "$.run.precision: expected a workload between all servers with it"},
    };
    for (const auto& [set, message] : cases)
    {
        const std::string found = FindFault(set);
        EXPECT_EQ(found.rfind(message, 0), 0U) << found;
    }
    const Scenario many = ReadGets({"workload.keys=1024", "workload.valueBytes=1MiB"});
    EXPECT_EQ(GetInputError([&] {
                  ReadGets({"workload.keys=1025", "workload.valueBytes=1MiB"});
              })
                  .rfind((m_folder / "s.json").string() +
                             ": $.workload.keys: expected at most 1 GiB of values, got 1025",
                         0),
              0U);
}

TEST_F(RpcKindTest, TheKernelMustAnswerTheRequest)
{
    const auto findFault = [this](const std::string& request, const std::string& kernel) {
        ScenarioChanges changes;
        changes.sets = {R"(kernels={"stores": ["ns3::rdma::)" + kernel + R"("]})",
                        "workload.request=" + request,
                        R"(workload.kernel="ns3::rdma::)" + kernel + '"'};
        return GetInputError([&] { Read(GOOD_RPC_SCENARIO, changes); });
    };
    EXPECT_EQ(findFault("get-kernel", "GetKernel"), "");
    EXPECT_EQ(findFault("traversal-kernel", "TraversalKernel"), "");
    for (const std::string kernel :
         {"TraversalKernel", "ConsistencyKernel", "ShuffleKernel", "HyperLogLogKernel"})
    {
        EXPECT_NE(findFault("get-kernel", kernel)
                      .find("$.workload.kernel: expected a kernel that answers requests of "
                            "get-kernel, got ns3::rdma::" +
                            kernel + ", which "),
                  std::string::npos)
            << findFault("get-kernel", kernel);
    }
    // Its parameters are the first of those of a traversal.
    EXPECT_EQ(findFault("traversal-kernel", "GetKernel"), "");
}

TEST_F(RpcKindTest, PeersMustUnderstandEachOther)
{
    EXPECT_NE(FindFault(R"(nics=[{"name": "mixed", "groups": {"stores": "strom100g"},
                                  "default": "srnic"}])")
                  .find("understand each other"),
              std::string::npos);
}

TEST_F(RpcKindTest, WithoutKernelsOnlyReadsAreLeft)
{
    EXPECT_EQ(FindFault("kernels={}").rfind("$.workload.request: expected a request for which", 0),
              0U);
    ScenarioChanges changes;
    changes.sets = {"kernels={}", "workload.request=read", R"(nics=["connectx6"])"};
    EXPECT_TRUE(Read(GOOD_RPC_SCENARIO, changes).kernels.empty());
    changes.sets.push_back(R"(workload.kernel="ns3::rdma::GetKernel")");
    EXPECT_NE(GetInputError([&] {
                  Read(GOOD_RPC_SCENARIO, changes);
              }).find("$.workload.kernel: expected a request that calls a kernel with it"),
              std::string::npos);
}

} // namespace
} // namespace ns3::rdma
