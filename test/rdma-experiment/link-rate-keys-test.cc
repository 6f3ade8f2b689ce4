// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/scenario-writer.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class LinkRateKeys : public FolderTest
{
  protected:
    /// @return the row of a flow of 100 packets from server 0 to 1 over switch 4.
    std::map<std::string, std::string> Run(const std::string& rates) const
    {
        const Scenario scenario = ReadChanged(
            {R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 102400}]})",
             "fabric.linkRates=" + rates});
        std::istringstream lines(RunScenario(scenario, scenario.nics[0]).flows);
        std::string names;
        std::string values;
        std::getline(lines, names);
        std::getline(lines, values);
        std::istringstream nameText(names);
        std::istringstream valueText(values);
        std::map<std::string, std::string> row;
        for (std::string name; std::getline(nameText, name, ',');)
        {
            std::getline(valueText, row[name], ',');
        }
        return row;
    }

    std::string FindFault(const std::string& rates) const
    {
        const std::string file = (m_folder / "s.json").string();
        return GetInputError([&] { ReadChanged({"fabric.linkRates=" + rates}); })
            .substr(file.size() + 2);
    }
};

/// A packet of IRN: 58 + 16 + 1024 bytes and 24 of Ethernet, 1122 bytes; an acknowledgment: 58 + 8
/// and 24, 90 bytes. A flow over two links of which the second has the time t for a packet: one
/// packet on the first link, 100 on the second, four delays, and the acknowledgment twice.
constexpr uint64_t
GetFct(uint64_t packetPs)
{
    return 1122 * 80 + 100 * packetPs + 4'000'000 + 2 * 90 * 80;
}

TEST_F(LinkRateKeys, ASlowDirectionDelaysTheFlowByItsPacketTimes)
{
    const auto healthy = Run("[]");
    const auto slow = Run(R"([{"link": [4, 1], "direction": "forward", "rate": "25Gbps"}])");
    EXPECT_EQ(std::stod(healthy.at("fct_ns")) * 1000, GetFct(1122 * 80));
    EXPECT_EQ(std::stod(slow.at("fct_ns")) * 1000, GetFct(1122 * 320));
    // The ideal is that of the fabric without the fault.
    EXPECT_EQ(slow.at("ideal_ns"), healthy.at("ideal_ns"));
}

TEST_F(LinkRateKeys, TheOtherDirectionKeepsItsRate)
{
    // Acknowledgments only: the last one takes 90 bytes of 320 ps instead of 80 ps.
    const auto row = Run(R"([{"link": [1, 4], "direction": "forward", "rate": "25Gbps"}])");
    EXPECT_EQ(std::stod(row.at("fct_ns")) * 1000, GetFct(1122 * 80) + 90 * 240);
}

TEST_F(LinkRateKeys, ALaterEntryReplacesAnEarlierOne)
{
    const auto row =
        Run(R"([{"link": [4, 1], "rate": "1Gbps"}, {"link": [1, 4], "rate": "100Gbps"}])");
    EXPECT_EQ(std::stod(row.at("fct_ns")) * 1000, GetFct(1122 * 80));
}

TEST_F(LinkRateKeys, AResolvedScenarioReadsBack)
{
    const Scenario scenario = ReadChanged(
        {R"(fabric.linkRates=[{"link": [4, 1], "direction": "forward", "rate": "25Gbps"},
                              {"link": [4, 2], "rate": "12.5Gbps"}])",
         R"(fabric.ecn={"25Gbps": {"kmin": "1kB", "kmax": "2kB", "pmax": 1}})"});
    const std::string once = WriteScenario(scenario);
    EXPECT_EQ(WriteScenario(Read(once)), once);
    EXPECT_NE(once.find("linkRates"), std::string::npos);
}

TEST_F(LinkRateKeys, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {R"([{"link": [0, 1], "rate": "25Gbps"}])",
         "$.fabric.linkRates[0].link: expected two nodes with a link between them, got [0,1]"},
        {R"([{"link": [0, 4]}])", "$.fabric.linkRates[0]: expected a key \"rate\", got none"},
        {R"([{"rate": "25Gbps"}])", "$.fabric.linkRates[0]: expected a key \"link\", got none"},
        {R"([{"link": [0, 4], "rate": "200Gbps"}])",
         "$.fabric.linkRates[0].rate: expected at most the rate of the link, \"100Gbps\""},
        {R"([{"link": [0, 4], "rate": "0Gbps"}])",
         "$.fabric.linkRates[0].rate: expected a rate above zero"},
        {R"([{"link": [0, 4], "rate": "25Gbps", "direction": "backward"}])",
         "$.fabric.linkRates[0].direction: expected"},
        {R"([{"link": [0, 4], "rate": "25Gbps", "speed": 1}])", "$.fabric.linkRates[0]"},
    };
    for (const auto& [rates, message] : cases)
    {
        const std::string found = FindFault(rates);
        EXPECT_EQ(found.rfind(message, 0), 0U) << found;
    }
}

} // namespace
