// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PAUSE_STORM_KEYS_H
#define RDMA_PAUSE_STORM_KEYS_H

#include "ns3/fabric.h"
#include "ns3/json-value.h"
#include "ns3/keys.h"
#include "ns3/pause-storm.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Declares the keys of an entry of "pauseStorms": a server whose NIC pauses its switch.
void VisitPauseStorm(Keys& keys, PauseStormSpec& storm);

/// @param value the same list
/// @throws InputError if a server is not there
void CheckPauseStorms(const std::vector<PauseStormSpec>& storms,
                      const TopologyGraph& graph,
                      const JsonValue& value);

/// @param isHere whether this rank simulates an endpoint
/// @return the storms at the ports of this rank, which begin at their times
std::vector<std::unique_ptr<PauseStorm>> MakePauseStorms(
    const std::vector<PauseStormSpec>& storms,
    Fabric& fabric,
    const std::function<bool(uint32_t endpoint)>& isHere);

} // namespace ns3::rdma

#endif // RDMA_PAUSE_STORM_KEYS_H
