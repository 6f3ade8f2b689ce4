// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STROM_VERBS_H
#define FPGA_STROM_VERBS_H

#include "ns3/kernel-host.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Calls a kernel of the peer (StRoM section 5.3, postRpc).  The completion means that the
 * parameters were accepted; the answer is a WRITE to their target address.
 * @param code of the kernel
 * @param parameters at most MAX_STORED_PARAMETERS, which the host stores to the NIC with the
 * command; longer ones are INVALID and must be in memory
 * @param replyKey R_Key of the memory for the answer
 */
PostResult PostRpc(RdmaNic& nic,
                   uint32_t queuePair,
                   uint64_t wrId,
                   uint64_t code,
                   std::vector<uint8_t> parameters,
                   uint32_t replyKey = 0);

/// As above, for parameters in memory, at most the path MTU.
PostResult PostRpc(RdmaNic& nic,
                   uint32_t queuePair,
                   uint64_t wrId,
                   uint64_t code,
                   const Sge& parameters,
                   uint32_t replyKey = 0);

/// Sends data to a kernel of the peer (postRpcWrite).
PostResult PostRpcWrite(RdmaNic& nic,
                        uint32_t queuePair,
                        uint64_t wrId,
                        uint64_t code,
                        const Sge& data,
                        uint32_t replyKey = 0);

} // namespace ns3::rdma

#endif // FPGA_STROM_VERBS_H
