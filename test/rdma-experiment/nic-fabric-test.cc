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
