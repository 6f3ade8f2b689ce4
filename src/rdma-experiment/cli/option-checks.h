// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_OPTION_CHECKS_H
#define RDMA_OPTION_CHECKS_H

#include <CLI/CLI.hpp>

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

} // namespace ns3::rdma

#endif // RDMA_OPTION_CHECKS_H
