// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-check.h"

#include "ns3/gpu-check.h"
#include "ns3/input-error.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-design.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3::rdma
{

namespace
{

/// Ports of the NICs of a server: as many NICs at most.
uint64_t
CountEndpoints(const TopologyGraph& topology, uint32_t server)
{
    uint64_t count = 0;
    for (const GraphLink& link : topology.links)
    {
        for (const uint32_t end : {link.a, link.b})
        {
            count += !topology.IsSwitch(end) && topology.GetEndpoint(end).server == server;
        }
    }
    return count;
}

} // namespace

void
CheckStreamRoom(const Scenario& scenario,
                const TopologyGraph& topology,
                const std::vector<StreamGroup>& groups,
                const std::string& path)
{
    std::map<uint32_t, uint64_t> queuePairs; // By server.
    for (const StreamGroup& group : groups)
    {
        queuePairs[group.sender] += group.queuePairs;
        queuePairs[group.receiver] += group.queuePairs;
    }
    for (const NicSpec& nic : scenario.nics)
    {
        std::map<const DesignSpec*, QueuePairLimit> limits; // Looked up, not iterated.
        for (const auto& [server, count] : queuePairs)
        {
            const DesignSpec* const spec = FindDesign(scenario, nic, server);
            if (!spec)
            {
                continue;
            }
            if (limits.count(spec) == 0)
            {
                limits[spec] = RdmaNic::GetQueuePairLimit(MakeNicDesign(scenario, *spec));
            }
            const QueuePairLimit& limit = limits[spec];
            const uint64_t most = limit.most;
            if (count > most && count > most * CountEndpoints(topology, server))
            {
                throw InputError(
                    scenario.file + ": " + path +
                    ": expected streams for whose queue pairs the NICs have room, got " +
                    std::to_string(count) + " at server " + std::to_string(server) + ", where \"" +
                    nic.name + "\" holds at most " + std::to_string(most) + ", the limit of " +
                    limit.owner);
            }
        }
    }
}

void
CheckStreamGpus(const Scenario& scenario,
                const std::vector<StreamGroup>& groups,
                const std::string& path)
{
    std::set<uint32_t> receivers;
    for (const StreamGroup& group : groups)
    {
        receivers.insert(group.receiver);
    }
    CheckGpus(scenario, receivers, path);
}

} // namespace ns3::rdma
