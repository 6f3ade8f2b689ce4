// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pipeline-report.h"

#include "ns3/input-error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{
using Json = nlohmann::ordered_json;

double
Sum(const Json& parts)
{
    double sum = 0;
    for (const auto& part : parts)
    {
        sum += part.at("ns").get<double>();
    }
    return sum;
}

double
Find(const Json& parts, const std::string& name)
{
    for (const auto& part : parts)
    {
        if (part.at("name") == name)
        {
            return part.at("ns").get<double>();
        }
    }
    ADD_FAILURE() << name;
    return -1;
}

std::string
GetError(const std::string& nic, uint32_t bytes)
{
    try
    {
        MakePipelineReport(nic, bytes);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "none";
}
} // namespace

TEST(PipelineReport, HasBalboasBlocks)
{
    const auto small = MakePipelineReport("balboa", 64);
    EXPECT_EQ(small.at("frame_bytes"), 138); // 58, RETH 16, 64.
    EXPECT_EQ(small.at("cycle_ns"), 4.0);
    EXPECT_EQ(small.at("bus_bytes"), 64);
    // 127 cycles, and 2 more in the block that waits for all of the 3 beats.
    EXPECT_DOUBLE_EQ(Sum(small.at("transmit")), 129 * 4.0);
    EXPECT_DOUBLE_EQ(Sum(small.at("receive")), 120 * 4.0);
    // 4170 bytes are 66 beats.
    const auto large = MakePipelineReport("balboa", 4096);
    EXPECT_DOUBLE_EQ(Sum(large.at("transmit")), (127 + 65) * 4.0);
    EXPECT_DOUBLE_EQ(Sum(large.at("receive")), 120 * 4.0);
}

TEST(PipelineReport, ShowsWhatThePaperSaysOfFigure5)
{
    // Packet processing dominates the stack, not the ICRC; arbitration outside it depends on the
    // length (BALBOA section 6.2).
    const auto small = MakePipelineReport("balboa", 64).at("transmit");
    const auto large = MakePipelineReport("balboa", 4096).at("transmit");
    const double processing =
        Find(small, "reth") + Find(small, "bth") + Find(small, "udp") + Find(small, "ip");
    EXPECT_GT(processing, 3 * Find(small, "icrc"));
    EXPECT_GT(processing, Find(small, "retransmission-mux") + Find(small, "flow-control"));
    EXPECT_EQ(Find(small, "icrc"), Find(large, "icrc"));
    EXPECT_GT(Find(large, "packet-fifo"), 5 * Find(small, "packet-fifo"));
}

TEST(PipelineReport, TakesEachPartOfPcieAlone)
{
    const auto pcie = MakePipelineReport("balboa", 4096).at("pcie");
    EXPECT_GT(Find(pcie, "payload read"), Find(pcie, "payload write"));
    EXPECT_GT(Find(pcie, "doorbell"), 0);
    const auto small = MakePipelineReport("balboa", 64).at("pcie");
    EXPECT_LT(Find(small, "payload read"), Find(pcie, "payload read"));
    EXPECT_EQ(Find(small, "completion"), Find(pcie, "completion"));
}

TEST(PipelineReport, FetchesWorkRequestsUnlessTheyComeWithTheDoorbell)
{
    EXPECT_EQ(Find(MakePipelineReport("balboa", 64).at("pcie"), "work request"), 0);
    const auto srnic = MakePipelineReport("srnic", 64).at("pcie");
    EXPECT_GT(Find(srnic, "work request"), 1000); // One PCIe round trip, 1.0 us and more.
}

TEST(PipelineReport, LeavesNoDefaultsBehind)
{
    const auto before = MakePipelineReport("srnic", 64);
    MakePipelineReport("balboa", 64);
    EXPECT_EQ(MakePipelineReport("srnic", 64), before);
}

TEST(PipelineReport, PrintsATable)
{
    std::ostringstream out;
    PrintPipelineReport(MakePipelineReport("balboa", 64), out);
    EXPECT_NE(out.str().find("balboa, WRITE of 64 bytes in one frame of 138; cycle 4 ns"),
              std::string::npos);
    EXPECT_NE(out.str().find("waits for the whole packet"), std::string::npos);
}

TEST(PipelineReport, RefusesWhatIsNoPresetOrPacket)
{
    EXPECT_NE(GetError("balbo", 64).find("list pipeline: --nic"), std::string::npos);
    EXPECT_NE(GetError("balboa", 0).find("--bytes: expected 1 to 4096, got 0"), std::string::npos);
    EXPECT_NE(GetError("balboa", 4097).find("got 4097"), std::string::npos);
}
