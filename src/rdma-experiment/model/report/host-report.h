// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_REPORT_H
#define RDMA_HOST_REPORT_H

#include "ns3/result-part.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Counts of one NIC of a server and of the CPU cores that serve it, in a run with hardware timing.
struct HostRecord
{
    uint32_t server{0};      ///< Node id.
    uint32_t nic{0};         ///< Of the server.
    double cpuCores{0};      ///< Cores that were busy with RDMA, on average over the run.
    double softwareCores{0}; ///< Of these, cores busy with packets out of order.
    uint64_t pcieUpBytes{0}; ///< NIC to host, TLP overhead included.
    uint64_t pcieDownBytes{0};
    uint64_t contextHits{0};
    uint64_t contextMisses{0};
    uint64_t wqesFetched{0};     ///< Send work requests.
    uint64_t wqesDropped{0};     ///< Of these, unused in their turn.
    uint64_t softwarePackets{0}; ///< Packets and answers that took the slow path.
    uint64_t gpuPageMisses{0};   ///< Of the path to GPU memory; in the sums only.
};

/// @return the part "hardware": hosts.csv, a row per NIC, and its sums.
/// @param hosts in any order, at least one; in details by node id
ResultPart MakeHardwarePart(std::vector<HostRecord> hosts);

/// @return the records of the part "hardware", by node id and NIC; empty without it.
std::vector<HostRecord> GetHosts(const std::vector<ResultPart>& parts);

} // namespace ns3::rdma

#endif // RDMA_HOST_REPORT_H
