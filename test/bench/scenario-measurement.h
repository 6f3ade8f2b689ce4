// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_MEASUREMENT_H
#define RDMA_SCENARIO_MEASUREMENT_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// A whole scenario that is measured.
struct ScenarioCase
{
    uint32_t servers;
    const char* nic;      ///< Preset.
    const char* duration; ///< Simulated time, as scenarios write it.
    bool isHardwareTimed{false};
};

/// What one run of it took.
struct ScenarioMeasurement
{
    uint64_t packetHops{0};
    uint64_t events{0};
    uint64_t flows{0}; ///< Started.
    int64_t simulatedPs{0};
    uint64_t violations{0};   ///< Broken invariants: the numbers mean nothing.
    double setupSeconds{0};   ///< Processor time to read the scenario and build fabric and NICs.
    double runSeconds{0};     ///< Processor time of SimulationRun::Run().
    uint64_t peakRssBytes{0}; ///< Filled in by the parent process.

    double GetHopRate() const
    {
        return static_cast<double>(packetHops) / runSeconds;
    }
};

/**
 * Runs a scenario file with the given size, design and duration.  In a process of its own.
 *
 * @param file scenario on a fat-tree with a Poisson workload
 * @throws InputError if the scenario is unsound
 */
ScenarioMeasurement MeasureScenario(const std::string& file, const ScenarioCase& scenarioCase);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_MEASUREMENT_H
