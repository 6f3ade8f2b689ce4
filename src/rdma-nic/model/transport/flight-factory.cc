// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight-factory.h"

#include "ns3/reported-flight.h"
#include "ns3/sprayed-flight.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FlightFactory);

TypeId
FlightFactory::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FlightFactory").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

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
