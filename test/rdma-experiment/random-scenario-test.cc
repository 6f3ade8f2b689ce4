// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

#include "ns3/nic-presets.h"
#include "ns3/random-stream.h"
#include "ns3/scenario-builder.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Draws scenarios small enough to run by the dozen and odd enough to meet rare paths.
class ScenarioDraw
{
  public:
    explicit ScenarioDraw(uint64_t seed)
        : m_random(seed, 0)
    {
    }

    std::string MakeText()
    {
        const std::string topology = Pick({"back-to-back", "star", "dumbbell", "fat-tree"});
        const uint32_t sides = topology == "dumbbell" ? 2 : 1;
        const uint32_t servers = topology == "back-to-back" ? 2 : topology == "fat-tree" ? 16 : 4;
        std::string fabric = R"("topology": ")" + topology + '"';
        if (topology != "back-to-back")
        {
            fabric += R"(, "servers": )" + std::to_string(servers);
        }
        fabric += R"(, "hostRate": ")" + Pick({"10Gbps", "25Gbps", "100Gbps", "200Gbps"}) + '"';
        fabric += R"(, "linkDelay": ")" + Pick({"10ns", "300ns", "1us", "5us"}) + '"';
        fabric += R"(, "buffer": ")" + Pick({"16MiB", "32MiB", "64MiB"}) + '"';
        fabric += R"(, "framing": ")" + Pick({"ethernet", "none"}) + '"';
        fabric += R"(, "mtu": )" + Pick({"256", "1000", "1024", "4096"});
        // PFC promises no drops only as long as no link loses frames: pauses may get lost too.
        const bool isLossy = Below(2) == 0;
        fabric += R"(, "lossRate": )" + (isLossy ? Pick({"0.001", "0.01", "0.05"}) : "0");
        std::string flows;
        const uint32_t count = 10 + Below(40);
        const uint32_t nodes = servers * sides;
        for (uint32_t flow = 0; flow < count; ++flow)
        {
            const uint32_t src = Below(nodes);
            const uint32_t dst = (src + 1 + Below(nodes - 1)) % nodes;
            flows += (flow ? ", " : "") + (R"({"src": )" + std::to_string(src)) + R"(, "dst": )" +
                     std::to_string(dst) + R"(, "bytes": )" + std::to_string(DrawBytes()) +
                     R"(, "start": ")" + std::to_string(flow * Below(3000)) + R"(ns"})";
        }
        const auto& presets = GetNicPresets();
        const std::string preset = presets[Below(static_cast<uint32_t>(presets.size()))].name;
        // Packets that are lost with their headers stay in the window of dcp until its timer
        // expires: at these rates of loss they use it up in each attempt.
        const std::string attributes =
            preset == "dcp" && isLossy
                ? R"("attributes": {"ns3::rdma::RdmaNic::BdpFlowControl": "false"}, )"
                : "";
        return R"({"name": "random", )" + attributes + R"("fabric": {)" + fabric +
               R"(}, "nics": [")" + preset + R"("], "workload": {"type": "flows", "flows": [)" +
               flows + R"(]}, "run": {"seed": )" + std::to_string(Below(1000)) + "}}";
    }

  private:
    uint32_t Below(uint32_t bound)
    {
        return m_random.Next32() % bound;
    }

    std::string Pick(const std::vector<std::string>& choices)
    {
        return choices[Below(static_cast<uint32_t>(choices.size()))];
    }

    /// Even over the orders of magnitude from 1 B to 1 MB.
    uint64_t DrawBytes()
    {
        const uint64_t top = uint64_t{1} << Below(21);
        return top + Below(static_cast<uint32_t>(top));
    }

    RandomStream m_random;
};

class RandomScenario : public FolderTest
{
};

TEST_F(RandomScenario, EveryFlowEndsAndNoInvariantBreaks)
{
    for (uint64_t seed = 0; seed < 60; ++seed)
    {
        const std::string text = ScenarioDraw(seed).MakeText();
        Scenario scenario = Read(text);
        // Starts need not rise in the text; the workload sorts them out or says so.
        const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
        const TopologyGraph graph = MakeTopology(scenario); // Outlives the flows.
        const auto flows = MakeFlowSource(scenario, graph);
        EXPECT_EQ(outcome.completed, flows->GetFlowCount()) << text;
        for (const std::string& violation : outcome.report.violations)
        {
            ADD_FAILURE() << violation << "\n" << text;
        }
    }
}

} // namespace
