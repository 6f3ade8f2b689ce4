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
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// The arguments of "rocelab offload".
struct OffloadRequest
{
    std::string task;
    std::string method; ///< Empty: the task's usual one.
    std::string nic{"strom10g"};
    std::string rate; ///< Empty: the NIC's.
    std::string delay{"10ns"};
    uint32_t mtu{1408}; ///< Payload per packet.
    double lossRate{0};
    std::optional<uint64_t> calls; ///< Unset: the task's usual number.
    uint64_t seed{1};
    std::vector<std::string> options;  ///< "NAME=VALUE" of the task.
    std::vector<std::string> settings; ///< "NAME=VALUE" of attributes.
    std::string pcap;                  ///< Capture at the client; empty: none.
};

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
    KernelStats kernels;            ///< Of the server's NIC.
    nlohmann::ordered_json details; ///< Of the method.
};

/**
 * @ingroup rdma-offload
 * @brief Runs one method of one task: `rocelab offload`.
 *
 * Reads and checks the request when it is made; a run begins a call when the one before has ended.
 */
class OffloadRun
{
  public:
    /// @throws InputError with one line for the first fault
    explicit OffloadRun(OffloadRequest request);

    /// Once. @throws OffloadFailure if an answer is wrong or does not come, InputError if a setting
    /// has no effect on this task and method
    OffloadResult Run();

    /// @return the request, all defaults filled in.
    nlohmann::ordered_json Describe() const;

  private:
    NicDesign MakeDesign() const;
    /// @throws InputError for the first setting that has no effect
    void CheckEffect(const OffloadHosts& hosts) const;

    OffloadRequest m_request;
    Ptr<OffloadTask> m_task;
    std::vector<std::string> m_offloadSettings; ///< Of what stands beside the NICs.
    Scenario m_scenario;
};

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_RUN_H
