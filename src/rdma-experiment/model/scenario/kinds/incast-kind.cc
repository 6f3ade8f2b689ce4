// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/incast-workload.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Workload type "incast".
class IncastKind : public FlowKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::IncastKind")
                                .SetParent<FlowKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<IncastKind>();
        return tid;
    }

  protected:
    KindInfo GetFlowInfo() const override
    {
        return {"incast",
                "many servers send to one at the same time, in rounds",
                {"senders", "receiver", "bytes", "at", "period", "repeats"},
                {}};
    }

    void ReadFlows(const JsonValue& value, const Scenario& scenario) override
    {
        constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
        const JsonValue senders = value.Get("senders");
        if (senders.IsString())
        {
            m_senderGroup = ReadGroupName(senders, scenario.groups);
        }
        else
        {
            m_senders = static_cast<uint32_t>(senders.GetWhole(1, MAX_NODE));
        }
        m_parameters.bytes = value.Get("bytes").GetBytesOrNumber();
        if (const auto receiver = value.Find("receiver"))
        {
            m_parameters.receiver = static_cast<uint32_t>(receiver->GetWhole(0, MAX_NODE));
        }
        if (const auto at = value.Find("at"))
        {
            m_parameters.at = at->GetTime();
        }
        if (const auto repeats = value.Find("repeats"))
        {
            m_parameters.repeats = static_cast<uint32_t>(repeats->GetWhole(1, MAX_NODE));
        }
        if (m_parameters.repeats > 1 || value.Find("period"))
        {
            m_parameters.period = value.Get("period").GetPositiveTime();
        }
    }

    void WriteFlows(nlohmann::ordered_json& json) const override
    {
        if (m_senderGroup.empty())
        {
            json["senders"] = m_senders;
        }
        else
        {
            json["senders"] = m_senderGroup;
        }
        json["receiver"] = m_parameters.receiver;
        json["bytes"] = m_parameters.bytes;
        json["at"] = FormatTime(m_parameters.at);
        if (!m_parameters.period.IsZero())
        {
            json["period"] = FormatTime(m_parameters.period);
        }
        json["repeats"] = m_parameters.repeats;
    }

    std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        return AtPlace(scenario.file, GetPath() + ": ", [&] {
            IncastParameters parameters = m_parameters;
            parameters.senders = FindSenders(scenario, topology);
            return std::make_unique<IncastWorkload>(topology, parameters);
        });
    }

    FlowTargets FindTargets(const Scenario&, const TopologyGraph&) const override
    {
        return {{m_parameters.receiver}, m_parameters.bytes};
    }

  private:
    std::vector<uint32_t> FindSenders(const Scenario& scenario, const TopologyGraph& topology) const
    {
        if (m_senderGroup.empty())
        {
            return IncastWorkload::ChooseSenders(topology, m_parameters.receiver, m_senders);
        }
        std::vector<uint32_t> senders = FindMembers(scenario.groups, m_senderGroup);
        senders.erase(std::remove(senders.begin(), senders.end(), m_parameters.receiver),
                      senders.end());
        return senders;
    }

    uint32_t m_senders{0};         ///< How many send, if no group is named.
    std::string m_senderGroup;     ///< The group that sends; empty: none is named.
    IncastParameters m_parameters; ///< Without the senders.
};

NS_OBJECT_ENSURE_REGISTERED(IncastKind);

} // namespace ns3::rdma
