// SPDX-License-Identifier: GPL-2.0-only

#include "scenario-fixture.h"

#include "ns3/flow-log.h"
#include "ns3/hpcc-trace-file.h"
#include "ns3/incast-workload.h"
#include "ns3/list-workload.h"
#include "ns3/poisson-workload.h"
#include "ns3/run-plan.h"
#include "ns3/scenario-builder.h"
#include "ns3/simulation-run.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Counts how often a topology is made.
class CountedTopology : public TopologyKind
{
  public:
    explicit CountedTopology(Ptr<const TopologyKind> kind)
        : m_kind(ConstCast<TopologyKind>(kind))
    {
    }

    KindInfo GetInfo() const override
    {
        return m_kind->GetInfo();
    }

    void Visit(Keys& keys) override
    {
        m_kind->Visit(keys);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        ++m_made;
        return m_kind->Make(scenario);
    }

    mutable int m_made{0};

  private:
    Ptr<TopologyKind> m_kind;
};

/// Counts how often a source of flows is made.
class CountedWorkload : public WorkloadKind
{
  public:
    CountedWorkload(Ptr<const WorkloadKind> kind, bool canRewind)
        : m_kind(ConstCast<WorkloadKind>(kind)),
          m_canRewind(canRewind)
    {
    }

    KindInfo GetInfo() const override
    {
        return m_kind->GetInfo();
    }

    void Visit(Keys& keys) override
    {
        m_kind->Visit(keys);
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        ++m_made;
        return std::make_unique<Source>(m_kind->Make(scenario, topology), m_canRewind);
    }

    mutable int m_made{0};

  private:
    class Source : public FlowSource
    {
      public:
        Source(std::unique_ptr<FlowSource> source, bool canRewind)
            : m_source(std::move(source)),
              m_canRewind(canRewind)
        {
        }

        std::optional<FlowArrival> Next() override
        {
            return m_source->Next();
        }

        bool Rewind() override
        {
            return m_canRewind && m_source->Rewind();
        }

        std::optional<uint64_t> GetFlowCount() const override
        {
            return m_source->GetFlowCount();
        }

      private:
        std::unique_ptr<FlowSource> m_source;
        bool m_canRewind;
    };

    Ptr<WorkloadKind> m_kind;
    bool m_canRewind;
};

using Rows = std::vector<std::tuple<uint32_t, uint32_t, uint64_t, int64_t>>;

Rows
ReadAll(FlowSource& source)
{
    Rows rows;
    while (const auto flow = source.Next())
    {
        rows.emplace_back(flow->src, flow->dst, flow->bytes, flow->startPs);
    }
    return rows;
}

class RunInputTest : public FolderTest
{
  protected:
    /// Plans GOOD_SCENARIO and runs its two NICs. @return lines of flows.csv, without headers
    int RunBoth(bool canRewind)
    {
        const auto prepared = std::make_shared<PreparedScenario>();
        Scenario& scenario = prepared->scenario;
        scenario = ReadChanged({});
        m_topology = CreateObject<CountedTopology>(scenario.fabric.topology);
        m_workload = CreateObject<CountedWorkload>(scenario.workloads.front(), canRewind);
        scenario.fabric.topology = m_topology;
        scenario.workloads = {m_workload};
        const RunPlan plan = PlanRun(prepared, (m_folder / "results").string());
        int lines = 0;
        for (const NicSpec& nic : scenario.nics)
        {
            std::ostringstream rows;
            FlowLog log(rows);
            SimulationRun run(*prepared, nic);
            run.Run(log, [](const RunProgress&) { return true; });
            const std::string text = rows.str();
            lines += static_cast<int>(std::count(text.begin(), text.end(), '\n')) - 1;
        }
        return lines;
    }

    Ptr<CountedTopology> m_topology;
    Ptr<CountedWorkload> m_workload;
};

} // namespace

TEST_F(RunInputTest, APlanAndItsRunsMakeTheTopologyAndTheFlowsOnce)
{
    EXPECT_EQ(RunBoth(true), 4); // Two flows, two NICs.
    EXPECT_EQ(m_topology->m_made, 1);
    EXPECT_EQ(m_workload->m_made, 1);
}

TEST_F(RunInputTest, FlowsThatCannotBeRewoundAreMadeAgain)
{
    EXPECT_EQ(RunBoth(false), 4);
    EXPECT_EQ(m_topology->m_made, 1);
    EXPECT_EQ(m_workload->m_made, 4); // To check that they fit, to count them, and for two runs.
}

TEST_F(RunInputTest, AFluidStartBeginsAnewWithEachStart)
{
    // 1 MB at 100 Gb/s takes 80 us: half of it is left after 40 us.
    const Scenario scenario =
        ReadChanged({"run.fluidStart=40us",
                     R"(workload={"type":"flows","flows":[{"src":2,"dst":3,"bytes":"1MB"}]})"});
    RunInput input(scenario);
    const auto first = input.StartRunFlows()->Next();
    const auto again = input.StartRunFlows()->Next();
    ASSERT_TRUE(first && again);
    EXPECT_GT(first->fluidBytes, 400'000U);
    EXPECT_LT(first->fluidBytes, 500'000U); // Headers take their share of the link.
    EXPECT_EQ(again->fluidBytes, first->fluidBytes);
}

TEST_F(RunInputTest, EachKindOfFlowsRewoundGivesTheSameFlows)
{
    const TopologyGraph graph = MakeTopology(ReadChanged({}));
    const std::string trace =
        WriteFile("flow.txt", "2\n0 1 3 100 1000 2.0\n1 2 3 100 500 2.000001\n");
    HpccTraceFile file(trace, graph);
    ListWorkload list(graph, {{0, 1, 7, 20}, {2, 3, 9, 10}});
    IncastWorkload incast(graph, {{1, 2}, 0, 1000, MicroSeconds(1), MicroSeconds(2), 2});
    const FlowSizeCdf sizes({{1000, 0}, {2000, 1}});
    PoissonWorkload poisson(graph, sizes, {0.5, MicroSeconds(50), 1});
    for (FlowSource* source : {static_cast<FlowSource*>(&file),
                               static_cast<FlowSource*>(&list),
                               static_cast<FlowSource*>(&incast),
                               static_cast<FlowSource*>(&poisson)})
    {
        source->Next();
        ASSERT_TRUE(source->Rewind());
        const Rows rows = ReadAll(*source);
        EXPECT_GE(rows.size(), 2U);
        ASSERT_TRUE(source->Rewind());
        EXPECT_EQ(ReadAll(*source), rows);
    }
}
