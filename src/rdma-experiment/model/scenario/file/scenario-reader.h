// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_READER_H
#define RDMA_SCENARIO_READER_H

#include "ns3/run-input.h"
#include "ns3/scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a user changes about a scenario file without editing it.
struct ScenarioChanges
{
    std::optional<std::string> text;  ///< Instead of what is in the file, which need not exist.
    std::vector<std::string> sets;    ///< "PATH=VALUE", applied in this order.
    std::optional<uint64_t> seed;     ///< Replaces run.seed.
    std::vector<std::string> nics;    ///< Only these, in this order; a preset need not be listed.
    bool hasSeries{false};            ///< Time series are written, whatever the file has.
    std::vector<std::string> plugins; ///< Paths of the plug-ins that are loaded.
    std::string baseDirectory;        ///< Where relative paths start; empty: folder of the file.
};

/**
 * Reads a scenario file, resolves it and checks it as a whole: the topology is built, the files of
 * the workload are read, all attributes are known and valid. Nothing is written.
 *
 * @throws InputError with one line for the first fault
 */
Scenario ReadScenario(const std::string& file, const ScenarioChanges& changes = {});

/// The same, with the topology and the flows that were made for the checks.
std::unique_ptr<PreparedScenario> PrepareScenario(const std::string& file,
                                                  const ScenarioChanges& changes = {});

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_READER_H
