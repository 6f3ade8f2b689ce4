// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-kinds.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

const std::vector<ScenarioKind>&
GetTopologyKinds()
{
    static const std::vector<ScenarioKind> kinds{
        {"fat-tree",
         "1, 2 or 3 tiers of SRNIC section 6.3: 16, 64, 256, 1024 or 4096 servers",
         {"servers", "hostRate", "fabricRate", "linkDelay"}},
        {"back-to-back", "two servers, one link", {"hostRate", "linkDelay"}},
        {"star", "servers around one switch", {"servers", "hostRate", "linkDelay"}},
        {"dumbbell",
         "servers on each side of a link between two switches",
         {"servers", "hostRate", "bottleneckRate", "linkDelay"}},
        {"hpcc-file", "a topology file of the HPCC simulator family", {"file"}},
    };
    return kinds;
}

const std::vector<ScenarioKind>&
GetWorkloadKinds()
{
    static const std::vector<ScenarioKind> kinds{
        {"poisson",
         "flows of random size at random times from every server to every other",
         {"sizes", "load", "duration", "sources", "destinations"}},
        {"incast",
         "many servers send to one at the same time, in rounds",
         {"senders", "receiver", "bytes", "at", "period", "repeats"}},
        {"hpcc-trace", "a flow file of the HPCC simulator family", {"file"}},
        {"flows", "flows written out in the scenario", {"flows"}},
    };
    return kinds;
}

std::vector<std::string>
GetKindNames(const std::vector<ScenarioKind>& kinds)
{
    std::vector<std::string> names;
    for (const ScenarioKind& kind : kinds)
    {
        names.push_back(kind.name);
    }
    return names;
}

const ScenarioKind&
FindKind(const std::vector<ScenarioKind>& kinds, const std::string& name)
{
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&name](const ScenarioKind& kind) {
        return kind.name == name;
    });
    NS_ASSERT_MSG(found != kinds.end(), "unknown kind " << name);
    return *found;
}

} // namespace ns3::rdma
