// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "star".
class StarKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::StarKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<StarKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"star", "servers around one switch", {"servers", "hostRate", "linkDelay"}, {}};
    }

    void Read(const JsonValue& value) override
    {
        m_servers = ReadServerCount(value, 2);
        m_hosts.Read(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["servers"] = m_servers;
        m_hosts.Write(json);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return MakeStar(m_servers, m_hosts.rate, m_hosts.delay);
        });
    }

  private:
    uint32_t m_servers{0};
    HostLinkKeys m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(StarKind);

} // namespace ns3::rdma
