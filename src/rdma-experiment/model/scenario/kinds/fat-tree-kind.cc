// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fat-tree-topology.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "fat-tree".
class FatTreeKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::FatTreeKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<FatTreeKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"fat-tree",
                "1, 2 or 3 tiers of SRNIC section 6.3: 16, 64, 256, 1024 or 4096 servers",
                {"servers", "hostRate", "fabricRate", "linkDelay"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        m_servers = ReadServerCount(value, 2);
        m_hosts.Read(value);
        m_fabricRate = ReadRateOr(value, "fabricRate", m_fabricRate);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["servers"] = m_servers;
        json["hostRate"] = FormatRate(m_hosts.rate);
        json["fabricRate"] = FormatRate(m_fabricRate);
        json["linkDelay"] = FormatTime(m_hosts.delay);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return FatTreeTopology::Build({m_servers, m_hosts.rate, m_fabricRate, m_hosts.delay});
        });
    }

    std::vector<DataRate> GetOtherRates() const override
    {
        return {m_fabricRate}; // One switch has no links to others.
    }

  private:
    uint32_t m_servers{0};
    HostLinkKeys m_hosts;
    DataRate m_fabricRate{400'000'000'000}; ///< Between switches: SRNIC section 6.3.
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeKind);

} // namespace ns3::rdma
