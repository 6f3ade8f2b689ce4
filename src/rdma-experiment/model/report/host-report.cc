// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-report.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr const char* HARDWARE_PART{"hardware"};

const TableSchema HOST_TABLE{
    "hosts.csv",
    {{"server", "", "node id"},
     {"nic", "", "number of the NIC in its server, from 0"},
     {"cpu_cores",
      "cores",
      "mean number of cores that RDMA on this NIC kept busy, from the start of the run to its end "
      "(docs/models/host.md)",
      ColumnType::REAL},
     {"software_cores",
      "cores",
      "the part of `cpu_cores` for packets out of order (SRNIC's slow path)",
      ColumnType::REAL},
     {"pcie_up_bytes", "bytes", "NIC to host, TLP overhead included (docs/models/pcie.md)"},
     {"pcie_down_bytes", "bytes", "host to NIC, TLP overhead included"},
     {"context_hits",
      "",
      "hits of the queue pair context cache; 0 where all contexts are on the chip"},
     {"context_misses", "", "misses of the same cache"},
     {"wqes_fetched", "", "send work requests fetched over PCIe"},
     {"wqes_dropped", "", "fetched work requests that were not used in their turn"},
     {"software_packets", "", "packets and acknowledgments that took the slow path"}},
    TableScope::RUN};

void
WriteHostRows(const std::vector<HostRecord>& hosts, std::ostream& out)
{
    for (const HostRecord& host : hosts)
    {
        out << host.server << ',' << host.nic << ',' << host.cpuCores << ',' << host.softwareCores
            << ',' << host.pcieUpBytes << ',' << host.pcieDownBytes << ',' << host.contextHits
            << ',' << host.contextMisses << ',' << host.wqesFetched << ',' << host.wqesDropped
            << ',' << host.softwarePackets << '\n';
    }
}

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
    }
    const auto count = static_cast<double>(hosts.size());
    return {{"cpu_cores", {{"mean", sum.cpuCores / count}, {"max", mostCores}}},
            {"pcie_up_bytes", sum.pcieUpBytes},
            {"pcie_down_bytes", sum.pcieDownBytes},
            {"context_misses", sum.contextMisses},
            {"software_packets", sum.softwarePackets}};
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
    part.name = HARDWARE_PART;
    part.summary = SummarizeHosts(*rows);
    part.tables.push_back(
        {&HOST_TABLE, [rows](std::ostream& out) { WriteHostRows(*rows, out); }, nullptr});
    part.details = rows;
    return part;
}

std::vector<HostRecord>
GetHosts(const std::vector<ResultPart>& parts)
{
    const auto part = std::find_if(parts.begin(), parts.end(), [](const ResultPart& one) {
        return one.name == HARDWARE_PART;
    });
    return part == parts.end()
               ? std::vector<HostRecord>()
               : *std::any_cast<std::shared_ptr<const std::vector<HostRecord>>>(part->details);
}

} // namespace ns3::rdma
