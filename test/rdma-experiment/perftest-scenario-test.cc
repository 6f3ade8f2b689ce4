// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-scenario.h"

#include "ns3/input-error.h"
#include "ns3/run-design.h"
#include "ns3/scenario-builder.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

std::string
FindFault(const PerftestRequest& request)
{
    try
    {
        MakePerftestScenario(request, 4096);
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(PerftestScenario, JoinsTwoServersBackToBack)
{
    PerftestRequest request;
    request.rate = "25Gbps";
    request.delay = "300ns";
    const Scenario scenario = MakePerftestScenario(request, 2048);
    EXPECT_EQ(scenario.fabric.topology->GetInfo().name, "back-to-back");
    const GraphLink link = MakeTopology(scenario).links.at(0);
    EXPECT_EQ(link.rate, DataRate("25Gbps"));
    EXPECT_EQ(link.delay, NanoSeconds(300));
    EXPECT_EQ(scenario.fabric.mtuBytes, 2048);
    ASSERT_EQ(scenario.nics.size(), 1);
    EXPECT_EQ(scenario.nics[0].preset, "connectx6");
}

TEST(PerftestScenario, BuildsAFatTreeWithFasterLinksBetweenSwitches)
{
    PerftestRequest request;
    request.servers = 64;
    const Scenario scenario = MakePerftestScenario(request, 4096);
    EXPECT_EQ(scenario.fabric.topology->GetInfo().name, "fat-tree");
    EXPECT_EQ(MakeTopology(scenario).GetServerCount(), 64);
    EXPECT_EQ(MakeTopology(scenario).links.back().rate, DataRate("400Gbps"));
    EXPECT_EQ(scenario.fabric.ecn.count(400'000'000'000), 1); // Of each rate.
    EXPECT_EQ(scenario.fabric.ecn.count(100'000'000'000), 1);
}

TEST(PerftestScenario, SetsAttributes)
{
    PerftestRequest request;
    request.nic = "irn";
    request.hasIpv6 = true;
    request.settings = {"ns3::rdma::RdmaNic::AckInterval=4", "ns3::rdma::RdmaNic::AckInterval=8"};
    const auto attributes = MakePerftestScenario(request, 4096).nics[0].attributes;
    EXPECT_EQ(attributes.at("ns3::rdma::RdmaNic::Ipv6"), "true");
    EXPECT_EQ(attributes.at("ns3::rdma::RdmaNic::AckInterval"), "8");       // The last one counts.
    EXPECT_EQ(attributes.at("ns3::rdma::RdmaNic::BdpFlowControl"), "true"); // The preset's.
}

TEST(PerftestScenario, LosesPacketsOnEachLink)
{
    PerftestRequest request;
    request.lossRate = 0.01;
    EXPECT_EQ(MakePerftestScenario(request, 4096).fabric.lossRate, 0.01);
    request.lossRate = 1;
    EXPECT_EQ(FindFault(request),
              "perftest: --loss: expected a probability from 0 to below 1, got 1");
    request.lossRate = -0.5;
    EXPECT_EQ(FindFault(request),
              "perftest: --loss: expected a probability from 0 to below 1, got -0.5");
    request.lossRate = std::nan("");
    EXPECT_NE(FindFault(request), "");
}

TEST(PerftestScenario, HasTheSeedOfTheRequest)
{
    PerftestRequest request;
    EXPECT_EQ(MakePerftestScenario(request, 4096).run.seed, 1);
    request.seed = 7;
    EXPECT_EQ(MakePerftestScenario(request, 4096).run.seed, 7);
}

TEST(PerftestScenario, TimesTheHardwareOnlyIfAsked)
{
    PerftestRequest request;
    Scenario scenario = MakePerftestScenario(request, 4096);
    EXPECT_FALSE(scenario.nics[0].isHardwareTimed);
    EXPECT_EQ(scenario.nics[0].attributes.count("ns3::rdma::HostCpu::Cores"), 0);
    request.isHardwareTimed = true;
    scenario = MakePerftestScenario(request, 4096);
    EXPECT_TRUE(scenario.nics[0].isHardwareTimed);
    EXPECT_EQ(scenario.nics[0].attributes.at("ns3::rdma::HostCpu::Cores"), "1");
    request.threads = 16;
    scenario = MakePerftestScenario(request, 4096);
    EXPECT_EQ(scenario.nics[0].attributes.at("ns3::rdma::HostCpu::Cores"), "16");
}

TEST(PerftestScenario, GivesTheServerANicOfItsOwn)
{
    PerftestRequest request;
    request.peerNic = "balboa";
    request.settings = {"ns3::rdma::RdmaNic::AckInterval=4"};
    const Scenario scenario = MakePerftestScenario(request, 4096);
    ASSERT_EQ(scenario.nics.size(), 1);
    const std::vector<const DesignSpec*> designs = GetDesigns(scenario.nics[0]);
    ASSERT_EQ(designs.size(), 2);
    EXPECT_EQ(designs[0]->preset, "connectx6");
    EXPECT_EQ(designs[1]->preset, "balboa");
    EXPECT_EQ(FindDesign(scenario, scenario.nics[0], 0), designs[0]);
    EXPECT_EQ(FindDesign(scenario, scenario.nics[0], 1), designs[1]);
    for (const DesignSpec* design : designs)
    {
        EXPECT_EQ(design->attributes.at("ns3::rdma::RdmaNic::AckInterval"), "4") << design->preset;
    }
    request.peerNic = "connectx6";
    EXPECT_TRUE(MakePerftestScenario(request, 4096).nics[0].groups.empty());
    request.peerNic = "srnic";
    EXPECT_EQ(FindFault(request),
              "perftest: --peer-nic: expected a NIC that connectx6 understands, got srnic: "
              "ns3::rdma::IbtaFormat and ns3::rdma::SrnicFormat");
    request.peerNic = "none";
    EXPECT_EQ(FindFault(request).find("perftest: --peer-nic: expected a NIC preset"), 0);
}

TEST(PerftestScenario, NamesTheOptionThatIsAtFault)
{
    PerftestRequest request;
    request.rate = "fast";
    EXPECT_EQ(FindFault(request).find("perftest: --rate: expected"), 0) << FindFault(request);
    request = {};
    request.delay = "1";
    EXPECT_EQ(FindFault(request).find("perftest: --delay: expected"), 0) << FindFault(request);
    request = {};
    request.nic = "connectx66";
    EXPECT_EQ(FindFault(request).find("perftest: --nic: expected a NIC preset (nearest: connectx6"),
              0)
        << FindFault(request);
    request = {};
    request.servers = 65;
    EXPECT_EQ(FindFault(request),
              "perftest: --fabric: expected the servers of a fat-tree, 16, 64, 256, 1024 or 4096, "
              "got 65");
    request = {};
    request.settings = {"ns3::rdma::RdmaNic::AckInterval"};
    EXPECT_EQ(FindFault(request),
              "perftest: --set: expected NAME=VALUE, got ns3::rdma::RdmaNic::AckInterval");
    request.settings = {"ns3::rdma::RdmaNic::AckIntervall=1"};
    EXPECT_EQ(FindFault(request).find("perftest: --set"), 0) << FindFault(request);
    request.settings = {"ns3::rdma::RdmaNic::AckInterval=0"};
    EXPECT_EQ(FindFault(request).find("perftest: --set"), 0) << FindFault(request);
    request = {};
    request.servers = 16;
    request.rate = "9000000000Gbps";
    EXPECT_EQ(FindFault(request).find("perftest: --rate: expected"), 0) << FindFault(request);
}

TEST(PerftestScenario, PutsServicesAtBothEnds)
{
    PerftestRequest request;
    request.nic = "balboa";
    request.services = {R"({"type": "ns3::rdma::AesService", "slots": ["transmit", "receive"],
        "attributes": {"ns3::rdma::AesService::Key": "000102030405060708090a0b0c0d0e0f"}})"};
    const Scenario scenario = MakePerftestScenario(request, 4096);
    for (const char* group : {"client", "server"})
    {
        const auto& kernels = scenario.kernels.at(group);
        ASSERT_EQ(kernels.size(), 1);
        EXPECT_EQ(kernels[0].type, "ns3::rdma::AesService");
        ASSERT_EQ(kernels[0].slots.size(), 2);
        EXPECT_TRUE(kernels[0].slots[0].isSent);
        EXPECT_FALSE(kernels[0].slots[1].isSent);
    }
}

TEST(PerftestScenario, SaysWhatIsWrongWithAService)
{
    PerftestRequest request;
    request.nic = "balboa";
    request.services = {"aes"};
    EXPECT_EQ(FindFault(request).find("perftest: --service: expected a kernel as in scenarios"), 0)
        << FindFault(request);
    request.services = {R"({"type": "ns3::rdma::AesService"})"};
    EXPECT_EQ(FindFault(request).find("perftest: --service: expected a kernel as in scenarios"), 0)
        << FindFault(request);
    request.services = {R"({"type": "ns3::rdma::AseService", "slots": ["transmit"]})"};
    EXPECT_NE(FindFault(request).find("nearest: ns3::rdma::AesService"), std::string::npos)
        << FindFault(request);
    request.services = {R"({"type": "ns3::rdma::AesService", "slots": ["transmit"]})"};
    EXPECT_NE(FindFault(request).find("expected attributes with ns3::rdma::AesService::Key"),
              std::string::npos)
        << FindFault(request);
    request.nic = "irn";
    request.services = {R"({"type": "ns3::rdma::PassThroughService", "slots": ["transmit"]})"};
    EXPECT_NE(FindFault(request).find("expected a group whose NICs run kernels"), std::string::npos)
        << FindFault(request);
}
