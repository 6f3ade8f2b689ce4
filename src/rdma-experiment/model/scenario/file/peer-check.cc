// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/peer-check.h"

#include "ns3/boolean.h"
#include "ns3/flow-graph.h"
#include "ns3/input-error.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-design.h"

#include <map>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// What peers compare, in words, in the order in which differences are reported.
std::vector<std::string>
DescribeProtocol(const DesignSpec& spec)
{
    AttributeValues values;
    for (const auto& [name, text] : spec.attributes)
    {
        values.Set(name, text);
    }
    const auto nic = values.Create<RdmaNic>();
    TypeIdValue format;
    nic->GetAttribute("WireFormat", format);
    BooleanValue hasIpv6;
    nic->GetAttribute("Ipv6", hasIpv6);
    TypeIdValue detector;
    nic->GetAttribute("LossDetector", detector);
    const ResponderRules rules = values.Create<LossDetector>(detector.Get())->GetTraits().responder;
    const uint32_t intHops = nic->GetIntRules().hops;
    return {format.Get().GetName(),
            hasIpv6.Get() ? "IPv6" : "IPv4",
            intHops > 0 ? "INT headers of " + std::to_string(intHops) + " hops" : "no INT headers",
            rules.outOfOrderWindow > 0 ? "a receiver that keeps packets out of order"
                                       : "a receiver that drops packets out of order",
            rules.acknowledgesReads ? "READ responses with PSNs of their own"
                                    : "READ responses with the PSNs of their request"};
}

/// Differences between the designs of one NIC; each pair is compared once.
class PeerTable
{
  public:
    PeerTable(const Scenario& scenario, const NicSpec& nic)
        : m_scenario(scenario),
          m_nic(nic)
    {
    }

    /// @return whether any two designs differ.
    bool HasDifference()
    {
        const std::vector<const DesignSpec*> designs = GetDesigns(m_nic);
        for (const DesignSpec* design : designs)
        {
            if (!Compare(designs.front(), design).empty())
            {
                return true;
            }
        }
        return false;
    }

    /// @throws InputError if two servers between which there is a flow differ
    void Check(uint32_t src, uint32_t dst)
    {
        const std::string& difference =
            Compare(FindDesign(m_scenario, m_nic, src), FindDesign(m_scenario, m_nic, dst));
        if (!difference.empty())
        {
            throw InputError(m_scenario.file + ": $.nics: expected NICs in \"" + m_nic.name +
                             "\" that understand each other where there are flows, got " +
                             difference + " at servers " + std::to_string(src) + " and " +
                             std::to_string(dst));
        }
    }

  private:
    const std::string& Compare(const DesignSpec* left, const DesignSpec* right)
    {
        const auto [pair, isNew] = m_differences.try_emplace({left, right});
        if (isNew && left != right)
        {
            pair->second = FindPeerDifference(*left, *right);
        }
        return pair->second;
    }

    const Scenario& m_scenario;
    const NicSpec& m_nic;
    /// Looked up by pointer, not iterated.
    std::map<std::pair<const DesignSpec*, const DesignSpec*>, std::string> m_differences;
};

} // namespace

std::string
FindPeerDifference(const DesignSpec& one, const DesignSpec& other)
{
    const std::vector<std::string> left = DescribeProtocol(one);
    const std::vector<std::string> right = DescribeProtocol(other);
    for (std::size_t i = 0; i < left.size(); ++i)
    {
        if (left[i] != right[i])
        {
            return left[i] + " and " + right[i];
        }
    }
    return {};
}

void
CheckPeers(RunInput& input)
{
    const Scenario& scenario = input.GetScenario();
    for (const NicSpec& nic : scenario.nics)
    {
        PeerTable table(scenario, nic);
        if (!table.HasDifference())
        {
            continue;
        }
        MergedFlowSource& source = input.StartFlows();
        source.VisitOperations(
            [&table](const FlowOperation& one) { table.Check(one.src, one.dst); });
        while (const auto flow = source.Next())
        {
            table.Check(flow->src, flow->dst);
        }
        for (const auto& workload : scenario.workloads)
        {
            for (const auto& [client, server] : workload->GetPeers(scenario))
            {
                table.Check(client, server);
            }
        }
    }
}

} // namespace ns3::rdma
