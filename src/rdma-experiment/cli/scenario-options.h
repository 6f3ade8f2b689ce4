// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_OPTIONS_H
#define RDMA_SCENARIO_OPTIONS_H

#include "ns3/scenario-reader.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A scenario file, and what the command line changes about it.
struct ScenarioOptions
{
    std::string scenario;
    ScenarioChanges changes;
};

/// Adds the argument "scenario" and the options that change it. @param options outlive the command
void AddScenarioOptions(CLI::App& command, ScenarioOptions& options);

/// Adds --plugin. @param plugins outlive the command
void AddPluginOption(CLI::App& command, std::vector<std::string>& plugins);

/// @return what is wrong with the text of a seed, or nothing
std::string CheckSeed(const std::string& text);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_OPTIONS_H
