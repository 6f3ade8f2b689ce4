// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_ENDPOINTS_H
#define RDMA_FLOW_ENDPOINTS_H

#include "ns3/endpoint-map.h"
#include "ns3/rdma-nic.h"

#include <vector>

namespace ns3::rdma
{

/// Endpoint ids of a connection.
struct ConnectionEnds
{
    uint32_t src;
    uint32_t dst;
};

/**
 * @ingroup rdma-scenario
 * @brief Chooses NICs and ports for the connections of flows, by the PathSelector of the sender's
 * first NIC.
 *
 * The choice depends on the number of earlier connections and on which links are up: each rank
 * makes all choices in the same order, so that all ranks agree.
 */
class FlowEndpoints
{
  public:
    /// @param nics by endpoint id, null for switches; both outlive this
    FlowEndpoints(const EndpointMap& endpoints, const std::vector<Ptr<RdmaNic>>& nics);

    /// Chooses the ends of a new connection. @param src, dst node ids of servers
    ConnectionEnds Choose(uint32_t src, uint32_t dst);

    /// @return which port of its NIC an endpoint is.
    uint32_t GetPort(uint32_t endpoint) const
    {
        return m_endpoints.Get(endpoint).port;
    }

  private:
    const EndpointMap& m_endpoints;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    bool m_isPlain; ///< Each server has one NIC with one port.
    // By endpoint id of a server's or a NIC's first port.
    std::vector<uint64_t> m_chosenAsSrc; ///< Connections from servers.
    std::vector<uint64_t> m_chosenAsDst; ///< Connections to servers.
    std::vector<uint64_t> m_onNic;       ///< Connections from NICs.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_ENDPOINTS_H
