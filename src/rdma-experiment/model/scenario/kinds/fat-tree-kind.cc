// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <algorithm>
#include <array>

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
                "1, 2 or 3 tiers: servers (or preset) of SRNIC section 6.3, k, or racks"};
    }

    void Visit(Keys& keys) override
    {
        VisitShape(keys);
        m_hosts.VisitRate(keys);
        VisitOversubscription(keys, m_oversubscription, {"fabricRate", "coreRate"});
        const bool isSrnic = m_form == "servers" || m_form == "preset";
        keys.Rate("fabricRate",
                  m_fabricRate,
                  isSrnic ? DataRate(SRNIC_BIT_RATE) : m_hosts.rate,
                  "rate between top-of-rack switches and aggregates")
            .Otherwise("400Gbps; with k or racks, hostRate")
            .OmitIf(m_oversubscription.has_value());
        keys.Rate("coreRate", m_coreRate, "rate between aggregates and cores")
            .Otherwise("fabricRate");
        m_hosts.VisitDelay(keys);
        VisitPlanes(keys, m_planes);
    }

    void Resolve(const JsonValue& value) override
    {
        const FatTreeShape shape =
            AtPlace(value.GetFile(), "$.fabric: ", [this] { return GetShape(); });
        if (m_coreRate && shape.coresPerAggregate == 0)
        {
            value.Get("coreRate").Fail("no coreRate for a tree without cores");
        }
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            const FatTreeShape shape = GetShape();
            return FatTreeTopology::Build(shape,
                                          m_oversubscription
                                              ? FatTreeTopology::MakeLinks(shape,
                                                                           m_hosts.rate,
                                                                           *m_oversubscription,
                                                                           m_hosts.delay)
                                              : FatTreeLinks{m_hosts.rate,
                                                             m_fabricRate,
                                                             m_coreRate.value_or(m_fabricRate),
                                                             m_hosts.delay});
        });
    }

    std::vector<DataRate> GetOtherRates() const override
    {
        // One switch has no links to others.
        return m_oversubscription ? std::vector<DataRate>() : std::vector<DataRate>{m_fabricRate};
    }

    uint32_t GetPlanes() const override
    {
        return m_planes;
    }

  private:
    static constexpr uint64_t SRNIC_BIT_RATE{400'000'000'000}; ///< SRNIC section 6.3.

    /// Declares the keys of the four forms.
    void VisitShape(Keys& keys)
    {
        static constexpr std::array<std::pair<const char*, uint32_t>, 5> PRESETS{
            {{"srnic-16", 16},
             {"srnic-64", 64},
             {"srnic-256", 256},
             {"srnic-1024", 1024},
             {"srnic-4096", 4096}}};
        keys.Form(m_form, {"servers", "preset", "k", "racks"});
        keys.Count("servers", m_servers, "servers of a tree of SRNIC section 6.3")
            .Between(2U, MAX_NODES)
            .OmitIf(m_form != "servers");
        keys.Choice("preset", m_servers, PRESETS, "tree of SRNIC section 6.3")
            .OmitIf(m_form != "preset");
        keys.Count("k", m_arity, "ports of each switch of a k-ary fat-tree, an even number")
            .Between(2U, FatTreeTopology::MAX_ARITY)
            .OmitIf(m_form != "k");
        keys.Check(m_arity % 2 == 0, "k", "an even number");
        VisitRacks(keys);
    }

    /// Declares the keys of the form "racks".
    void VisitRacks(Keys& keys)
    {
        const bool isUsed = m_form == "racks";
        keys.Count("racks", m_racks, "top-of-rack switches of all pods")
            .Between(1U, MAX_NODES)
            .OmitIf(!isUsed);
        keys.Count("serversPerRack", m_serversPerRack, "servers of each top-of-rack switch")
            .Between(1U, MAX_NODES)
            .RequiredIf(isUsed)
            .OnlyIf(isUsed, "no serversPerRack without racks")
            .Otherwise("none");
        keys.Count("pods", m_pods, "equal parts of the racks and of the aggregation switches")
            .Between(1U, MAX_NODES)
            .OnlyIf(isUsed, "no pods without racks");
        keys.Count("aggregation", m_aggregation, "aggregation switches of all pods")
            .AtMost(MAX_NODES)
            .OnlyIf(isUsed, "no aggregation without racks");
        keys.Count("core", m_core, "core switches, which several pods need")
            .AtMost(MAX_NODES)
            .OnlyIf(isUsed, "no core without racks");

        const char* const whole = ""; // No key: the topology is at fault.
        const std::string share = "a multiple of pods, " + std::to_string(m_pods);
        const uint32_t aggregatesPerPod = m_aggregation / m_pods;
        keys.Check(m_racks % m_pods == 0, "racks", share);
        keys.Check(m_aggregation > 0 || (m_racks <= 1 && m_core == 0),
                   whole,
                   "aggregation switches for several racks or a core",
                   "none");
        keys.Check(m_aggregation % m_pods == 0, "aggregation", share);
        keys.Check(m_core > 0 || m_pods == 1, whole, "a key \"core\" for several pods", "none");
        keys.Check(m_core == 0 || m_pods > 1,
                   "core",
                   "several pods for a core, key \"pods\"",
                   "1 pod");
        keys.Check(m_core % std::max(aggregatesPerPod, 1U) == 0,
                   "core",
                   "a multiple of the " + std::to_string(aggregatesPerPod) +
                       " aggregation switches of a pod");
    }

    /// @throws InputError if SRNIC has no tree with the number of servers
    FatTreeShape GetShape() const
    {
        if (m_form == "k")
        {
            return FatTreeTopology::MakeArity(m_arity);
        }
        if (m_form == "racks")
        {
            const uint32_t aggregatesPerPod = m_aggregation / m_pods;
            return {m_pods,
                    m_racks / m_pods,
                    m_serversPerRack,
                    aggregatesPerPod,
                    m_core / std::max(aggregatesPerPod, 1U)};
        }
        return FatTreeTopology::GetShape(m_servers);
    }

    std::string m_form;    ///< Key by which the shape was given: servers, preset, k or racks.
    uint32_t m_servers{0}; ///< With servers or preset.
    uint32_t m_arity{0};   ///< With k.
    uint32_t m_racks{0};   ///< With racks, as the next four.
    uint32_t m_serversPerRack{0};
    uint32_t m_pods{1};
    uint32_t m_aggregation{0};
    uint32_t m_core{0};
    HostLinkKeys m_hosts;
    DataRate m_fabricRate;                    ///< Between switches.
    std::optional<DataRate> m_coreRate;       ///< Unset: m_fabricRate.
    std::optional<double> m_oversubscription; ///< Set: gives both rates.
    uint32_t m_planes{1};
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeKind);

} // namespace ns3::rdma
