// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_CLASS_KEYS_H
#define RDMA_CLASS_KEYS_H

#include "ns3/json-value.h"
#include "ns3/keys.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/// Declares the key of one class in "classes".
/// @param number from "0" to "7"
void VisitClass(Keys& keys, const char* number, ClassSpec& spec);

/// Declares the size of a pool in "pools".
void VisitPool(Keys& keys, const char* name, uint64_t& bytes);

/// Checks that each class names a pool beside it, and that each pool has a class.
/// @param fabric the value of "fabric", of the scenario or of an entry of "nics"
/// @throws InputError
void CheckPools(const JsonValue& fabric, const SwitchSpec& spec);

/// Checks that the marking policy of each class uses the thresholds and the point of the class,
/// with each NIC that runs.
/// @param root the scenario
/// @throws InputError
void CheckClassMarkings(const JsonValue& root, const Scenario& scenario);

/// Checks that the thresholds of an entry of "nics" have an effect; those of the fabric that have
/// none cause a warning.
/// @param root the scenario
/// @throws InputError
void CheckOwnEcn(const JsonValue& root, const Scenario& scenario);

/// Declares the keys of "watchdog".
void VisitWatchdog(Keys& keys, WatchdogSpec& spec);

} // namespace ns3::rdma

#endif // RDMA_CLASS_KEYS_H
