// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_MEASUREMENT_H
#define RDMA_SCENARIO_MEASUREMENT_H

#include "guard-run.h"

#include "ns3/scenario-reader.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// A whole scenario that is measured.
struct ScenarioCase
{
    uint32_t servers;
    const char* nic;      ///< Preset.
    const char* duration; ///< Simulated time, as scenarios write it; null: the trace of a file.
    bool isHardwareTimed{false};
    bool hasPfc{false};            ///< Whatever the preset needs.
    ExtraWork extraWork{};         ///< Of srnic and connectx6 only.
    double load{0.7};              ///< Not of the trace.
    bool hasOnePacketFlows{false}; ///< All of 1,000 bytes, run to the last flow.
};

/// @return as "srnic", with hardware on "srnic+hw", with PFC asked for "srnic+pfc".
inline std::string
GetDesign(const ScenarioCase& scenarioCase)
{
    return std::string(scenarioCase.nic) + (scenarioCase.isHardwareTimed ? "+hw" : "") +
           (scenarioCase.hasPfc ? "+pfc" : "") + (scenarioCase.duration ? "" : " trace");
}

/// @return the trace's flows: 64 servers, 2 ms of Cache_Follower at 0.7, on which the SRNIC
/// authors' simulator was measured.
std::string GetTraceFile();

/// @return whether it is there: not every machine has it.
bool HasTrace();

/// @return what a case changes in the benchmark's scenario file.
ScenarioChanges GetChanges(const ScenarioCase& scenarioCase);

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
 * Runs a scenario file with what a case changes.  In a process of its own.
 *
 * @throws InputError if the scenario is unsound
 */
ScenarioMeasurement MeasureScenario(const std::string& file, const ScenarioCase& scenarioCase);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_MEASUREMENT_H
