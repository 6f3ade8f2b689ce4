// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEMORY_MEASUREMENT_H
#define RDMA_MEMORY_MEASUREMENT_H

#include "scenario-measurement.h"

#include <string>

namespace ns3::rdma
{

/// What a NIC design needs of the heap, in bytes (docs/validation/performance.md says what counts).
struct MemoryMeasurement
{
    double perFlow{0};   ///< Of an active flow: both ends and the flow driver; frames are apart.
    double perServer{0}; ///< Of an idle server: node, NetDevice and NIC, without its port.
};

/**
 * Measures a design on a fabric of its own, whatever the size of the scenario.  In a process of its
 * own.
 *
 * @param file scenario on a fat-tree
 * @throws InputError if the scenario is unsound
 */
MemoryMeasurement MeasureMemory(const std::string& file, const ScenarioCase& scenarioCase);

} // namespace ns3::rdma

#endif // RDMA_MEMORY_MEASUREMENT_H
