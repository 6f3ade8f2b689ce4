// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/host-report.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::rdma;

TEST(HostReport, HasARowPerNicAndTheirSums)
{
    HostRecord host;
    host.server = 7;
    host.nic = 2;
    host.cpuCores = 0.25;
    host.softwareCores = 0.125;
    host.pcieUpBytes = 1;
    host.pcieDownBytes = 2;
    host.contextHits = 3;
    host.contextMisses = 4;
    host.wqesFetched = 5;
    host.wqesDropped = 6;
    host.softwarePackets = 8;
    HostRecord other = host;
    other.nic = 1;
    other.cpuCores = 0.75;
    const ResultPart part = MakeHardwarePart({host, other});
    ASSERT_EQ(part.tables.size(), 1U);
    std::ostringstream text;
    text << part.tables[0].schema->GetHeader();
    part.tables[0].writeRows(text, "");
    EXPECT_EQ(text.str(),
              "server,nic,cpu_cores,software_cores,pcie_up_bytes,pcie_down_bytes,context_hits,"
              "context_misses,wqes_fetched,wqes_dropped,software_packets\n"
              "7,1,0.75,0.125,1,2,3,4,5,6,8\n"
              "7,2,0.25,0.125,1,2,3,4,5,6,8\n");
    EXPECT_EQ(part.name, "hardware");
    EXPECT_EQ(part.summary["cpu_cores"]["mean"], 0.5); // (0.25 + 0.75) / 2
    EXPECT_EQ(part.summary["cpu_cores"]["max"], 0.75);
    EXPECT_EQ(part.summary["pcie_down_bytes"], 4);   // 2 + 2
    EXPECT_EQ(part.summary["software_packets"], 16); // 8 + 8
}
