// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

#include "ns3/random-stream.h"
#include "ns3/scenario-builder.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Draws runs of multipath presets, and of a paced queue pair that sprays, on one to four planes,
/// with losses, duplicates, reordering and links that fail.
class PlanesDraw
{
  public:
    explicit PlanesDraw(uint64_t seed)
        : m_random(seed, 0)
    {
    }

    std::string MakeText()
    {
        const uint32_t planes = 1 << Below(3);
        // Two leaves of two servers: servers 0 to 3, then per plane two leaves and two spines.
        std::string fabric = R"("topology": "leaf-spine", "leaves": 2, "spines": 2, )"
                             R"("serversPerLeaf": 2, "hostRate": "100Gbps", )"
                             R"("spineRate": "200Gbps", "linkDelay": "500ns", "planes": )" +
                             std::to_string(planes);
        fabric += R"(, "mtu": )" + Pick({"1024", "4096"});
        fabric += R"(, "lossRate": )" + Pick({"0", "0", "0.001", "0.01", "0.05"});
        if (Below(3) == 0)
        {
            const std::string rate = "ns3::rdma::LinkImpairment::";
            fabric += R"(, "losses": [{"model": "ns3::rdma::LinkImpairment", "attributes": {")" +
                      rate + R"(DuplicateRate": )" + Pick({"0", "0.01", "0.05"}) + R"(, ")" + rate +
                      R"(ReorderRate": )" + Pick({"0", "0.01", "0.05"}) + "}}]";
        }
        std::string flows;
        const uint32_t count = 2 + Below(20);
        for (uint32_t flow = 0; flow < count; ++flow)
        {
            const uint32_t src = Below(4);
            const uint32_t dst = (src + 1 + Below(3)) % 4;
            const uint64_t top = uint64_t{1} << Below(20);
            flows += (flow ? ", " : "") + (R"({"src": )" + std::to_string(src)) + R"(, "dst": )" +
                     std::to_string(dst) + R"(, "bytes": )" +
                     std::to_string(top + Below(static_cast<uint32_t>(top))) + R"(, "start": ")" +
                     std::to_string(flow * Below(3000)) + R"(ns"})";
        }
        // One plane at most is down at a time, so that all messages can arrive.
        std::string events;
        const uint32_t failed = planes > 1 ? Below(4) : 0;
        for (uint32_t event = 0; event < failed; ++event)
        {
            const uint32_t server = Below(4);
            const uint32_t port = Below(planes);
            const uint32_t leaf = 4 + 4 * port + server / 2;
            const uint32_t at = 40 * event + Below(20);
            for (const bool isUp : {false, true})
            {
                events += (events.empty() ? "" : ", ") +
                          (R"({"at": ")" + std::to_string(at + (isUp ? 20 : 0))) +
                          R"(us", "link": [)" + std::to_string(server) + ", " +
                          std::to_string(leaf) + R"(], "port": )" + std::to_string(port) +
                          R"(, "state": ")" + (isUp ? "up" : "down") + R"("})";
            }
        }
        const std::string nic =
            Pick({R"("uet")",
                  R"("uet-rccc")",
                  R"("mrc")",
                  R"("irn", "attributes": {"ns3::rdma::RdmaNic::EntropySelector":
                                         "ns3::rdma::ObliviousEntropy"})"});
        return R"({"name": "random", "fabric": {)" + fabric + R"(}, "nics": [{"preset": )" + nic +
               R"(, "hardware": ")" + Pick({"off", "on"}) + R"("}], "linkEvents": [)" + events +
               R"(], "workload": {"type": "flows", "flows": [)" + flows +
               R"(]}, "run": {"seed": )" + std::to_string(Below(1000)) + "}}";
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

    RandomStream m_random;
};

/// @return flows of flows.csv that ended by the retry count.
uint64_t
CountFailed(const std::string& flows)
{
    const std::string failed = ",failed\n";
    uint64_t count = 0;
    for (auto at = flows.find(failed); at != std::string::npos; at = flows.find(failed, at + 1))
    {
        ++count;
    }
    return count;
}

class RandomPlanes : public FolderTest
{
  protected:
    void Run(uint64_t first, uint64_t end)
    {
        for (uint64_t seed = first; seed < end; ++seed)
        {
            const std::string text = PlanesDraw(seed).MakeText();
            const Scenario scenario = Read(text);
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
            const TopologyGraph graph = MakeTopology(scenario); // Outlives the flows.
            const auto flows = MakeFlowSource(scenario, graph);
            // At 5 % per link a packet is lost with 0.185 on four links; eight losses of one packet
            // in a row, 1e-6, end its queue pair by the retry count.
            const bool mayFail = scenario.fabric.lossRate == 0.05;
            EXPECT_EQ(outcome.completed + (mayFail ? CountFailed(outcome.flows) : 0),
                      flows->GetFlowCount())
                << seed << ' ' << text;
            for (const std::string& violation : outcome.report.violations)
            {
                ADD_FAILURE() << violation << "\n" << text;
            }
        }
    }
};

class SlowRandomPlanes : public RandomPlanes
{
};

} // namespace

TEST_F(RandomPlanes, EveryFlowEndsAndNoInvariantBreaks)
{
    Run(0, 60);
}

TEST_F(SlowRandomPlanes, EveryFlowEndsAndNoInvariantBreaks)
{
    Run(60, 2000);
}
