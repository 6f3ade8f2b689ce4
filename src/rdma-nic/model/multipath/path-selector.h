// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PATH_SELECTOR_H
#define RDMA_PATH_SELECTOR_H

#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The ports of a NIC.
struct PortStates
{
    uint32_t count; ///< At least 1.
    uint64_t up;    ///< A bit per port: its link is up.

    bool IsUp(uint32_t port) const
    {
        return ((up >> port) & 1) != 0;
    }
};

/// A queue pair whose path may not work.
struct PathTrouble
{
    uint32_t port;     ///< In use.
    uint32_t expiries; ///< Of its retransmission timer, in a row; 0: only the link has changed.
    PortStates ports;
};

/**
 * @ingroup rdma-nic
 * @brief Decides which NIC of a server and which port of the NIC a queue pair uses, and whether it
 * changes the port.
 *
 * Has no state: all ranks ask it for the same connections and get the same answers.  The default
 * answers are those of FixedPath.
 */
class PathSelector : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param connection of those that the server with more NICs has begun (or, where that is the
    /// receiver, has been asked for), counted from 0
    /// @param nics of that server
    /// @return which of them; the other end has the same one, modulo its NICs. Default: in turn
    virtual uint32_t ChooseNic(uint64_t connection, uint32_t nics) const;

    /// @param connection of those that the NIC has begun, counted from 0
    /// @return which port; the other end has the same one. Default: in turn those whose link is up,
    /// and all if none is
    virtual uint32_t ChoosePort(uint64_t connection, const PortStates& ports) const;

    /// Asked for each queue pair at a port whose link is down, when any link of the NIC changes,
    /// and each time that a retransmission timer expires and work is left. @return the port that it
    /// uses from now on; unset, the default: it stays
    virtual std::optional<uint32_t> Move(const PathTrouble& trouble) const;
};

/**
 * @ingroup rdma-nic
 * @brief One port for the life of a queue pair: NICs and ports are assigned round-robin.
 *
 * What the ports of a NIC are without bonding: a queue pair names its port in INIT
 * (ibv_qp_attr.port_num), and fails with the path.  Round-robin is how the mlx5 driver spreads
 * queue pairs over the ports of a bond ("queue affinity").
 */
class FixedPath : public PathSelector
{
  public:
    static TypeId GetTypeId();
};

} // namespace ns3::rdma

#endif // RDMA_PATH_SELECTOR_H
