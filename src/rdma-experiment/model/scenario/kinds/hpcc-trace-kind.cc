// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-trace-file.h"
#include "ns3/scenario-file.h"
#include "ns3/workload-kind.h"

namespace ns3::rdma
{

/// Workload type "hpcc-trace".
class HpccTraceKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::HpccTraceKind")
                                .SetParent<WorkloadKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<HpccTraceKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"hpcc-trace", "a flow file of the HPCC simulator family"};
    }

    void Visit(Keys& keys) override
    {
        keys.File("file", m_file, "flows in the format of these simulators").Required();
        VisitFlowOperation(keys, m_operation);
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        return Read(scenario, topology);
    }

    std::vector<std::string> FindWarnings(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        return Read(scenario, topology)->GetNotes();
    }

    WrOpcode GetFlowOperation() const override
    {
        return m_operation;
    }

  private:
    std::unique_ptr<HpccTraceFile> Read(const Scenario& scenario,
                                        const TopologyGraph& topology) const
    {
        return std::make_unique<HpccTraceFile>(FindFile(scenario, m_file, GetPath() + ".file"),
                                               topology);
    }

    WrOpcode m_operation{WrOpcode::RDMA_WRITE};
    std::string m_file; ///< A path relative to the scenario file.
};

NS_OBJECT_ENSURE_REGISTERED(HpccTraceKind);

} // namespace ns3::rdma
