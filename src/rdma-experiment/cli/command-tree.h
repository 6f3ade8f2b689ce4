// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_COMMAND_TREE_H
#define RDMA_COMMAND_TREE_H

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/**
 * All commands and options of a command line as data: what shell completion and the manual page are
 * made of. {"commands": [{"name", "help", "examples", "options": [{"names", "type", "help"}],
 * "is_python"}]}; the names of a positional argument are empty, the type of a flag too.
 */
nlohmann::ordered_json DescribeCommands(const CLI::App& app);

/// Gives each command its examples, which its help shows at the end.
void AddExamples(CLI::App& app);

} // namespace ns3::rdma

#endif // RDMA_COMMAND_TREE_H
