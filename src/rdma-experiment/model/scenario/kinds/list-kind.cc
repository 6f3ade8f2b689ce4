// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/list-workload.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Workload type "flows".
class ListKind : public FlowKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ListKind")
                                .SetParent<FlowKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<ListKind>();
        return tid;
    }

  protected:
    KindInfo GetFlowInfo() const override
    {
        return {"flows", "flows written out in the scenario", {"flows"}, {}};
    }

    void ReadFlows(const JsonValue& value, const Scenario&) override
    {
        constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
        const JsonValue list = value.Get("flows");
        const std::vector<std::string> keys{"src", "dst", "bytes", "start"};
        list.ForEachElement([&](const JsonValue& entry) {
            entry.ExpectKeys(keys);
            FlowArrival flow{};
            flow.src = static_cast<uint32_t>(entry.Get("src").GetWhole(0, MAX_NODE));
            flow.dst = static_cast<uint32_t>(entry.Get("dst").GetWhole(0, MAX_NODE));
            flow.bytes = entry.Get("bytes").GetBytesOrNumber();
            if (const auto start = entry.Find("start"))
            {
                flow.startPs = start->GetTime().GetPicoSeconds();
            }
            m_flows.push_back(flow);
        });
        if (m_flows.empty())
        {
            list.Fail("at least one flow");
        }
    }

    void WriteFlows(nlohmann::ordered_json& json) const override
    {
        json["flows"] = nlohmann::ordered_json::array();
        for (const FlowArrival& flow : m_flows)
        {
            json["flows"].push_back({{"src", flow.src},
                                     {"dst", flow.dst},
                                     {"bytes", flow.bytes},
                                     {"start", FormatTime(PicoSeconds(flow.startPs))}});
        }
    }

    std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        // The list names the flow, "flows[3]: ...", which continues the path.
        return AtPlace(scenario.file, GetPath() + ".", [&] {
            return std::make_unique<ListWorkload>(topology, m_flows);
        });
    }

    FlowTargets FindTargets(const Scenario&, const TopologyGraph&) const override
    {
        FlowTargets targets;
        for (const FlowArrival& flow : m_flows)
        {
            targets.servers.insert(flow.dst);
            targets.largest = std::max(targets.largest, flow.bytes);
        }
        return targets;
    }

  private:
    std::vector<FlowArrival> m_flows; ///< In the order of the file.
};

NS_OBJECT_ENSURE_REGISTERED(ListKind);

} // namespace ns3::rdma
