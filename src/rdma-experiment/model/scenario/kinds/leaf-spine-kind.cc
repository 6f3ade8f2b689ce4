// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"
#include "ns3/uplink-rate.h"

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
        return {"leaf-spine", "two tiers: each leaf linked to each spine"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("leaves", m_leaves, "number of leaves").Between(2U, MAX_NODES).Required();
        keys.Count("spines", m_spines, "number of spines").Between(1U, MAX_NODES).Required();
        keys.Count("serversPerLeaf", m_serversPerLeaf, "servers of each leaf")
            .Between(1U, MAX_NODES)
            .Required();
        keys.Count("linksPerSpine", m_linksPerSpine, "links between each leaf and each spine")
            .Between(1U, MAX_NODES);
        m_hosts.VisitRate(keys);
        m_hosts.VisitDelay(keys);
        VisitOversubscription(keys, m_oversubscription, {"spineRate"});
        keys.Rate("spineRate", m_spineRate, m_hosts.rate, "rate of links to spines")
            .Otherwise("hostRate")
            .OmitIf(m_oversubscription.has_value());
        keys.Time("spineDelay", m_spineDelay, m_hosts.delay, "propagation delay of links to spines")
            .Otherwise("linkDelay");
        VisitPlanes(keys, m_planes);
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
