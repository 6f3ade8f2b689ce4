// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/uplink-rate.h"

#include "ns3/input-error.h"

#include <cmath>
#include <string>

namespace ns3::rdma
{

DataRate
GetUplinkRate(double below, uint32_t uplinks, double oversubscription)
{
    constexpr double MAX_RATE{1e15};
    const double rate = std::round(below / uplinks / oversubscription);
    if (!(rate >= 1 && rate <= MAX_RATE))
    {
        throw InputError("expected an oversubscription with which links between switches have 1 "
                         "bit/s to 1 Pb/s, got " +
                         std::to_string(oversubscription));
    }
    return DataRate(static_cast<uint64_t>(rate));
}

} // namespace ns3::rdma
