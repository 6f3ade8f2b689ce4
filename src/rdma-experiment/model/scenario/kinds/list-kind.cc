// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/list-workload.h"
#include "ns3/scenario-file.h"

#include <algorithm>

namespace ns3::rdma
{

/// Workload type "flows".
class ListKind : public FlowKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ListKind")
                                .SetParent<FlowKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<ListKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"flows", "flows written out in the scenario"};
    }

  protected:
    void VisitFlows(Keys& keys) override
    {
        keys.List("flows", m_flows, VisitFlow, "flows in any order").AtLeast(1).Required();
    }

    std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        // The list names the flow, "flows[3]: ...", which continues the path.
        return AtPlace(scenario.file, GetPath() + ".", [&] {
            return std::make_unique<ListWorkload>(topology, m_flows);
        });
    }

    FlowTargets FindTargets(const Scenario&, const TopologyGraph&) const override
    {
        FlowTargets targets;
        for (const FlowArrival& flow : m_flows)
        {
            targets.servers.insert(flow.dst);
            targets.largest = std::max(targets.largest, flow.bytes);
        }
        return targets;
    }

  private:
    static void VisitFlow(Keys& keys, FlowArrival& flow)
    {
        keys.Count("src", flow.src, "node id of the sender").Required();
        keys.Count("dst", flow.dst, "node id of the receiver").Required();
        keys.Bytes("bytes", flow.bytes, "size of the flow").AtLeast(0).Required();
        keys.Time("start", flow.startPs, "start, from that of the workload");
    }

    std::vector<FlowArrival> m_flows; ///< In the order of the file.
};

NS_OBJECT_ENSURE_REGISTERED(ListKind);

} // namespace ns3::rdma
