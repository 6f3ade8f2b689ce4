// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_IDEAL_FCT_H
#define RDMA_IDEAL_FCT_H

#include "ns3/fabric-port.h"
#include "ns3/header-sizes.h"
#include "ns3/work-request.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Completion time of a message that is alone in the network, to the picosecond.
 *
 * The message is cut into packets that follow each other at line rate; each is acknowledged, and
 * the flow ends with the last acknowledgment.  Every port is a server that holds one frame at a
 * time, so the time is that of a tandem of such servers: port j begins to send packet i at
 * b(i, j) = max(b(i, j-1) + head(i, j-1) + delay(j-1), b(i-1, j) + serialization(i-1, j)), where
 * the head is all of the packet unless the switch cuts through (FabricPort::GetHeadTime()).  It is
 * computed packet by packet until the spacing between packets is steady, and in one step
 * afterwards.
 *
 * @param forward ports that send the data, in order, at least one
 * @param backward ports that send acknowledgments, in order, at least one
 * @param headers of the sending NIC; @param mtuBytes payload of a full packet
 * @param bytes of the message, at least 1
 * @param operation RDMA_WRITE, RDMA_WRITE_WITH_IMM or SEND
 */
Tick ComputeIdealFct(const PortPath& forward,
                     const PortPath& backward,
                     const HeaderSizes& headers,
                     uint32_t mtuBytes,
                     uint64_t bytes,
                     WrOpcode operation = WrOpcode::RDMA_WRITE);

/**
 * @return the same of a READ: its request passes the forward path, then the packets of its response
 * pass the backward path as those of a WRITE, and it ends with the last of them.  An acknowledgment
 * of the request passes before them.  The response to several requests, where the NIC divides a
 * READ, has more headers and takes longer.
 *
 * @param isAcknowledged whether the request has an acknowledgment of its own
 */
Tick ComputeIdealReadFct(const PortPath& forward,
                         const PortPath& backward,
                         const HeaderSizes& headers,
                         uint32_t mtuBytes,
                         uint64_t bytes,
                         bool isAcknowledged = false);

} // namespace ns3::rdma

#endif // RDMA_IDEAL_FCT_H
