// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_INTERNET_H
#define RDMA_FABRIC_INTERNET_H

#include "ns3/fabric.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Installs ns-3's IP stack on servers of a fabric.
 *
 * A server gets the addresses MakeIpv4Address() and, on request, MakeIpv6Address() of its node id,
 * in one flat subnet per IP version, and does not forward packets.  There is no address resolution
 * (see FabricDevice), so that servers need no tables of all other servers.
 */
class FabricInternet
{
  public:
    explicit FabricInternet(bool hasIpv6 = false);

    /// A server that has a stack keeps it.
    /// @param servers node ids in the fabric
    void Install(Fabric& fabric, const std::vector<uint32_t>& servers) const;

  private:
    bool m_hasIpv6;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_INTERNET_H
