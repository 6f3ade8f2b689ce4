// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SWITCH_VIEW_H
#define RDMA_SWITCH_VIEW_H

#include "ns3/route-table.h"
#include "ns3/tick.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

class FabricPort;
class FramePool;

/// Facts of a fabric from which policies derive their thresholds.
struct FabricScale
{
    /// Longest round trip in the empty network, of a frame of maxFrameBytes and a short answer.
    Tick baseRtt{0};
    uint32_t maxFrameBytes{0}; ///< Largest frame that the NICs send, FCS excluded.
};

/// A port of a switch, and the kind of node at the other end of its link.
struct SwitchPortView
{
    const FabricPort* port;
    bool leadsToServer;
};

/**
 * @ingroup rdma-routing
 * @brief State of a switch that its policies may read.  The pointers are valid as long as the
 * switch.
 */
struct SwitchView
{
    /// @return whether servers are attached: a leaf or top-of-rack switch.
    bool HasServers() const
    {
        return std::any_of(ports.begin(), ports.end(), [](const SwitchPortView& port) {
            return port.leadsToServer;
        });
    }

    uint64_t seed{0}; ///< For random streams: differs by switch, by policy and by the run's seed.
    /// Position among the switches, by rising node id: its table is routes->tables[number].
    uint32_t number{0};
    std::vector<SwitchPortView> ports; ///< By port number.
    const Routes* routes{nullptr};     ///< Current routes of the whole fabric.
    FramePool* frames{nullptr};        ///< For FramePool::GetRouteTag().
    /// Of the whole fabric. Only for admission and marking policies.
    FabricScale scale{};
};

} // namespace ns3::rdma

#endif // RDMA_SWITCH_VIEW_H
