// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dragonfly-topology.h"
#include "ns3/fabric-shape-keys.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "dragonfly".
class DragonflyKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::DragonflyKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<DragonflyKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"dragonfly",
                "groups of a switches with p servers and h links to other groups each",
                {"a",
                 "p",
                 "h",
                 "groups",
                 "hostRate",
                 "localRate",
                 "globalRate",
                 "linkDelay",
                 "globalDelay"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        m_links.a = ReadCount(value, "a");
        m_links.p = ReadCount(value, "p");
        m_links.h = ReadCount(value, "h");
        m_links.groups = ReadGroups(value);
        HostLinkKeys hosts;
        hosts.Read(value);
        m_links.hostRate = hosts.rate;
        m_links.localDelay = hosts.delay;
        m_links.localRate = ReadRateOr(value, "localRate", hosts.rate);
        m_links.globalRate = ReadRateOr(value, "globalRate", hosts.rate);
        m_links.globalDelay = ReadDelayOr(value, "globalDelay", hosts.delay);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["a"] = m_links.a;
        json["p"] = m_links.p;
        json["h"] = m_links.h;
        json["groups"] = m_links.groups;
        json["hostRate"] = FormatRate(m_links.hostRate);
        json["localRate"] = FormatRate(m_links.localRate);
        json["globalRate"] = FormatRate(m_links.globalRate);
        json["linkDelay"] = FormatTime(m_links.localDelay);
        json["globalDelay"] = FormatTime(m_links.globalDelay);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] { return MakeDragonfly(m_links); });
    }

  private:
    /// @return the number of groups; more than MakeDragonfly() accepts is an error of that.
    uint32_t ReadGroups(const JsonValue& value) const
    {
        const uint64_t most = m_links.GetMaxGroups();
        if (const auto groups = value.Find("groups"))
        {
            return static_cast<uint32_t>(groups->GetWhole(2, most));
        }
        return static_cast<uint32_t>(std::min<uint64_t>(most, UINT32_MAX));
    }

    DragonflyParameters m_links;
};

NS_OBJECT_ENSURE_REGISTERED(DragonflyKind);

} // namespace ns3::rdma
