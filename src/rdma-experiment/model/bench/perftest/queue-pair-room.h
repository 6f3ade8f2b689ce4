// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_ROOM_H
#define RDMA_QUEUE_PAIR_ROOM_H

#include "ns3/scenario.h"

namespace ns3::rdma
{

/// @throws InputError if a NIC of the first run holds fewer queue pairs. @param program and
/// @param option what the message begins with; @param queuePairs that each NIC shall have
void CheckQueuePairRoom(const std::string& program,
                        const std::string& option,
                        const Scenario& scenario,
                        uint32_t queuePairs);

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_ROOM_H
