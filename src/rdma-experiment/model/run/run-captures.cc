// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-captures.h"

#include "ns3/server-nics.h"

namespace ns3::rdma
{

namespace
{
std::string
MakeFileName(const Endpoint& endpoint)
{
    const bool isFirst = endpoint.nic == 0 && endpoint.port == 0;
    return "host-" + std::to_string(endpoint.server) +
           (isFirst ? ""
                    : "-nic-" + std::to_string(endpoint.nic) + "-port-" +
                          std::to_string(endpoint.port)) +
           ".pcap";
}
} // namespace

RunCaptures::RunCaptures(Fabric& fabric,
                         const CaptureRequest& request,
                         const std::filesystem::path& folder)
{
    for (const uint32_t server : request.servers)
    {
        for (const auto& nic : GetNics(fabric.GetNode(server)))
        {
            for (uint32_t port = 0; port < nic->GetPortCount(); ++port)
            {
                const Endpoint endpoint = fabric.GetGraph().GetEndpoint(nic->GetEndpoint(port));
                const auto path = folder / MakeFileName(endpoint);
                m_captures.push_back(
                    std::make_unique<ServerCapture>(*nic, path.string(), request.filter, port));
            }
        }
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
