// SPDX-License-Identifier: GPL-2.0-only

// Keys of the switches that an entry of "nics" has for itself.

#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/run-design.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class NicFabric : public FolderTest
{
  protected:
    /// An incast of seven servers with two NICs. @param nic the first one
    Scenario ReadIncast(const std::string& nic, const std::vector<std::string>& sets = {}) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(R"({"name": "own",
            "fabric": {"topology": "star", "servers": 8, "hostRate": "100Gbps", "linkDelay": "1us",
                       "buffer": "1MiB"},
            "nics": [)" +
                        nic + R"(, "srnic"],
            "workload": {"type": "incast", "senders": 7, "bytes": "500kB"}})",
                    changes);
    }
};

uint64_t
CountDrops(const RunReport& report)
{
    uint64_t drops = 0;
    for (const auto& [reason, count] : report.drops)
    {
        drops += count;
    }
    return drops;
}

} // namespace

TEST_F(NicFabric, ALosslessNicIsComparedWithALossyOneInOneScenario)
{
    // 8 ports set aside 4,096 + 37,500 bytes each: of 400 kB, 67 kB are free, of which a port may
    // use an eighth (8 kB) before it pauses. The windows of irn, a BDP of some 50 kB, are larger.
    const Scenario scenario = ReadIncast(
        R"({"preset": "irn", "name": "lossless", "fabric": {"pfc": true, "buffer": "400kB",
                                                            "ecn": "off"}})");
    const RunOutcome lossless = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(lossless.completed, 7U);
    EXPECT_EQ(CountDrops(lossless.report), 0U);
    EXPECT_EQ(lossless.report.ecnMarks, 0U);
    EXPECT_GT(lossless.report.pfcPauses, 0U);
    const RunOutcome lossy = RunScenario(scenario, scenario.nics[1]);
    EXPECT_EQ(lossy.completed, 7U);
    EXPECT_EQ(lossy.report.pfcPauses, 0U);
    EXPECT_EQ(MakeFabricAttributes(scenario, scenario.nics[1])
                  .Find("ns3::rdma::FabricSwitch::BufferSize"),
              "1048576");
}

TEST_F(NicFabric, IsTheSameAsAScenarioThatHasTheKeysInItsFabric)
{
    const Scenario own = ReadIncast(R"({"preset": "irn", "fabric": {
        "pfc": true, "buffer": "2MiB", "headroom": {"100Gbps": "50kB"},
        "bufferAlpha": {"100Gbps": 0.5}, "ecn": {"100Gbps": {"kmin": "10kB", "kmax": "90kB",
        "pmax": 0.5}}, "attributes": {"ns3::rdma::FabricSwitch::ResumeMargin": 5000}}})");
    const Scenario common =
        ReadIncast("\"irn\"",
                   {"fabric.pfc=true",
                    "fabric.buffer=2MiB",
                    R"(fabric.headroom={"100Gbps": "50kB"})",
                    R"(fabric.bufferAlpha={"100Gbps": 0.5})",
                    R"(fabric.ecn={"100Gbps": {"kmin": "10kB", "kmax": "90kB", "pmax": 0.5}})",
                    "fabric.attributes.ns3::rdma::FabricSwitch::ResumeMargin=5000"});
    EXPECT_EQ(RunScenario(own, own.nics[0], true).fingerprint,
              RunScenario(common, common.nics[0], true).fingerprint);
    const Scenario plain = ReadIncast("\"irn\"");
    EXPECT_NE(RunScenario(own, own.nics[0], true).fingerprint,
              RunScenario(plain, plain.nics[0], true).fingerprint);
}

TEST_F(NicFabric, ClassesOfItsOwnAreThoseOfAFabricThatHasThem)
{
    const std::string classes = R"({"3": {"lossless": true, "weight": 3, "pool": "storage"},
                                    "0": {"weight": 1}})";
    const std::string pools = R"({"storage": "600kB"})";
    const std::string watchdog = R"({"detection": "100us", "restoration": "100us"})";
    const Scenario own =
        ReadIncast(R"({"preset": "irn", "fabric": {"pfc": true, "classes": )" + classes +
                   R"(, "pools": )" + pools + R"(, "watchdog": )" + watchdog + "}}");
    const Scenario common = ReadIncast("\"irn\"",
                                       {"fabric.pfc=true",
                                        "fabric.classes=" + classes,
                                        "fabric.pools=" + pools,
                                        "fabric.watchdog=" + watchdog});
    EXPECT_EQ(RunScenario(own, own.nics[0], true).fingerprint,
              RunScenario(common, common.nics[0], true).fingerprint);
    // The other NIC of the scenario has none of them.
    EXPECT_TRUE(RunScenario(own, own.nics[1]).report.classes.empty());
    EXPECT_FALSE(RunScenario(own, own.nics[0]).report.classes.empty());
    const Scenario plain = ReadIncast("\"irn\"");
    EXPECT_EQ(RunScenario(own, own.nics[1], true).fingerprint,
              RunScenario(plain, plain.nics[1], true).fingerprint);
}

TEST_F(NicFabric, ClassesOfItsOwnReplaceThoseOfTheFabricAndTheirPools)
{
    const Scenario scenario =
        ReadIncast(R"({"preset": "irn", "fabric": {"classes": {"5": {"lossless": true}}}})",
                   {R"(fabric.classes={"3": {"lossless": true, "pool": "storage"}})",
                    R"(fabric.pools={"storage": "300kB"})",
                    "fabric.watchdog={}"});
    const FabricSpec own = ChangeFabric(scenario, scenario.nics[0]);
    EXPECT_EQ(own.classes.size(), 1U);
    EXPECT_EQ(own.classes.count("5"), 1U);
    EXPECT_TRUE(own.pools.empty());
    EXPECT_TRUE(own.watchdog); // That of the fabric.
    const FabricSpec other = ChangeFabric(scenario, scenario.nics[1]);
    EXPECT_EQ(other.classes.count("3"), 1U);
    EXPECT_EQ(other.pools.size(), 1U);
    const auto written =
        nlohmann::json::parse(WriteRunScenario(scenario, scenario.nics[0], MakeDigest(scenario)));
    EXPECT_EQ(written["fabric"]["classes"].dump(), R"({"5":{"lossless":true}})");
    EXPECT_FALSE(written["fabric"].contains("pools"));
    EXPECT_EQ(WriteScenario(Read(WriteScenario(scenario))), WriteScenario(scenario));
}

TEST_F(NicFabric, ResultsHaveItAndReadTheSame)
{
    const Scenario scenario = ReadIncast(
        R"({"preset": "irn", "fabric": {"pfc": true, "admissionPolicy": "ns3::rdma::TailDrop",
                                        "ecn": "off"}})");
    const auto written =
        nlohmann::json::parse(WriteRunScenario(scenario, scenario.nics[0], MakeDigest(scenario)));
    EXPECT_EQ(written["nics"][0]["fabric"].dump(),
              R"({"admissionPolicy":"ns3::rdma::TailDrop","ecn":"off","pfc":true})");
    EXPECT_EQ(written["fabric"]["pfc"], true);
    EXPECT_EQ(written["fabric"]["ecn"]["100Gbps"], "off");
    EXPECT_FALSE(written["rocelab"]["scenario"].contains("pfc")); // The scenario has none.
    EXPECT_EQ(WriteScenario(Read(WriteScenario(scenario))), WriteScenario(scenario));
    // Runs of the same scenario, whatever a NIC has for itself.
    EXPECT_EQ(MakeDigest(scenario).hash, MakeDigest(ReadIncast("\"irn\"")).hash);
}

TEST_F(NicFabric, FaultsNameTheKey)
{
    const std::pair<const char*, const char*> cases[]{
        {R"({"preset": "irn", "fabric": {"classes": {}}})", "$.nics[0].fabric.classes: expected"},
        {R"({"preset": "irn", "fabric": {"classes": {"8": {}}}})",
         "$.nics[0].fabric.classes.8: expected the number of a class"},
        {R"({"preset": "irn", "fabric": {"classes": {"3": {"weight": 0}}}})",
         "$.nics[0].fabric.classes.3.weight: expected"},
        {R"({"preset": "irn", "fabric": {"classes": {"3": {"pool": "a"}}}})",
         "$.nics[0].fabric.classes.3.pool: expected the name of a pool"},
        {R"({"preset": "irn", "fabric": {"classes": {"3": {}}, "pools": {"a": "1MB"}}})",
         "$.nics[0].fabric.pools.a: expected a pool that a class"},
        {R"({"preset": "irn", "fabric": {"pools": {"a": "1MB"}}})",
         "$.nics[0].fabric.pools: expected no such key without \"classes\""},
        {R"({"preset": "irn", "fabric": {"classes": {"3": {"ecn": {"7Gbps": "off"}}}}})",
         "$.nics[0].fabric.classes.3.ecn.7Gbps: expected the rate of a link"},
        {R"({"preset": "uet", "fabric": {"classes": {"3": {"marking": "enqueue"}}}})",
         "$.nics[0].fabric.classes.3.marking: expected no such key under \"markingPolicy\""},
        {R"({"preset": "irn", "fabric": {"watchdog": {"detection": "0us"}}})",
         "$.nics[0].fabric.watchdog.detection: expected"},
        {R"({"preset": "irn", "fabric": {"bufferAlpha": {"100Gbps": 1e300}}})",
         "$.nics[0].fabric.bufferAlpha.100Gbps: expected a factor above zero, at most 1048576"},
        {R"({"preset": "uet", "fabric": {"ecn": {"100Gbps": {"kmin": "1kB", "kmax": "2kB",
                                                              "pmax": 1}}}})",
         "$.nics[0].fabric.ecn: expected no thresholds under a marking policy that has its own "
         "(NIC uet)"},
        {R"({"preset": "irn", "fabric": {"bufer": "1MiB"}})",
         "$.nics[0].fabric.bufer: expected a known key (nearest: buffer"},
        {R"({"preset": "irn", "fabric": {"ecn": {"7Gbps": "off"}}})",
         "$.nics[0].fabric.ecn.7Gbps: expected the rate of a link, such as \"100Gbps\""},
        {R"({"preset": "irn", "fabric": {"attributes": {"ns3::rdma::RdmaNic::AckInterval": 1}}})",
         "$.nics[0].fabric.attributes.ns3::rdma::RdmaNic::AckInterval: expected an attribute of "
         "the switches"},
        // Eight ports of 100 Gb/s with 1 us: reserve 4096 and headroom 3 x 12500 bytes each.
        {R"({"preset": "irn", "fabric": {"pfc": true, "buffer": "300kB"}})",
         "$.nics[0].fabric.buffer: expected more than the 332768 bytes"},
        {R"({"preset": "irn", "fabric": {"pfc": true, "attributes":
             {"ns3::rdma::FabricSwitch::LosslessPriorities": 0}}})",
         "$.nics[0].fabric.attributes.ns3::rdma::FabricSwitch::LosslessPriorities: expected at "
         "least one priority, since irn is run with PFC"},
    };
    for (const auto& [nic, message] : cases)
    {
        const std::string fault = GetInputError([&, nic = nic] { ReadIncast(nic); });
        EXPECT_NE(fault.find(message), std::string::npos) << fault;
    }
}
