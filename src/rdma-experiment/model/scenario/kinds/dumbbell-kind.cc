// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "dumbbell".
class DumbbellKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::DumbbellKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<DumbbellKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"dumbbell",
                "servers on each side of a link between two switches",
                {"servers", "hostRate", "bottleneckRate", "linkDelay"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        m_servers = ReadServerCount(value, 1);
        m_hosts.Read(value);
        m_bottleneckRate = ReadRateOr(value, "bottleneckRate", m_hosts.rate);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["servers"] = m_servers;
        json["hostRate"] = FormatRate(m_hosts.rate);
        json["bottleneckRate"] = FormatRate(m_bottleneckRate);
        json["linkDelay"] = FormatTime(m_hosts.delay);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return MakeDumbbell({m_servers, m_hosts.rate, m_bottleneckRate, m_hosts.delay});
        });
    }

  private:
    uint32_t m_servers{0}; ///< Of each side.
    HostLinkKeys m_hosts;
    DataRate m_bottleneckRate; ///< Between the two switches.
};

NS_OBJECT_ENSURE_REGISTERED(DumbbellKind);

} // namespace ns3::rdma
