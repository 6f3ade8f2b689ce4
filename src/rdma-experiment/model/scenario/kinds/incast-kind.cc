// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/incast-workload.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"

#include <algorithm>

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

    KindInfo GetInfo() const override
    {
        return {"incast", "many servers send to one at the same time, in rounds"};
    }

  protected:
    void VisitFlows(Keys& keys) override
    {
        keys.GroupOrCount("senders",
                          m_senderGroup,
                          m_senders,
                          "group or number of servers that send")
            .AtLeast(1)
            .Required();
        keys.Count("receiver", m_parameters.receiver, "server that receives");
        keys.Bytes("bytes", m_parameters.bytes, "size of each flow").AtLeast(0).Required();
        keys.Time("at", m_parameters.at, "start of the first round");
        keys.Count("repeats", m_parameters.repeats, "rounds").AtLeast(1);
        keys.Time("period", m_parameters.period, "time between the starts of two rounds")
            .Positive()
            .RequiredIf(m_parameters.repeats > 1)
            .OmitIf(m_parameters.period.IsZero())
            .Otherwise("none");
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
