// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-report.h"

#include "ns3/record-table.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
const RecordTable<HostRecord> HOST_TABLE{
    "hosts.csv",
    {{"server", "", "node id", &HostRecord::server},
     {"nic", "", "number of the NIC in its server, from 0", &HostRecord::nic},
     {"cpu_cores",
      "cores",
      "mean number of cores that RDMA on this NIC kept busy, from the start of the run to its end "
      "(docs/models/host.md)",
      &HostRecord::cpuCores},
     {"software_cores",
      "cores",
      "the part of `cpu_cores` for packets out of order (SRNIC's slow path)",
      &HostRecord::softwareCores},
     {"pcie_up_bytes",
      "bytes",
      "NIC to host, TLP overhead included (docs/models/nic-hardware.md)",
      &HostRecord::pcieUpBytes},
     {"pcie_down_bytes", "bytes", "host to NIC, TLP overhead included", &HostRecord::pcieDownBytes},
     {"context_hits",
      "",
      "hits of the queue pair context cache; 0 where all contexts are on the chip",
      &HostRecord::contextHits},
     {"context_misses", "", "misses of the same cache", &HostRecord::contextMisses},
     {"wqes_fetched", "", "send work requests fetched over PCIe", &HostRecord::wqesFetched},
     {"wqes_dropped",
      "",
      "fetched work requests that were not used in their turn",
      &HostRecord::wqesDropped},
     {"software_packets",
      "",
      "packets and acknowledgments that took the slow path",
      &HostRecord::softwarePackets}},
    TableScope::RUN};

nlohmann::ordered_json
SummarizeHosts(const std::vector<HostRecord>& hosts)
{
    HostRecord sum;
    double mostCores = 0;
    for (const HostRecord& host : hosts)
    {
        sum.cpuCores += host.cpuCores;
        mostCores = std::max(mostCores, host.cpuCores);
        sum.pcieUpBytes += host.pcieUpBytes;
        sum.pcieDownBytes += host.pcieDownBytes;
        sum.contextMisses += host.contextMisses;
        sum.softwarePackets += host.softwarePackets;
        sum.gpuPageMisses += host.gpuPageMisses;
    }
    const auto count = static_cast<double>(hosts.size());
    nlohmann::ordered_json json{{"cpu_cores", {{"mean", sum.cpuCores / count}, {"max", mostCores}}},
                                {"pcie_up_bytes", sum.pcieUpBytes},
                                {"pcie_down_bytes", sum.pcieDownBytes},
                                {"context_misses", sum.contextMisses},
                                {"software_packets", sum.softwarePackets}};
    if (sum.gpuPageMisses > 0)
    {
        json["gpu_page_misses"] = sum.gpuPageMisses;
    }
    return json;
}
} // namespace

ResultPart
MakeHardwarePart(std::vector<HostRecord> hosts)
{
    std::sort(hosts.begin(), hosts.end(), [](const HostRecord& left, const HostRecord& right) {
        return std::tie(left.server, left.nic) < std::tie(right.server, right.nic);
    });
    const auto rows = std::make_shared<const std::vector<HostRecord>>(std::move(hosts));
    ResultPart part;
    part.name = "hardware";
    part.summary = SummarizeHosts(*rows);
    part.tables = {HOST_TABLE.MakeResult(rows)};
    part.details = rows;
    return part;
}

std::vector<HostRecord>
GetHosts(const std::vector<ResultPart>& parts)
{
    const auto* hosts = FindDetails<std::vector<HostRecord>>(parts);
    return hosts ? *hosts : std::vector<HostRecord>();
}

} // namespace ns3::rdma
