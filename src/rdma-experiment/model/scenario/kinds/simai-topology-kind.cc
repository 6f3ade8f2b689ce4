// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/simai-topology-file.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "simai-file".
class SimaiTopologyKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::SimaiTopologyKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<SimaiTopologyKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"simai-file", "a topology file of SimAI (ns-3-alibabacloud)"};
    }

    void Visit(Keys& keys) override
    {
        keys.File("file", m_file, "topology file of SimAI").Required();
    }

    void Resolve(const JsonValue& value) override
    {
        CheckOwnNics(value);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return SimaiTopologyFile::Read(FindFile(scenario, m_file, "$.fabric.file"));
    }

  private:
    std::string m_file; ///< A path relative to the scenario file.
};

NS_OBJECT_ENSURE_REGISTERED(SimaiTopologyKind);

} // namespace ns3::rdma
