// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_OPTION_CHECKS_H
#define RDMA_OPTION_CHECKS_H

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Lets all options and arguments of all commands refuse an empty text, which would act as if the
 * option were not there, and lets those that are numbers refuse what CLI11 takes for one: blanks,
 * other bases, nan and infinity.
 *
 * @param app with all of its commands
 */
void CheckAllValues(CLI::App& app);

/**
 * Refuses options that have no effect beside what else is given; to be called when the command is
 * parsed.
 *
 * @param names of options, as "--memory"
 * @param expected what they belong to, as "the test bw"
 * @throws CLI::ValidationError that names the first of them that is given
 */
void RefuseOptions(const CLI::App& command,
                   const std::vector<std::string>& names,
                   const std::string& expected);

} // namespace ns3::rdma

#endif // RDMA_OPTION_CHECKS_H
