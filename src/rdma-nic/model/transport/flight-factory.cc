// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight-factory.h"

#include "ns3/register-type.h"
#include "ns3/reported-flight.h"
#include "ns3/sprayed-flight.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(FlightFactory, Object, "RdmaNic");

std::unique_ptr<Flight>
MakeBuiltInFlight(FlightState& state, const RequesterParts& parts)
{
    if (state.rules->reports)
    {
        return std::make_unique<ReportedFlight>(state, parts);
    }
    if (parts.entropySelector)
    {
        return std::make_unique<SprayedFlight>(state, parts);
    }
    return nullptr;
}

} // namespace ns3::rdma
