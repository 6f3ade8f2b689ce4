// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-rate-keys.h"

#include "ns3/quantity.h"

namespace ns3::rdma
{

namespace
{

bool
Matches(const LinkRateSpec& spec, const TopologyGraph& graph, const GraphLink& link, uint32_t end)
{
    return spec.isForwardOnly ? spec.link->Matches(graph, link, end)
                              : spec.link->Matches(graph, link);
}

} // namespace

void
VisitLinkRate(Keys& keys, LinkRateSpec& spec)
{
    VisitLinkName(keys, spec.link, true, true);
    keys.Choice("direction",
                spec.isForwardOnly,
                LINK_DIRECTIONS,
                "both, or from the first node to the second");
    keys.Rate("rate", spec.rate, "of the links, at most that of the topology").Required();
}

void
CheckLinkRates(const std::vector<LinkRateSpec>& rates,
               const TopologyGraph& topology,
               const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        CheckLinkName(*rates[i].link, topology, entries[i]);
        for (const GraphLink& link : topology.links)
        {
            const bool isTooFast = rates[i].rate > link.rate;
            if (rates[i].link->Matches(topology, link) && isTooFast)
            {
                entries[i].Get("rate").Fail("at most the rate of the link, \"" +
                                            FormatRate(link.rate) + '"');
            }
        }
    }
}

std::vector<ReducedRate>
FindReducedRates(const std::vector<LinkRateSpec>& rates, const TopologyGraph& graph)
{
    std::vector<ReducedRate> reduced;
    for (const LinkRateSpec& spec : rates)
    {
        for (std::size_t link = 0; link < graph.links.size(); ++link)
        {
            for (uint32_t end = 0; end < 2; ++end)
            {
                if (Matches(spec, graph, graph.links[link], end))
                {
                    reduced.push_back({link, end, spec.rate});
                }
            }
        }
    }
    return reduced;
}

} // namespace ns3::rdma
