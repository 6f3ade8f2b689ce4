// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-scenario.h"

#include "ns3/input-error.h"

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
    EXPECT_EQ(scenario.fabric.topology, "back-to-back");
    EXPECT_EQ(scenario.fabric.hostRate, DataRate("25Gbps"));
    EXPECT_EQ(scenario.fabric.linkDelay, NanoSeconds(300));
    EXPECT_EQ(scenario.fabric.mtuBytes, 2048);
    ASSERT_EQ(scenario.nics.size(), 1);
    EXPECT_EQ(scenario.nics[0].preset, "connectx6");
}

TEST(PerftestScenario, BuildsAFatTreeWithFasterLinksBetweenSwitches)
{
    PerftestRequest request;
    request.servers = 64;
    const Scenario scenario = MakePerftestScenario(request, 4096);
    EXPECT_EQ(scenario.fabric.topology, "fat-tree");
    EXPECT_EQ(scenario.fabric.servers, 64);
    EXPECT_EQ(scenario.fabric.fabricRate, DataRate("400Gbps"));
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
