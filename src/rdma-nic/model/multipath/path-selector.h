// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PATH_SELECTOR_H
#define RDMA_PATH_SELECTOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// Number and link states of a NIC's ports.
struct PortStates
{
    uint32_t count; ///< At least 1.
    uint64_t up;    ///< One bit per port: set if its link is up.

    bool IsUp(uint32_t port) const
    {
        return ((up >> port) & 1) != 0;
    }
};

/// A queue pair whose path may be broken.
struct PathTrouble
{
    uint32_t port;     ///< The port in use.
    uint32_t expiries; ///< Consecutive expiries of its retransmission timer; 0: a link has changed.
    PortStates ports;
};

/// Why a queue pair may return to the port that it began with.
enum class ReturnCause
{
    LINK_UP, ///< The link of that port has come up.
    RETRY,   ///< It has left that port; the link there is up, as far as the NIC knows.
};

/**
 * @ingroup rdma-nic
 * @brief Chooses the NIC and the port of a queue pair, and decides whether the queue pair changes
 * its port.
 *
 * Has no state, so that all ranks get the same answers for the same connections.  The defaults are
 * those of FixedPath.
 */
class PathSelector : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param connection number, from 0, among the connections that the server with more NICs has
    /// initiated; among those that it has accepted, if that server is the receiver
    /// @param nics of that server
    /// @return the NIC; the other end uses the same number modulo its number of NICs. Default:
    /// round-robin
    virtual uint32_t ChooseNic(uint64_t connection, uint32_t nics) const;

    /// @param connection number, from 0, among the connections that the NIC has initiated
    /// @return the port; the other end uses the same number. Default: round-robin over the ports
    /// whose link is up, or over all if no link is
    virtual uint32_t ChoosePort(uint64_t connection, const PortStates& ports) const;

    /// Called for each queue pair at a port whose link is down when any link of the NIC changes,
    /// and each time that a retransmission timer expires with unfinished work.
    /// @return the new port; unset, the default: no change
    virtual std::optional<uint32_t> Move(const PathTrouble& trouble) const;

    /// @return the time from the cause until a queue pair returns, if the link is up then; a link
    /// that goes down and up again begins anew. Unset, the default: never. Not negative
    virtual std::optional<Time> GetReturnDelay(ReturnCause cause) const;
};

/**
 * @ingroup rdma-nic
 * @brief A queue pair never changes its port; NICs and ports are assigned round-robin.
 *
 * This is the behaviour of ports without bonding: a queue pair selects its port in INIT
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
