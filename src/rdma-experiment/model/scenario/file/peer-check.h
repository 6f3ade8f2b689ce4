// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PEER_CHECK_H
#define RDMA_PEER_CHECK_H

#include "ns3/run-input.h"
#include "ns3/scenario.h"

#include <string>

namespace ns3::rdma
{

/**
 * What two NICs have to agree on that exchange packets: headers, IP version, whether a receiver
 * keeps packets that come out of order, and which PSNs READ responses use.
 *
 * Not compared is what works one-sidedly: a sender whose congestion control needs CNPs or echoed
 * marks gets none from a NIC that sends none.
 *
 * @return the first difference, as "ns3::rdma::IbtaFormat and ns3::rdma::IrnFormat"; empty: none
 */
std::string FindPeerDifference(const DesignSpec& one, const DesignSpec& other);

/// @throws InputError if a flow of the scenario is between servers whose NICs do not agree
void CheckPeers(RunInput& input);

} // namespace ns3::rdma

#endif // RDMA_PEER_CHECK_H
