// SPDX-License-Identifier: GPL-2.0-only

// What a flow costs while it is active, and a server while it does nothing.

#include "../bench/child-process.h"
#include "scenario-fixture.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/node.h"
#include "ns3/scenario-builder.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"

#include <malloc.h>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Bytes in use on the heap; the pool of frames is mapped apart and not among them.
uint64_t
CountHeapBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

constexpr uint32_t SERVERS{64};
constexpr uint32_t FLOWS{8192};
constexpr uint64_t LIMIT_BYTES{1024};

/// Flows of 8 GiB, which do not end within the run, at 1 us.
std::string
MakeScenario(const std::string& nic, uint32_t flows)
{
    std::string list;
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        const uint32_t src = flow % SERVERS;
        const uint32_t dst = (src + 1 + flow / SERVERS % (SERVERS - 1)) % SERVERS;
        list += std::string(flow ? "," : "") + "{\"src\": " + std::to_string(src) +
                ", \"dst\": " + std::to_string(dst) + ", \"bytes\": \"8GiB\", \"start\": \"1us\"}";
    }
    return R"({"name": "active", "fabric": {"topology": "fat-tree", "servers": 64,
               "hostRate": "100Gbps", "fabricRate": "400Gbps", "linkDelay": "1us"},
               "nics": [")" +
           nic + R"("], "workload": {"type": "flows", "flows": [)" + list + "]}}";
}

/// @return what 30 us of flows have added to the heap: by then all have begun to send, and many
/// have seen acknowledgments and losses.
uint64_t
MeasureHeap(const Scenario& scenario)
{
    SimulationRun simulation(scenario, scenario.nics.front());
    std::ofstream rows("/dev/null");
    FlowLog log(rows);
    uint64_t before = 0;
    uint64_t active = 0;
    Simulator::Schedule(NanoSeconds(1), [&before] { before = CountHeapBytes(); });
    Simulator::Schedule(MicroSeconds(31), [&active] {
        active = CountHeapBytes();
        Simulator::Stop();
    });
    simulation.Run(log, [](const RunProgress&) { return true; });
    return active - before;
}

constexpr uint32_t IDLE_SERVERS{256};

/// @return heap bytes of a server: its node and NIC, without its port, the FabricDevice.
uint64_t
MeasureServer(const Scenario& scenario)
{
    uint64_t whole = 0;
    for (int turn = 0; turn < 2; ++turn) // The first fills what ns-3 keeps for all runs.
    {
        const uint64_t before = CountHeapBytes();
        const SimulationRun run(scenario, scenario.nics.front());
        whole = CountHeapBytes() - before;
    }
    UseFabricSimulator();
    uint64_t before = CountHeapBytes();
    const auto fabric = CreateObject<Fabric>();
    fabric->Build(MakeTopology(scenario), MakeFabricConfig(scenario, scenario.fabric.mtuBytes));
    const uint64_t fabricAlone = CountHeapBytes() - before;
    before = CountHeapBytes();
    for (uint32_t node = 0; node < IDLE_SERVERS; ++node)
    {
        CreateObject<Node>();
    }
    const uint64_t nodes = CountHeapBytes() - before;
    fabric->Dispose();
    Simulator::Destroy();
    return (whole - fabricAlone + nodes) / IDLE_SERVERS;
}

} // namespace

class ActiveMemory : public FolderTest
{
  protected:
    uint64_t MeasureInChild(const std::string& nic, uint32_t flows)
    {
        WriteFile("s.json", MakeScenario(nic, flows));
        return RunInChild<uint64_t>(
                   [this] { return MeasureHeap(ReadScenario((m_folder / "s.json").string())); })
            .value;
    }
};

TEST_F(ActiveMemory, AFlowCostsLessThanAKibibyteWithBothItsEnds)
{
    // Twice as many flows, otherwise the same: the difference is theirs, with the queue pairs at
    // both ends, their congestion control and loss recovery, and what the driver keeps of them.
    for (const std::string nic : {"srnic", "irn", "connectx6", "balboa"})
    {
        const uint64_t half = MeasureInChild(nic, FLOWS);
        const uint64_t whole = MeasureInChild(nic, 2 * FLOWS);
        const double bytesPerFlow = static_cast<double>(whole - half) / FLOWS;
        RecordProperty(nic, std::to_string(bytesPerFlow));
        EXPECT_LT(bytesPerFlow, LIMIT_BYTES) << nic;
        EXPECT_GT(bytesPerFlow, 300) << nic << ": the flows have not started";
    }
}

TEST_F(ActiveMemory, AnIdleServerCostsLessThanAKibibyteBesideItsPort)
{
    for (const std::string nic : {"srnic", "irn", "connectx6", "balboa"})
    {
        WriteFile("s.json",
                  R"({"name": "idle", "fabric": {"topology": "fat-tree", "servers": 256,
                  "hostRate": "100Gbps", "fabricRate": "400Gbps", "linkDelay": "1us"}, "nics": [")" +
                      nic + R"("], "workload": {"type": "flows",
                                      "flows": [{"src": 0, "dst": 1, "bytes": 1}]}})");
        const auto bytes = RunInChild<uint64_t>([this] {
                               return MeasureServer(ReadScenario((m_folder / "s.json").string()));
                           }).value;
        RecordProperty(nic, std::to_string(bytes));
        EXPECT_LT(bytes, LIMIT_BYTES) << nic;
        EXPECT_GT(bytes, 200) << nic << ": a node alone needs more";
    }
}
