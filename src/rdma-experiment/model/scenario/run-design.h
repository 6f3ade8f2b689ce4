// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_DESIGN_H
#define RDMA_RUN_DESIGN_H

#include "ns3/nic-design.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/// @return the design that an entry of "nics" describes, at the scenario's path MTU.
NicDesign MakeNicDesign(const Scenario& scenario, const NicSpec& nic);

/// @return attributes of switches and links in a run with a NIC: what the scenario says, and PFC
/// as the NIC needs it if it says nothing.
AttributeValues MakeFabricAttributes(const Scenario& scenario, const NicSpec& nic);

} // namespace ns3::rdma

#endif // RDMA_RUN_DESIGN_H
