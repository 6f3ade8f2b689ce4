// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLIGHT_FACTORY_H
#define RDMA_FLIGHT_FACTORY_H

#include "ns3/object.h"

#include <memory>

namespace ns3::rdma
{

class Flight;
struct FlightState;
struct RequesterParts;

/**
 * @ingroup rdma-transport
 * @brief Makes the flights of a NIC's requesters: a further transport, together with a
 * ReceiverControl and a WireFormat.
 *
 * One instance per NIC design.
 */
class FlightFactory : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called when a requester is made.
    /// @param state of the requester; it outlives the flight and is changed by it
    /// @param parts that the requester has for itself, its entropy selector among them
    /// @return null: the flight is a CumulativeFlight.
    virtual std::unique_ptr<Flight> Make(FlightState& state, const RequesterParts& parts) const = 0;
};

/// The flights of the built-in transports: ReportedFlight if the receiver sends reports,
/// SprayedFlight if there is only an entropy selector.
/// @return null: CumulativeFlight.
std::unique_ptr<Flight> MakeBuiltInFlight(FlightState& state, const RequesterParts& parts);

} // namespace ns3::rdma

#endif // RDMA_FLIGHT_FACTORY_H
