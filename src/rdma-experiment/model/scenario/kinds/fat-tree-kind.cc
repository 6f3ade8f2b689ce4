// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

const char* const SRNIC{"srnic-"};

} // namespace

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
                "1, 2 or 3 tiers: servers (or preset) of SRNIC section 6.3, k, or racks",
                {"servers",
                 "preset",
                 "k",
                 "racks",
                 "serversPerRack",
                 "pods",
                 "aggregation",
                 "core",
                 "hostRate",
                 "fabricRate",
                 "coreRate",
                 "oversubscription",
                 "linkDelay",
                 "planes"},
                {}};
    }

    void Read(const JsonValue& value) override
    {
        ReadShape(value);
        m_hosts.Read(value);
        m_planes = ReadPlanes(value);
        m_oversubscription = ReadOversubscription(value, {"fabricRate", "coreRate"});
        const bool isSrnic = m_form == "servers" || m_form == "preset";
        m_fabricRate =
            ReadRateOr(value, "fabricRate", isSrnic ? DataRate(SRNIC_BIT_RATE) : m_hosts.rate);
        if (const auto coreRate = value.Find("coreRate"))
        {
            if (m_shape.coresPerAggregate == 0)
            {
                coreRate->Fail("no coreRate for a tree without cores");
            }
            m_coreRate = coreRate->GetRate();
        }
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        WriteShape(json);
        json["hostRate"] = FormatRate(m_hosts.rate);
        if (m_oversubscription)
        {
            json["oversubscription"] = *m_oversubscription;
        }
        else
        {
            json["fabricRate"] = FormatRate(m_fabricRate);
        }
        if (m_coreRate)
        {
            json["coreRate"] = FormatRate(*m_coreRate);
        }
        json["linkDelay"] = FormatTime(m_hosts.delay);
        WritePlanes(m_planes, json);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return FatTreeTopology::Build(m_shape,
                                          m_oversubscription
                                              ? FatTreeTopology::MakeLinks(m_shape,
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

    /// Reads the keys of one of the four forms.
    void ReadShape(const JsonValue& value)
    {
        m_form = ReadForm(value,
                          {{"servers", {}},
                           {"preset", {}},
                           {"k", {}},
                           {"racks", {"serversPerRack", "pods", "aggregation", "core"}}});
        if (m_form == "servers")
        {
            const uint32_t servers = ReadServerCount(value, 2);
            m_shape = AtPlace(value.GetFile(), "$.fabric: ", [servers] {
                return FatTreeTopology::GetShape(servers);
            });
        }
        else if (m_form == "preset")
        {
            ReadPreset(value.Get("preset"));
        }
        else if (m_form == "k")
        {
            const JsonValue k = value.Get("k");
            const uint64_t arity = k.GetWhole(2, FatTreeTopology::MAX_ARITY);
            if (arity % 2 != 0)
            {
                k.Fail("an even number");
            }
            m_shape = FatTreeTopology::MakeArity(static_cast<uint32_t>(arity));
        }
        else
        {
            ReadRacks(value);
        }
    }

    void ReadPreset(const JsonValue& preset)
    {
        std::vector<std::string> names;
        for (const uint32_t servers : FatTreeTopology::GetServerCounts())
        {
            names.push_back(SRNIC + std::to_string(servers));
        }
        const std::string name = preset.GetChoice(names);
        for (const uint32_t servers : FatTreeTopology::GetServerCounts())
        {
            if (name == SRNIC + std::to_string(servers))
            {
                m_shape = FatTreeTopology::GetShape(servers);
            }
        }
    }

    /// "racks" and "aggregation" count the switches of all pods together.
    void ReadRacks(const JsonValue& value)
    {
        const uint32_t racks = ReadCount(value, "racks");
        const uint32_t serversPerRack = ReadCount(value, "serversPerRack");
        const uint32_t pods = ReadCountOr(value, "pods", 1, 1);
        const uint32_t aggregation = ReadCountOr(value, "aggregation", 0, 0);
        const uint32_t core = ReadCountOr(value, "core", 0, 0);
        CheckShare(value, "racks", racks, "pods", pods);
        if (aggregation == 0)
        {
            if (racks > 1 || core > 0)
            {
                value.Fail("aggregation switches for several racks or a core", "none");
            }
            m_shape = {1, 1, serversPerRack, 0, 0};
            return;
        }
        CheckShare(value, "aggregation", aggregation, "pods", pods);
        if (core == 0 && pods > 1)
        {
            value.Fail("a key \"core\" for several pods", "none");
        }
        if (core > 0 && pods == 1)
        {
            value.Get("core").Fail("several pods for a core, key \"pods\"", "1 pod");
        }
        const uint32_t aggregatesPerPod = aggregation / pods;
        if (core % aggregatesPerPod != 0)
        {
            value.Get("core").Fail("a multiple of the " + std::to_string(aggregatesPerPod) +
                                   " aggregation switches of a pod");
        }
        m_shape = {pods, racks / pods, serversPerRack, aggregatesPerPod, core / aggregatesPerPod};
    }

    void WriteShape(nlohmann::ordered_json& json) const
    {
        if (m_form == "servers")
        {
            json["servers"] = m_shape.GetServerCount();
        }
        else if (m_form == "preset")
        {
            json["preset"] = SRNIC + std::to_string(m_shape.GetServerCount());
        }
        else if (m_form == "k")
        {
            json["k"] = m_shape.pods;
        }
        else
        {
            json["racks"] = m_shape.GetTorCount();
            json["serversPerRack"] = m_shape.serversPerTor;
            json["pods"] = m_shape.pods;
            json["aggregation"] = m_shape.GetAggregateCount();
            json["core"] = m_shape.GetCoreCount();
        }
    }

    std::string m_form; ///< Key by which the shape was given: servers, preset, k or racks.
    FatTreeShape m_shape{};
    HostLinkKeys m_hosts;
    DataRate m_fabricRate;                    ///< Between switches.
    std::optional<DataRate> m_coreRate;       ///< Unset: m_fabricRate.
    std::optional<double> m_oversubscription; ///< Set: gives both rates.
    uint32_t m_planes{1};
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeKind);

} // namespace ns3::rdma
