// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UPLINK_RATE_H
#define RDMA_UPLINK_RATE_H

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @param below sum of the rates of a switch's links to the tier below, bit/s
 * @param uplinks number of its links to the tier above, at least 1
 * @param oversubscription the sum below over the sum above; above 0
 * @return the rate of each uplink, rounded to the nearest bit/s
 * @throws InputError if the rate is below 1 bit/s or above 1 Pb/s
 */
DataRate GetUplinkRate(double below, uint32_t uplinks, double oversubscription);

} // namespace ns3::rdma

#endif // RDMA_UPLINK_RATE_H
