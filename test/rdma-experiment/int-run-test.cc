// SPDX-License-Identifier: GPL-2.0-only

// HPCC and Swift in whole runs.

#include "run-fixture.h"

#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t SENDERS{16};
constexpr uint64_t PACKETS_EACH{1000};

/// Sixteen equal flows into one port, whose frames are marked where they leave 50 kB behind.
class IntRun : public FolderTest
{
  protected:
    RunOutcome RunIncast(const std::string& control) const
    {
        std::ostringstream text;
        text << R"({"name": "incast", "fabric": {"topology": "star", "servers": )" << SENDERS + 1
             << R"(, "hostRate": "100Gbps", "linkDelay": "1us", "buffer": "16MiB",)"
             << R"( "bufferAlpha": {"100Gbps": 8},)"
             << R"( "ecn": {"100Gbps": {"kmin": "50kB", "kmax": "50kB", "pmax": 1}}},)"
             << R"( "nics": [{"preset": "connectx6", "congestionControl": ")" << control
             << R"("}], "workload": {"type": "incast", "senders": )" << SENDERS
             << R"(, "receiver": )" << SENDERS << R"(, "bytes": )" << PACKETS_EACH * 1024 << "}}";
        const Scenario scenario = Read(text.str());
        return RunScenario(scenario, scenario.nics[0]);
    }

    /// @return completion times, us
    static std::vector<double> GetTimes(const std::string& csv)
    {
        constexpr int FCT_COLUMN{5};
        std::vector<double> times;
        std::istringstream lines(csv);
        std::string line;
        std::getline(lines, line); // The header.
        while (std::getline(lines, line))
        {
            std::istringstream fields(line);
            std::string field;
            for (int column = 0; column <= FCT_COLUMN; ++column)
            {
                std::getline(fields, field, ',');
            }
            times.push_back(std::stod(field) / 1000);
        }
        return times;
    }

    static double ComputeJainIndex(const std::vector<double>& times)
    {
        double sum = 0;
        double squares = 0;
        for (const double time : times)
        {
            sum += 1 / time; // All flows have the same size.
            squares += 1 / time / time;
        }
        return sum * sum / (static_cast<double>(times.size()) * squares);
    }
};
} // namespace

TEST_F(IntRun, SixteenFlowsOfHpccShareAPortWithAlmostNoQueue)
{
    const RunOutcome run = RunIncast("ns3::rdma::Hpcc");
    EXPECT_EQ(run.completed, SENDERS);
    EXPECT_EQ(run.report.drops.at("buffer-full"), 0);
    EXPECT_EQ(run.report.retransmitted, 0);
    EXPECT_GT(ComputeJainIndex(GetTimes(run.flows)), 0.99);
    // All start with a bandwidth-delay product, 16 x 50 kB, of which the first 50 kB and what meets
    // less than that at the end pass unmarked: some 800 frames. Later queues stay below.
    EXPECT_LT(run.report.ecnMarks, 1200);
}

TEST_F(IntRun, SixteenFlowsOfPowerTcpShareAPortWithAlmostNoQueue)
{
    const RunOutcome run = RunIncast("ns3::rdma::PowerTcp");
    EXPECT_EQ(run.completed, SENDERS);
    EXPECT_EQ(run.report.drops.at("buffer-full"), 0);
    EXPECT_EQ(run.report.retransmitted, 0);
    EXPECT_GT(ComputeJainIndex(GetTimes(run.flows)), 0.99);
    // Of 16,000 packets, those of the first two windows of 50 meet a queue. Then w = w / power +
    // beta holds for all, with a queue of 16 beta, 1.2 kB.
    EXPECT_LT(run.report.ecnMarks, SENDERS * 2 * 50);
}

TEST_F(IntRun, SixteenFlowsOfThetaPowerTcpShareAPort)
{
    const RunOutcome run = RunIncast("ns3::rdma::ThetaPowerTcp");
    EXPECT_EQ(run.completed, SENDERS);
    EXPECT_EQ(run.report.drops.at("buffer-full"), 0);
    EXPECT_EQ(run.report.retransmitted, 0);
    EXPECT_GT(ComputeJainIndex(GetTimes(run.flows)), 0.99);
}

TEST_F(IntRun, SixteenFlowsOfSwiftShareAPortAtItsTarget)
{
    const RunOutcome run = RunIncast("ns3::rdma::Swift");
    EXPECT_EQ(run.completed, SENDERS);
    EXPECT_EQ(run.report.drops.at("buffer-full"), 0);
    EXPECT_EQ(run.report.retransmitted, 0);
    EXPECT_GT(ComputeJainIndex(GetTimes(run.flows)), 0.99);
    // Always more than 50 kB: the target is a queue of more than 20 us, 250 kB. So the link is
    // never idle: 16 x 1000 packets of 1106 bytes take 1,416 us.
    double last = 0;
    for (const double time : GetTimes(run.flows))
    {
        last = std::max(last, time);
    }
    EXPECT_LT(last, 1'416 * 1.02);
}

TEST_F(IntRun, HpccMarksFarLessThanDcqcnAcrossATree)
{
    const Scenario scenario = Read(R"({
  "name": "tree",
  "fabric": {"topology": "fat-tree", "servers": 64},
  "nics": ["connectx6", {"preset": "connectx6", "name": "hpcc", "congestionControl": "ns3::rdma::Hpcc"}],
  "workload": {"type": "incast", "senders": 16, "receiver": 63, "bytes": "1MB"}
})");
    const RunOutcome dcqcn = RunScenario(scenario, scenario.nics[0]);
    const RunOutcome hpcc = RunScenario(scenario, scenario.nics[1]);
    EXPECT_EQ(hpcc.completed, 16);
    EXPECT_EQ(hpcc.report.drops.at("buffer-full"), 0);
    EXPECT_LT(hpcc.report.ecnMarks, dcqcn.report.ecnMarks / 2);
}
