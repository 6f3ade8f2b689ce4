// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_EARLY_STOP_H
#define RDMA_EARLY_STOP_H

namespace ns3::rdma
{

/**
 * From now on SIGINT and SIGTERM end this process at once, with a line and EXIT_INTERRUPTED.
 *
 * For the time in which input is read and checked, and nothing has been written. StopSignals takes
 * over while simulations run.
 *
 * @param isSilent on ranks other than the first
 */
void StopAtOnceOnSignals(bool isSilent);

/// SIGTERM does nothing any more: mpirun sends it to the other ranks once one has ended with an
/// error.
void IgnoreTermination();

} // namespace ns3::rdma

#endif // RDMA_EARLY_STOP_H
