// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GUARD_COMMAND_H
#define RDMA_GUARD_COMMAND_H

#include "guard-run.h"

#include <string>

namespace ns3::rdma
{

/// What --guard of rocelab-bench is to do.
struct GuardOptions
{
    bool isQuick{false};
    bool isUpdate{false}; ///< Write the file instead of comparing with it.
    std::string file;
    ExtraWork extraWork;
};

/**
 * Prints a line with the verdict and a line for each kind of costs: to standard output if the model
 * is as fast as it was, else to standard error.
 *
 * @return the exit status
 * @throws InputError if the file is no good
 * @throws std::runtime_error if a run fails or the file cannot be written
 */
int RunGuard(const GuardOptions& options);

} // namespace ns3::rdma

#endif // RDMA_GUARD_COMMAND_H
