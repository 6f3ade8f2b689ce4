// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_SCENARIO_H
#define RDMA_PERFTEST_SCENARIO_H

#include "ns3/perftest-options.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/**
 * @brief Makes the network of a test: two servers back to back, or a fat-tree.
 *
 * What the user did not set is as in scenarios. The workload stays empty: the test posts its
 * messages itself, from the first server to the last. Links between switches are four times as fast
 * as those of servers.
 *
 * @param mtuBytes of ResolvePerftest()
 * @throws InputError naming the option that is at fault
 */
Scenario MakePerftestScenario(const PerftestRequest& request, uint32_t mtuBytes);

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_SCENARIO_H
