// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OFFLOAD_RUN_H
#define RDMA_OFFLOAD_RUN_H

#include "ns3/kernel-host.h"
#include "ns3/latency-summary.h"
#include "ns3/nic-design.h"
#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"
#include "ns3/scenario.h"
#include "ns3/tcp-rpc.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What came of a run.
struct OffloadResult
{
    std::vector<Tick> latencies; ///< Of each call.
    LatencySummary latency;
    std::map<std::string, uint64_t> statuses; ///< Calls by how they ended.
    uint64_t bytes{0};                        ///< Of the values requested.
    Tick duration{0};                         ///< From the first call to the end of the last.
    WireShare client;
    WireShare server;
    uint32_t reconnections{0};
    KernelStats kernels; ///< Of the server's NIC.
    MeasuredRows rows;   ///< One, of these numbers and those of the method.
};

/**
 * @ingroup rdma-offload
 * @brief Runs one method of one task.
 *
 * Reads and checks the attributes when it is made; a run begins a call when the one before has
 * ended.
 */
class OffloadRun
{
  public:
    /// @param task whose keys are read; outlives this @throws InputError
    explicit OffloadRun(const OffloadTask& task);

    /// Once. @throws MeasurementFailure if an answer is wrong or does not come, InputError if a
    /// setting has no effect on this task and method
    OffloadResult Run();

  private:
    NicDesign MakeDesign() const;
    /// @throws InputError for the first setting that has no effect
    void CheckEffect(const OffloadHosts& hosts) const;

    const OffloadTask& m_task;
    const OffloadRequest& m_request;
    std::vector<std::string> m_offloadSettings; ///< Of what stands beside the NICs.
    Scenario m_scenario;
};

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_RUN_H
