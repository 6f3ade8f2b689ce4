// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BENCH_ROUNDS_H
#define RDMA_BENCH_ROUNDS_H

#include "bench-report.h"

namespace ns3::rdma
{

/**
 * Measures all scenarios, and what they are compared with, in so many rounds.  Rounds go over all
 * cases in turn, so that a busy minute of the machine does not hit one case only; each case has a
 * process of its own.
 *
 * @param isQuick only 64 servers, shorter, one round
 * @throws std::runtime_error if a case fails
 */
BenchReport MeasureRounds(bool isQuick, uint32_t rounds);

} // namespace ns3::rdma

#endif // RDMA_BENCH_ROUNDS_H
