// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GUARD_COUNTS_H
#define RDMA_GUARD_COUNTS_H

#include "guard-run.h"
#include "speed-guard.h"

namespace ns3::rdma
{

/**
 * Counts under Cachegrind what the model costs.  Each count is the difference of two runs of
 * different length, so that the start drops out:
 *
 * - a packet-hop of the full model, at 1024 servers;
 * - a flow of one packet, at 1024 servers and a load at which nothing queues.  The run includes the
 *   flow's record and its line of flows.csv.  The instructions of its packet-hops are subtracted,
 *   each with the cost of the packet-hop above;
 * - a packet-hop with hardware on and off, at 64 servers, of srnic and connectx6.
 *
 * @param isQuick at 64 servers, briefly: for tests
 * @throws std::runtime_error if a run fails
 */
GuardCosts CountCosts(bool isQuick, const ExtraWork& extraWork);

} // namespace ns3::rdma

#endif // RDMA_GUARD_COUNTS_H
