// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cost-sum.h"

#include "ns3/rdma-nic.h"
#include "ns3/receiver-control.h"
#include "ns3/run-design.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

namespace
{

uint64_t
DivideUp(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

/// @return how long a bit takes over a link, on average.
int64_t
GetMeanDelay(const TopologyGraph& graph)
{
    int64_t sum = 0;
    for (const GraphLink& link : graph.links)
    {
        sum += link.delay.GetPicoSeconds();
    }
    return graph.links.empty() ? 0 : sum / static_cast<int64_t>(graph.links.size());
}

} // namespace

CostSum::CostSum(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph)
    : m_hops(graph),
      m_delayPs(GetMeanDelay(graph)),
      m_rules(1),
      m_ruleOfNode(graph.isSwitch.size(), 0)
{
    std::map<const DesignSpec*, uint32_t> numbers;
    for (const DesignSpec* design : GetDesigns(nic))
    {
        numbers[design] = static_cast<uint32_t>(m_rules.size());
        m_rules.push_back(MakeRule(scenario, *design));
    }
    for (const uint32_t server : graph.GetServers())
    {
        const DesignSpec* design = FindDesign(scenario, nic, server);
        m_ruleOfNode[server] = design ? numbers.at(design) : 0;
    }
}

CostSum::PacketRule
CostSum::MakeRule(const Scenario& scenario, const DesignSpec& spec)
{
    const NicDesign design = MakeNicDesign(scenario, spec);
    const auto prototype = design.Create<RdmaNic>();
    PacketRule rule;
    rule.mtuBytes = prototype->GetPathMtu();
    rule.ackInterval = prototype->GetAckInterval();
    rule.headerBytes =
        prototype->GetHeaderSizes().GetWriteFrame(false, rule.mtuBytes) - rule.mtuBytes;
    TypeIdValue control;
    prototype->GetAttribute("ReceiverControl", control);
    if (control.Get() != ReceiverControl::GetTypeId())
    {
        const auto receiver = design.Create<ReceiverControl>(control.Get());
        UintegerValue bytes;
        rule.hasReports = true;
        rule.reportBytes = receiver->GetAttributeFailSafe("AckBytes", bytes) ? bytes.Get() : 1;
        rule.packetBytes = receiver->GetAttributeFailSafe("LeastBytes", bytes) ? bytes.Get() : 0;
    }
    return rule;
}

uint64_t
CostSum::CountAnswers(const PacketRule& receiver, uint64_t packets, uint32_t wireBytes)
{
    if (!receiver.hasReports)
    {
        return DivideUp(packets, receiver.ackInterval);
    }
    const uint32_t counted = std::max({wireBytes, receiver.packetBytes, 1U});
    return 1 + DivideUp(packets - 1, DivideUp(receiver.reportBytes, counted));
}

void
CostSum::Add(uint32_t src, uint32_t dst, uint64_t bytes, double count)
{
    const PacketRule& sender = m_rules[m_ruleOfNode[src]];
    const uint64_t packets = std::max<uint64_t>(1, DivideUp(bytes, sender.mtuBytes));
    const auto wireBytes =
        static_cast<uint32_t>(std::min<uint64_t>(bytes, sender.mtuBytes)) + sender.headerBytes;
    const uint64_t answers = CountAnswers(m_rules[m_ruleOfNode[dst]], packets, wireBytes);
    m_messages += count;
    m_bytes += count * static_cast<double>(bytes);
    m_packets += count * static_cast<double>(packets);
    const uint32_t hops = m_hops.Get(src, dst);
    m_dataHops += count * static_cast<double>(packets * hops);
    m_packetHops += count * static_cast<double>((packets + answers) * hops);
}

uint64_t
CostSum::GetWireBytes(uint32_t src, uint64_t bytes) const
{
    const PacketRule& rule = m_rules[m_ruleOfNode[src]];
    return bytes + DivideUp(bytes, rule.mtuBytes) * rule.headerBytes;
}

int64_t
CostSum::GetDelayPs(uint32_t src, uint32_t dst)
{
    return m_delayPs * m_hops.Get(src, dst);
}

void
CostSum::Scale(double factor)
{
    m_messages *= factor;
    m_bytes *= factor;
    m_packets *= factor;
    m_dataHops *= factor;
    m_packetHops *= factor;
}

bool
CostSum::HasReports() const
{
    return std::any_of(m_rules.begin(), m_rules.end(), [](const PacketRule& rule) {
        return rule.hasReports;
    });
}

void
CostSum::Reset()
{
    Scale(0);
}

} // namespace ns3::rdma
