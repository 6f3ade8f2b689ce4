// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/permutation-workload.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"

namespace ns3::rdma
{

/// Workload type "permutation".
class PermutationKind : public FlowKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::PermutationKind")
                                .SetParent<FlowKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<PermutationKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"permutation", "each server sends to another one, chosen at random, in rounds"};
    }

  protected:
    void VisitFlows(Keys& keys) override
    {
        keys.Bytes("bytes", m_parameters.bytes, "size of each flow").AtLeast(0).Required();
        keys.Group("servers", m_servers, "group of servers that send and receive")
            .Otherwise("all servers");
        keys.Time("at", m_parameters.at, "start of the first round");
        keys.Count("repeats", m_parameters.repeats, "rounds, each with another permutation")
            .AtLeast(1);
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
            PermutationParameters parameters = m_parameters;
            parameters.servers = FindServers(scenario, topology);
            parameters.seed = GetSeed(scenario);
            return std::make_unique<PermutationWorkload>(topology, parameters);
        });
    }

    FlowTargets FindTargets(const Scenario& scenario, const TopologyGraph& topology) const override
    {
        const std::vector<uint32_t> servers = FindServers(scenario, topology);
        return {{servers.begin(), servers.end()}, m_parameters.bytes};
    }

  private:
    std::vector<uint32_t> FindServers(const Scenario& scenario, const TopologyGraph& topology) const
    {
        return m_servers.empty() ? topology.GetServers() : FindMembers(scenario.groups, m_servers);
    }

    std::string m_servers;              ///< Group; empty: all servers.
    PermutationParameters m_parameters; ///< Without servers and seed.
};

NS_OBJECT_ENSURE_REGISTERED(PermutationKind);

} // namespace ns3::rdma
