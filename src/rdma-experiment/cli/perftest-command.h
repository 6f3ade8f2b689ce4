// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PERFTEST_COMMAND_H
#define RDMA_PERFTEST_COMMAND_H

#include "ns3/perftest-options.h"

#include <CLI/CLI.hpp>
#include <string>

namespace ns3::rdma
{

/// What the user gave to "rocelab perftest", as text where the option has a unit or bounds.
struct PerftestCommandOptions
{
    PerftestRequest request; ///< All but the members below.
    std::string test;
    std::string size;
    std::string hardware{"off"};
    std::string out;     ///< Folder for perftest.json; empty: none.
    bool hasPcap{false}; ///< A capture for each size, in the folder.
    bool hasJson{false}; ///< On standard output, instead of the table.
};

/// Adds "perftest" with perftest's own option letters. @param options outlive the command line
CLI::App* AddPerftestCommand(CLI::App& app, PerftestCommandOptions& options);

/// Runs a test and prints its results. @return an ExitStatus @throws InputError
int PerftestCommand(const PerftestCommandOptions& options);

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_COMMAND_H
