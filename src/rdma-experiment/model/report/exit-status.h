// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_EXIT_STATUS_H
#define RDMA_EXIT_STATUS_H

namespace ns3::rdma
{

/// Exit status of the program and of the process of one NIC.
enum ExitStatus : int
{
    EXIT_GOOD = 0,
    EXIT_ERROR = 1,         ///< A failure that bad input did not cause.
    EXIT_BAD_INPUT = 2,     ///< Nothing was written.
    EXIT_STALLED = 3,       ///< Flows stalled or failed; results are written.
    EXIT_VIOLATION = 4,     ///< An invariant of the model is broken; results are written.
    EXIT_INTERRUPTED = 130, ///< Ctrl-C; results of finished runs are written.
};

} // namespace ns3::rdma

#endif // RDMA_EXIT_STATUS_H
