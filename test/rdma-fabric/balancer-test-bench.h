// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BALANCER_TEST_BENCH_H
#define RDMA_BALANCER_TEST_BENCH_H

#include "fabric-test-bench.h"

#include <vector>

namespace ns3::rdma
{

/// Two leaves and links between them, or spines; counts what leaves the first leaf's uplinks.
class BalancerBench : public FabricBench
{
  protected:
    static constexpr uint32_t SINK{4};

    static void SetBalancer(const std::string& name)
    {
        SetDefault("LoadBalancer", "ns3::rdma::" + name);
    }

    static void SetOption(const std::string& name, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::" + name, StringValue(value));
    }

    /// Servers 0 to 3 behind switch 5, server 4 behind switch 6, so many links between them. All
    /// links have 100 Gb/s but those to servers 0 to 3, which have 400.
    void BuildParallel(uint32_t uplinks)
    {
        TopologyGraph graph{{false, false, false, false, false, true, true}, {}};
        for (uint32_t server = 0; server < SINK; ++server)
        {
            graph.links.push_back({server, 5, DataRate("400Gbps"), MicroSeconds(1)});
        }
        graph.links.push_back({SINK, 6, DataRate("100Gbps"), MicroSeconds(1)});
        for (uint32_t link = 0; link < uplinks; ++link)
        {
            graph.links.push_back({5, 6, DataRate("100Gbps"), MicroSeconds(1)});
        }
        Build(graph);
        CountUplinks(SINK + 1, uplinks);
    }

    /// Connects the traces of so many links that begin at the first leaf. @param first link
    void CountUplinks(uint32_t first, uint32_t count)
    {
        chosen.assign(count, {});
        for (uint32_t uplink = 0; uplink < count; ++uplink)
        {
            m_fabric->GetLinkPort(first + uplink, 0)
                .GetTraces()
                .transmit.ConnectWithoutContext(
                    Callback<void, const Frame&>([this, uplink](const Frame& frame) {
                        chosen[uplink].push_back(frame.psn);
                        order.push_back(uplink);
                    }));
        }
    }

    /// @return frames that left by each uplink.
    std::vector<std::size_t> GetCounts() const
    {
        std::vector<std::size_t> counts;
        for (const std::vector<uint32_t>& psns : chosen)
        {
            counts.push_back(psns.size());
        }
        return counts;
    }

    std::vector<std::vector<uint32_t>> chosen; ///< By uplink: PSNs.
    std::vector<uint32_t> order;               ///< Uplinks, as frames left.
};

} // namespace ns3::rdma

#endif // RDMA_BALANCER_TEST_BENCH_H
