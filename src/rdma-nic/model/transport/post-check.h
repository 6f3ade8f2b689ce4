// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POST_CHECK_H
#define RDMA_POST_CHECK_H

#include "ns3/queue-pair-attributes.h"

namespace ns3::rdma
{

/// The limits that a posted request is checked against.
struct PostLimits
{
    Service service;
    const QueuePairCapabilities& capabilities;
    const ProtectionDomain* domain; ///< Null: memory is not checked.
    uint32_t mtuBytes;
    uint32_t maxReadsAndAtomics;
};

/**
 * @return whether a request may be posted at all: operation of the service, registered packets of a
 * kernel's operation, number of pieces, inline bytes, length (2^31 bytes and 2^23 packets at most,
 * IBTA Vol. 1, Section 9.7.7.1.1).
 */
bool IsPostable(const SendWorkRequest& request, const PostLimits& limits);

/**
 * @return how a posted request will end without being sent, SUCCESS if it may be sent: a local
 * buffer without a valid key (LOC_PROT_ERR), a datagram beyond the MTU (LOC_LEN_ERR), a READ or an
 * atomic on a queue pair without resources for them (LOC_QP_OP_ERR).
 */
WcStatus CheckLocally(const SendWorkRequest& request, const PostLimits& limits);

} // namespace ns3::rdma

#endif // RDMA_POST_CHECK_H
