// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_CLASS_H
#define RDMA_TRAFFIC_CLASS_H

#include "ns3/queue-pair-attributes.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The class and the rate limit of queue pairs of a workload, at both ends. Unset: those of their
/// NICs.
struct TrafficClass
{
    std::optional<uint8_t> dscp;       ///< As of QueuePairAttributes.
    std::optional<uint8_t> priority;   ///< The service level of QueuePairAttributes.
    std::optional<DataRate> rateLimit; ///< As of QueuePairAttributes.

    bool IsSet() const
    {
        return dscp || priority || rateLimit;
    }

    void Apply(QueuePairAttributes& attributes) const
    {
        attributes.dscp = dscp;
        attributes.serviceLevel = priority;
        attributes.rateLimit = rateLimit ? rateLimit : attributes.rateLimit;
    }

    QueuePairAttributes MakeAttributes() const
    {
        QueuePairAttributes attributes;
        Apply(attributes);
        return attributes;
    }
};

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_CLASS_H
