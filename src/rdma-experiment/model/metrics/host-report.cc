// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-report.h"

#include <sstream>

namespace ns3::rdma
{

std::string
WriteHosts(const std::vector<HostRecord>& hosts)
{
    std::ostringstream text;
    text << "server,nic,cpu_cores,software_cores,pcie_up_bytes,pcie_down_bytes,context_hits,"
            "context_misses,wqes_fetched,wqes_dropped,software_packets\n";
    for (const HostRecord& host : hosts)
    {
        text << host.server << ',' << host.nic << ',' << host.cpuCores << ',' << host.softwareCores
             << ',' << host.pcieUpBytes << ',' << host.pcieDownBytes << ',' << host.contextHits
             << ',' << host.contextMisses << ',' << host.wqesFetched << ',' << host.wqesDropped
             << ',' << host.softwarePackets << '\n';
    }
    return text.str();
}

} // namespace ns3::rdma
