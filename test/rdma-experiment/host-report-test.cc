// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/host-report.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(HostReport, WritesALinePerNic)
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
    EXPECT_EQ(WriteHosts({host}),
              "server,nic,cpu_cores,software_cores,pcie_up_bytes,pcie_down_bytes,context_hits,"
              "context_misses,wqes_fetched,wqes_dropped,software_packets\n"
              "7,2,0.25,0.125,1,2,3,4,5,6,8\n");
}
