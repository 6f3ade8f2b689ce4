// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAUSE_CYCLE_H
#define RDMA_PAUSE_CYCLE_H

#include "ns3/fabric.h"

#include <vector>

namespace ns3::rdma
{

/// A priority of the port at one end of a link.
struct PortClass
{
    uint32_t link; ///< Of the graph.
    uint32_t end;  ///< 0: the port at GraphLink::a; 1: at b.
    uint32_t priority;

    bool operator<(const PortClass& other) const;
    bool operator==(const PortClass& other) const;
};

/// A paused port, by PFC or by a LinkPolicy, waits for another one: the switch that has paused it,
/// or that has no credit for it, holds frames which came from it, and which are queued at the other
/// port. That port is paused, too.
struct PauseWait
{
    PortClass paused;
    PortClass holder;
};

/// @return the waits at all switches of this process. Walks through the queues of paused ports.
std::vector<PauseWait> FindPauseWaits(Fabric& fabric);

/**
 * @brief Finds paused ports that wait for each other in a cycle: a deadlock of PFC, if nothing has
 * moved for longer than a frame takes.
 *
 * A queue waits for all ports that hold its frames, and moves if one of them does.  While frames
 * move, a cycle can therefore dissolve.
 * @param waits of all processes, in any order
 * @return the ports of a cycle, each waiting for the next one and the last for the first, which is
 * the smallest; empty if there is no cycle. Of several cycles, the one with the smallest port.
 */
std::vector<PortClass> FindPauseCycle(const std::vector<PauseWait>& waits);

/// A PortClass as a user names it.
struct PausedPort
{
    uint32_t node; ///< A switch.
    uint32_t port; ///< Of the switch, in the order of the links.
    uint32_t to;   ///< Node at the other end of its link: the switch that has paused it.
    uint32_t priority;
};

PausedPort NamePort(const Fabric& fabric, const PortClass& port);

} // namespace ns3::rdma

#endif // RDMA_PAUSE_CYCLE_H
