// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/quantity.h"
#include "ns3/rail-topology.h"
#include "ns3/scenario-file.h"
#include "ns3/server-ports.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Topology "rail".
class RailKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RailKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<RailKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"rail",
                "servers of several NICs: NIC i at rail switch i of its group, spines above",
                {"groups",
                 "serversPerGroup",
                 "rails",
                 "spines",
                 "linksPerSpine",
                 "hostRate",
                 "spineRate",
                 "linkDelay",
                 "spineDelay"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        m_links.groups = ReadCount(value, "groups");
        m_links.serversPerGroup = ReadCount(value, "serversPerGroup");
        m_links.rails =
            static_cast<uint32_t>(value.Get("rails").GetWhole(1, ServerPorts::MAX_NICS));
        m_links.spines = ReadCount(value, "spines");
        m_links.linksPerSpine = ReadCountOr(value, "linksPerSpine", 1, 1);
        HostLinkKeys hosts;
        hosts.Read(value);
        m_links.hostRate = hosts.rate;
        m_links.hostDelay = hosts.delay;
        m_links.spineRate = ReadRateOr(value, "spineRate", hosts.rate);
        m_links.spineDelay = ReadDelayOr(value, "spineDelay", hosts.delay);
        CheckOwnNics(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["groups"] = m_links.groups;
        json["serversPerGroup"] = m_links.serversPerGroup;
        json["rails"] = m_links.rails;
        json["spines"] = m_links.spines;
        json["linksPerSpine"] = m_links.linksPerSpine;
        json["hostRate"] = FormatRate(m_links.hostRate);
        json["spineRate"] = FormatRate(m_links.spineRate);
        json["linkDelay"] = FormatTime(m_links.hostDelay);
        json["spineDelay"] = FormatTime(m_links.spineDelay);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] { return MakeRail(m_links); });
    }

  private:
    RailParameters m_links;
};

NS_OBJECT_ENSURE_REGISTERED(RailKind);

} // namespace ns3::rdma
