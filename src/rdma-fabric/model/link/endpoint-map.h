// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENDPOINT_MAP_H
#define RDMA_ENDPOINT_MAP_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rdma
{

/// A port of a NIC of a server: source or destination of frames.
struct Endpoint
{
    uint32_t server; ///< Node id.
    uint32_t nic{0};
    uint32_t port{0};
};

/**
 * @ingroup rdma-link
 * @brief Maps endpoint ids to servers, NICs and ports.
 *
 * The first port of a server's first NIC has the node id of the server as its endpoint id; all
 * other endpoints have ids above those of the nodes.  A server with one NIC of one port therefore
 * has one id.
 */
class EndpointMap
{
  public:
    static constexpr uint32_t NONE{std::numeric_limits<uint32_t>::max()};

    EndpointMap() = default;

    /// @param nodes number of nodes: ids below this are nodes
    /// @param further endpoints with the ids from there on, sorted by server, NIC and port
    EndpointMap(uint32_t nodes, std::vector<Endpoint> further);

    /// @return the upper bound of the ids of nodes and endpoints.
    uint32_t GetIdCount() const
    {
        return m_nodes + static_cast<uint32_t>(m_further.size());
    }

    Endpoint Get(uint32_t id) const
    {
        return id < m_nodes ? Endpoint{id, 0, 0} : m_further[id - m_nodes];
    }

    /// @return its id; NONE if the server has no such NIC or port.
    uint32_t Find(const Endpoint& endpoint) const;

    /// @return another port of the same NIC; NONE if it has no such port.
    uint32_t FindPort(uint32_t id, uint32_t port) const;

    /// @return whether each server has one NIC with one port.
    bool IsPlain() const
    {
        return m_further.empty();
    }

    uint32_t CountNics(uint32_t server) const;

    /// @return endpoint ids of a server, by NIC and port.
    std::vector<uint32_t> GetEndpoints(uint32_t server) const;

  private:
    uint32_t m_nodes{0};
    std::vector<Endpoint> m_further;
};

} // namespace ns3::rdma

#endif // RDMA_ENDPOINT_MAP_H
