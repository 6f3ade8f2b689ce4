// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

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
        return {"hpcc-file", "a topology file of the HPCC simulator family", {"file"}, {"file"}};
    }

    void Read(const JsonValue& value) override
    {
        m_file = value.Get("file").GetString();
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["file"] = m_file;
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return HpccTopologyFile::Read(FindFile(scenario, m_file, "$.fabric.file"));
    }

  private:
    std::string m_file; ///< A path relative to the scenario file.
};

NS_OBJECT_ENSURE_REGISTERED(HpccTopologyKind);

} // namespace ns3::rdma
