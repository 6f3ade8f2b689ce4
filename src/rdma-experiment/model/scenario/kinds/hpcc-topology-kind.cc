// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "hpcc-file".
class HpccTopologyKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::HpccTopologyKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<HpccTopologyKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"hpcc-file", "a topology file of the HPCC simulator family"};
    }

    void Visit(Keys& keys) override
    {
        keys.File("file", m_file, "topology file of the HPCC simulator family").Required();
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return Read(scenario).graph;
    }

    std::vector<std::string> FindWarnings(const Scenario& scenario) const override
    {
        return Read(scenario).notes;
    }

  private:
    HpccTopology Read(const Scenario& scenario) const
    {
        return HpccTopologyFile::Read(FindFile(scenario, m_file, "$.fabric.file"));
    }

    std::string m_file; ///< A path relative to the scenario file.
};

NS_OBJECT_ENSURE_REGISTERED(HpccTopologyKind);

} // namespace ns3::rdma
