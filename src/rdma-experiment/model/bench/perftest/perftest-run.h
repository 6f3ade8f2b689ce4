// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_RUN_H
#define RDMA_PERFTEST_RUN_H

#include "ns3/fabric.h"
#include "ns3/perftest-report.h"
#include "ns3/scenario.h"

#include <functional>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

/// A test that did not come to its end.
class PerftestFailure : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// What is attached to the network before anything is sent.
struct PerftestTaps
{
    std::string pcap;                     ///< Capture at the client; empty: none.
    std::function<void(Fabric&)> onBuilt; ///< May be empty.
};

/**
 * @brief Runs a test for one message size, in a simulation of its own.
 *
 * The client is the first server of the network, the test's server the last.  All have the first
 * NIC of the scenario, but the test's server has the last.
 *
 * @param scenario of MakePerftestScenario(); @param options of ResolvePerftest(); @param bytes per
 * message
 * @throws PerftestFailure if a message failed, or the simulation ended before the test
 * @throws std::runtime_error if the capture cannot be written
 */
PerftestResult RunPerftest(const Scenario& scenario,
                           const PerftestOptions& options,
                           uint64_t bytes,
                           const PerftestTaps& taps = {});

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_RUN_H
