// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/pause-storm-keys.h"

#include "ns3/fabric.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

void
VisitPauseStorm(Keys& keys, PauseStormSpec& storm)
{
    keys.Count("server", storm.server, "node id of the server").Required();
    keys.Count("class", storm.priority, "class that its NIC pauses")
        .AtMost(uint64_t{PRIORITIES - 1});
    keys.Time("at", storm.at, "start of the storm").Required();
    keys.Time("until", storm.until, "end of the storm").Otherwise("never");
    keys.Check(!storm.until || *storm.until > storm.at, "until", "a time after \"at\"");
}

void
CheckPauseStorms(const std::vector<PauseStormSpec>& storms,
                 const TopologyGraph& graph,
                 const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < storms.size(); ++i)
    {
        if (storms[i].server >= graph.isSwitch.size() || graph.IsSwitch(storms[i].server))
        {
            const JsonValue server = entries[i].Get("server");
            server.Fail("the node id of a server", server.GetJson().dump());
        }
    }
}

std::vector<std::unique_ptr<PauseStorm>>
MakePauseStorms(const std::vector<PauseStormSpec>& storms,
                Fabric& fabric,
                const std::function<bool(uint32_t endpoint)>& isHere)
{
    std::vector<std::unique_ptr<PauseStorm>> made;
    for (const PauseStormSpec& storm : storms)
    {
        for (const uint32_t endpoint : fabric.GetGraph().GetEndpoints())
        {
            if (fabric.GetGraph().GetEndpoint(endpoint).server == storm.server && isHere(endpoint))
            {
                made.push_back(
                    std::make_unique<PauseStorm>(fabric.GetCore(),
                                                 fabric.GetServerDevice(endpoint).GetPort(),
                                                 storm.priority,
                                                 ToTick(storm.at),
                                                 storm.until ? ToTick(*storm.until) : TICK_NEVER));
            }
        }
    }
    return made;
}

} // namespace ns3::rdma
