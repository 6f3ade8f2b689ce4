// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_WHY_COMMAND_H
#define RDMA_WHY_COMMAND_H

#include "ns3/recorded-run.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// What the user gave to "rocelab why".
struct WhyCommandOptions
{
    RecordedRunOptions run;
    std::optional<uint64_t> flow;
    bool isOfAll{false};
    bool hasJson{false};
};

/// Adds "why" to a command line. @param options are filled in by the parser
CLI::App* AddWhyCommand(CLI::App& app, WhyCommandOptions& options);

/// Repeats a run and prints where a flow's time went. @return an ExitStatus @throws InputError
int WhyCommand(const WhyCommandOptions& options);

} // namespace ns3::rdma

#endif // RDMA_WHY_COMMAND_H
