// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/result-names.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(ResultNames, FilesOfARunAreKnownByName)
{
    for (const char* name : {"flows.csv",
                             "summary.json",
                             "scenario.json",
                             "hosts.csv",
                             "rpcs.csv",
                             "samples.csv",
                             "streams.csv",
                             "threads.csv",
                             "report.html",
                             "timeline.json",
                             "host-0.pcap",
                             "host-12-nic-1-port-0.pcap"})
    {
        EXPECT_TRUE(IsRunFile(name)) << name;
        EXPECT_TRUE(IsReservedName(name)) << name;
    }
    for (const char* name : {"",
                             "flows.csv.tmp",
                             "notes.txt",
                             "host-.pcap",
                             "host-x.pcap",
                             "host-1.pcap.tmp",
                             "host-1-nic-2.pcap",
                             "host-1-port-2.pcap",
                             "my-host-1.pcap"})
    {
        EXPECT_FALSE(IsRunFile(name)) << name;
    }
}

TEST(ResultNames, NoNicMayHaveTheNameOfAFolderOfOurs)
{
    for (const char* name : {"plots", "series", "runs", "compare.csv", "figure.json"})
    {
        EXPECT_TRUE(IsReservedName(name)) << name;
        EXPECT_FALSE(IsRunFile(name)) << name;
    }
    EXPECT_FALSE(IsReservedName("connectx6"));
}

TEST(ResultNames, DerivedFilesComeInThreeFormats)
{
    std::size_t plots = 0;
    for (const std::string& file : GetDerivedFiles())
    {
        plots += file.rfind("plots/", 0) == 0;
    }
    EXPECT_EQ(plots, 17 * 3U);
    for (const std::string& file : GetSeriesFiles())
    {
        EXPECT_EQ(file.rfind("series/", 0), 0U) << file;
    }
}
