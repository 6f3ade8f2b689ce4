// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_FABRIC_CLASSES_H
#define RDMA_FABRIC_CLASSES_H

#include "ns3/fabric.h"
#include "ns3/scenario.h"

#include <optional>

namespace ns3::rdma
{

/// @return nullopt: all classes have the settings of the fabric.
std::optional<ClassTable> MakeClassTable(const FabricSpec& fabric);

/// @return nullopt: strict priority by number.
std::optional<PortSchedule> MakeSchedule(const FabricSpec& fabric);

PfcWatchdogConfig MakeWatchdogConfig(const WatchdogSpec& spec);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_CLASSES_H
