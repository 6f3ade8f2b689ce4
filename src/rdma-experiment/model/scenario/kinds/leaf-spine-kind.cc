// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"
#include "ns3/uplink-rate.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "leaf-spine".
class LeafSpineKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::LeafSpineKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<LeafSpineKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"leaf-spine",
                "two tiers: each leaf linked to each spine",
                {"leaves",
                 "spines",
                 "serversPerLeaf",
                 "linksPerSpine",
                 "hostRate",
                 "spineRate",
                 "oversubscription",
                 "linkDelay",
                 "spineDelay",
                 "planes"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        m_leaves = ReadCount(value, "leaves");
        if (m_leaves < 2)
        {
            value.Get("leaves").Fail("at least 2 leaves");
        }
        m_spines = ReadCount(value, "spines");
        m_serversPerLeaf = ReadCount(value, "serversPerLeaf");
        m_linksPerSpine = ReadCountOr(value, "linksPerSpine", 1, 1);
        m_hosts.Read(value);
        m_oversubscription = ReadOversubscription(value, {"spineRate"});
        m_spineRate = ReadRateOr(value, "spineRate", m_hosts.rate);
        m_spineDelay = ReadDelayOr(value, "spineDelay", m_hosts.delay);
        m_planes = ReadPlanes(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["leaves"] = m_leaves;
        json["spines"] = m_spines;
        json["serversPerLeaf"] = m_serversPerLeaf;
        json["linksPerSpine"] = m_linksPerSpine;
        m_hosts.Write(json);
        if (m_oversubscription)
        {
            json["oversubscription"] = *m_oversubscription;
        }
        else
        {
            json["spineRate"] = FormatRate(m_spineRate);
        }
        json["spineDelay"] = FormatTime(m_spineDelay);
        WritePlanes(m_planes, json);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return MakeLeafSpine({m_leaves,
                                  m_spines,
                                  m_serversPerLeaf,
                                  m_linksPerSpine,
                                  m_hosts.rate,
                                  GetSpineRate(),
                                  m_hosts.delay,
                                  m_spineDelay});
        });
    }

    uint32_t GetPlanes() const override
    {
        return m_planes;
    }

  private:
    /// Links beyond this number are refused by MakeLeafSpine().
    DataRate GetSpineRate() const
    {
        const auto below = static_cast<double>(m_hosts.rate.GetBitRate()) * m_serversPerLeaf;
        return m_oversubscription
                   ? GetUplinkRate(below, m_spines * m_linksPerSpine, *m_oversubscription)
                   : m_spineRate;
    }

    uint32_t m_leaves{0};
    uint32_t m_spines{0};
    uint32_t m_serversPerLeaf{0};
    uint32_t m_linksPerSpine{1};
    HostLinkKeys m_hosts;
    DataRate m_spineRate;                     ///< Of each link between leaf and spine.
    std::optional<double> m_oversubscription; ///< Set: gives m_spineRate.
    Time m_spineDelay;
    uint32_t m_planes{1};
};

NS_OBJECT_ENSURE_REGISTERED(LeafSpineKind);

} // namespace ns3::rdma
