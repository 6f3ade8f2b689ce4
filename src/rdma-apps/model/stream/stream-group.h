// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_GROUP_H
#define RDMA_STREAM_GROUP_H

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-stream
 * @brief Streams of messages from one server to another that are alike: a queue pair each.
 *
 * A pattern (one-to-one, LOFAR's transpose, ...) is a list of these.
 */
struct StreamGroup
{
    uint32_t sender{0};       ///< Node id.
    uint32_t receiver{0};     ///< Node id, never the sender.
    uint32_t queuePairs{1};   ///< Between these two; at least 1.
    uint32_t messageBytes{1}; ///< Of each message; at least 1.
    /// Payload of all queue pairs together; 0: as fast as queues and network allow.
    DataRate rate{0};
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_GROUP_H
