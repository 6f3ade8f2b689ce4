// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PROGRAM_OUTPUT_H
#define RDMA_PROGRAM_OUTPUT_H

#include <string>

namespace ns3::rdma
{

/// Prints bad input or a failure as one line, whatever the names of files contain.
void PrintError(const std::string& message);

/// Flushes the standard output, and prints an error if it cannot be written. @param status of the
/// command @return the ExitStatus of the program
int CheckOutput(int status);

} // namespace ns3::rdma

#endif // RDMA_PROGRAM_OUTPUT_H
