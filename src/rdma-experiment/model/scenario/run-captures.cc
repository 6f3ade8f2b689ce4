// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-captures.h"

namespace ns3::rdma
{

RunCaptures::RunCaptures(Fabric& fabric,
                         const CaptureRequest& request,
                         const std::filesystem::path& folder)
{
    for (const uint32_t server : request.servers)
    {
        const auto path = folder / ("host-" + std::to_string(server) + ".pcap");
        const auto nic = fabric.GetNodes().Get(server)->GetObject<RdmaNic>();
        m_captures.push_back(std::make_unique<ServerCapture>(*nic, path.string(), request.filter));
    }
}

void
RunCaptures::Close()
{
    for (const auto& capture : m_captures)
    {
        capture->Close();
    }
}

} // namespace ns3::rdma
