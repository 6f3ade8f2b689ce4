// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-graph.h"
#include "ns3/scenario-file.h"
#include "ns3/workload-kind.h"

namespace ns3::rdma
{

/// Workload type "ring": a ring all-reduce of all servers, one block per server and step.
class RingKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::RingKind").SetParent<WorkloadKind>().AddConstructor<RingKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"ring", "a ring all-reduce of all servers"};
    }

    void Visit(Keys& keys) override
    {
        keys.Bytes("bytes", m_bytes, "full buffer of a server").Required();
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        const std::vector<uint32_t> servers = topology.GetServers();
        const auto count = static_cast<uint32_t>(servers.size());
        std::vector<FlowOperation> operations;
        for (uint32_t step = 0; step < 2 * (count - 1); ++step)
        {
            for (uint32_t place = 0; place < count; ++place)
            {
                FlowOperation operation;
                operation.id = std::to_string(step) + "-" + std::to_string(place);
                operation.src = servers[place];
                operation.dst = servers[(place + 1) % count];
                operation.bytes = std::max<uint64_t>(m_bytes / count, 1);
                operation.queuePair = "from " + std::to_string(place);
                if (step > 0) // It passes on what it has received.
                {
                    operation.after = {(step - 1) * count + (place + count - 1) % count};
                }
                operations.push_back(operation);
            }
        }
        return AtPlace(scenario.file, "$.workload.", [&] {
            return std::make_unique<GraphWorkload>(FlowGraph(std::move(operations), topology));
        });
    }

  private:
    uint64_t m_bytes{0};
};

NS_OBJECT_ENSURE_REGISTERED(RingKind);

} // namespace ns3::rdma
