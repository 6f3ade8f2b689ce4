// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_MESSAGE_H
#define RDMA_TRAFFIC_MESSAGE_H

#include <cstdint>
#include <functional>

namespace ns3::rdma
{

/// Messages of a workload's traffic that are known before the run.
struct TrafficMessages
{
    uint32_t src;   ///< Node id of a server.
    uint32_t dst;   ///< Another server.
    uint64_t bytes; ///< Of each; 0: a packet without payload.
    double count;   ///< Not whole if a part of the messages was looked at.
};

using TrafficVisitor = std::function<void(const TrafficMessages&)>;

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_MESSAGE_H
