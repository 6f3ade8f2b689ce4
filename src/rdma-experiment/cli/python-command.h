// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PYTHON_COMMAND_H
#define RDMA_PYTHON_COMMAND_H

#include <CLI/CLI.hpp>
#include <string_view>

namespace ns3::rdma
{

/// Lists the commands of the Python package, so that help and unknown words name them.
void AddPythonCommands(CLI::App& app);

/// @return whether the Python package has this command.
bool IsPythonCommand(std::string_view name);

/**
 * Replaces this program by the Python package's, with the same command line and "--build" set to
 * this program's folder. The package is utils/rocelab of the folder in which this program was
 * built. Only of a command that IsPythonCommand().
 *
 * @throws InputError if the package or Python is not there
 */
[[noreturn]] void ExecPythonCommand(int argc, char** argv);

} // namespace ns3::rdma

#endif // RDMA_PYTHON_COMMAND_H
