// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

#include "ns3/parameter-sets.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// What a test needs of one line of flows.csv.
struct FlowRow
{
    double fctUs{0};
    double slowdown{0};
};

/// Runs of DCQCN senders into the last server of a star.
class DcqcnRun : public FolderTest
{
  protected:
    /// @return the lines of flows.csv, by number
    static std::map<uint32_t, FlowRow> ReadFlows(const std::string& csv)
    {
        std::map<uint32_t, FlowRow> rows;
        std::istringstream lines(csv);
        std::string line;
        std::getline(lines, line); // The header.
        while (std::getline(lines, line))
        {
            std::vector<std::string> fields;
            std::istringstream text(line);
            for (std::string field; std::getline(text, field, ',');)
            {
                fields.push_back(field);
            }
            rows[std::stoul(fields.at(0))] = {std::stod(fields.at(5)) / 1000,
                                              std::stod(fields.at(7))};
        }
        return rows;
    }

    /// @return a run of so many senders with equal flows of one parameter set into one port
    RunOutcome RunIncast(const std::string& parameters,
                         const std::string& rate,
                         const std::string& ecn,
                         uint32_t senders,
                         uint64_t bytes) const
    {
        std::ostringstream text;
        text << R"({"name": "incast", "fabric": {"topology": "star", "servers": )" << senders + 1
             << R"(, "hostRate": ")" << rate << R"(", "linkDelay": "1us", "ecn": {")" << rate
             << "\": " << ecn << R"(}}, "nics": [{"preset": "connectx6", "parameters": ")"
             << parameters << R"("}], "workload": {"type": "incast", "senders": )" << senders
             << R"(, "receiver": )" << senders << R"(, "bytes": )" << bytes << "}}";
        const Scenario scenario = Read(text.str());
        return RunScenario(scenario, scenario.nics[0]);
    }
};

/// The newcomer gets about half of the port: 2 less what the other one is behind by. When alpha
/// decayed from the start of a flow, the 40 MB flow was hardly cut and the slowdown 2.87.
TEST_F(DcqcnRun, AFlowThatStartsLaterGetsItsShare)
{
    const Scenario scenario = Read(R"({
  "name": "late",
  "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["connectx6"],
  "workload": {"type": "flows", "flows": [
      {"src": 0, "dst": 2, "bytes": "40MB", "start": "0us"},
      {"src": 1, "dst": 2, "bytes": "10MB", "start": "1ms"}]}
})");
    const auto rows = ReadFlows(RunScenario(scenario, scenario.nics[0]).flows);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_GT(rows.at(1).slowdown, 1.85);
    EXPECT_LT(rows.at(1).slowdown, 2.05);
}

TEST_F(DcqcnRun, SixteenFlowsOfTheDefaultSetShareAPort)
{
    const std::string set{DEFAULT_DCQCN_SET};
    const RunOutcome run = RunIncast(set,
                                     "100Gbps",
                                     R"({"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2})",
                                     16,
                                     8'000'000);
    double sum = 0;
    double squares = 0;
    for (const auto& [number, row] : ReadFlows(run.flows))
    {
        const double goodput = 1 / row.fctUs; // In flows per us: all are of the same size.
        sum += goodput;
        squares += goodput * goodput;
    }
    EXPECT_GT(sum * sum / (16 * squares), 0.97); // Jain's index.
}

/// Runs of a second and more.
class SlowDcqcnRun : public DcqcnRun
{
};

/**
 * Zhu et al. 2016 ("ECN or Delay", Eq. 14) for the share p of marked packets at which N flows
 * settle, with rates in packets per second and the byte counter B in packets:
 *
 *     p = cbrt(R_AI N^2 / (tau' C^2) (1 / B + N / (T C))^2)
 *
 * Frames take 1126 bytes of a link: C = 40e9 / 8 / 1126 = 4.440e6, R_AI = 40e6 / 8 / 1126 = 4440,
 * B = 1e7 / 1126 = 8881 (of 1102 each, which is all that the counter sees: 2 % more), T = tau' =
 * 55 us.  N = 10: 4440 x 100 / (55e-6 x 1.9714e13) = 4.095e-4, (1.126e-4 + 0.040950)^2 = 1.6861e-3,
 * the cube root of their product 8.84e-3.  N = 2: 1.638e-5 x (1.126e-4 + 8.190e-3)^2 = 1.1291e-9,
 * 1.041e-3.  Before they settle all flows send at line rate; that is left out by taking the same
 * run with shorter flows off.
 */
TEST_F(SlowDcqcnRun, FlowsOfThePapersSetSettleWhereItsFluidModelSays)
{
    struct Case
    {
        uint32_t senders;
        double share;   ///< p.
        uint64_t bytes; ///< Of each flow.
    };

    const std::string marking = R"({"kmin": "5kB", "kmax": "200kB", "pmax": 0.01})";
    for (const auto& [senders, expected, bytes] :
         {Case{2, 1.041e-3, 100'000'000}, Case{10, 8.84e-3, 80'000'000}})
    {
        const uint64_t startBytes = 80'000'000 / senders;
        const RunOutcome start = RunIncast("zhu2015", "40Gbps", marking, senders, startBytes);
        const RunOutcome whole = RunIncast("zhu2015", "40Gbps", marking, senders, bytes);
        const double packets = static_cast<double>(senders * (bytes - startBytes)) / 1024;
        const double share =
            static_cast<double>(whole.report.ecnMarks - start.report.ecnMarks) / packets;
        EXPECT_GT(share, expected / 1.5) << senders;
        EXPECT_LT(share, expected * 1.5) << senders;
        double first = 1e9;
        double last = 0;
        for (const auto& [number, row] : ReadFlows(whole.flows))
        {
            first = std::min(first, row.fctUs);
            last = std::max(last, row.fctUs);
        }
        EXPECT_GT(first / last, 0.9) << senders;
    }
}

} // namespace
