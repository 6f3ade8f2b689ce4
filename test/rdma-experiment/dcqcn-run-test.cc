// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

#include <map>
#include <sstream>

namespace ns3::rdma
{
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
    /// @return the flows of the first NIC's run, by number
    static std::map<uint32_t, FlowRow> Run(const Scenario& scenario)
    {
        std::map<uint32_t, FlowRow> rows;
        std::istringstream lines(RunScenario(scenario, scenario.nics[0]).flows);
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
};

/// The newcomer gets about half of the port: 2 less what the other one is behind by. When alpha
/// decayed from the start of a flow, the 40 MB flow was hardly cut and the slowdown 2.87.
TEST_F(DcqcnRun, AFlowThatStartsLaterGetsItsShare)
{
    const auto rows = Run(Read(R"({
  "name": "late",
  "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["connectx6"],
  "workload": {"type": "flows", "flows": [
      {"src": 0, "dst": 2, "bytes": "40MB", "start": "0us"},
      {"src": 1, "dst": 2, "bytes": "10MB", "start": "1ms"}]}
})"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_GT(rows.at(1).slowdown, 1.85);
    EXPECT_LT(rows.at(1).slowdown, 2.05);
}

} // namespace
} // namespace ns3::rdma
