// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rdma-nic-helper.h"

#include "ns3/server-capture.h"
#include "ns3/server-nics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

RdmaNicHelper::RdmaNicHelper(NicDesign design)
    : m_design(std::make_shared<const NicDesign>(std::move(design)))
{
}

void
RdmaNicHelper::SetSeed(uint64_t seed)
{
    m_seed = seed;
}

std::vector<Ptr<RdmaNic>>
RdmaNicHelper::Install(Fabric& fabric) const
{
    return Install(fabric, fabric.GetGraph().GetServers());
}

std::vector<Ptr<RdmaNic>>
RdmaNicHelper::Install(Fabric& fabric, const std::vector<uint32_t>& servers) const
{
    const std::vector<uint32_t> known = fabric.GetGraph().GetServers();
    std::vector<Ptr<RdmaNic>> nics;
    for (const uint32_t server : servers)
    {
        if (std::find(known.begin(), known.end(), server) == known.end())
        {
            throw std::invalid_argument("node " + std::to_string(server) + " is no server");
        }
        const Ptr<Node> node = fabric.GetNodes().Get(server);
        if (node->GetObject<RdmaNic>())
        {
            throw std::invalid_argument("server " + std::to_string(server) + " has a NIC");
        }
        for (const std::vector<NicPort>& ports : FindNicPorts(fabric, server))
        {
            const Ptr<RdmaNic> nic = nics.empty() ? RdmaNic::Make(m_design) : nics.front()->Copy();
            const HeaderSizes sizes = nic->GetHeaderSizes();
            const Tick baseRtt = fabric.GetMaxBaseRtt(sizes.GetWriteFrame(false, nic->GetPathMtu()),
                                                      sizes.GetAckFrame());
            nic->Start(fabric.GetCore(), ports, baseRtt, m_seed);
            AddNic(node, nic);
            nics.push_back(nic);
        }
    }
    return nics;
}

QueuePairEnds
RdmaNicHelper::Connect(RdmaNic& first,
                       RdmaNic& second,
                       const QueuePairInit& firstInit,
                       const QueuePairInit& secondInit)
{
    const QueuePairEnds ends{first.CreateQueuePair(firstInit), second.CreateQueuePair(secondInit)};
    first.Connect(ends.first, {second.GetEndpoint(), ends.second, ends.first});
    second.Connect(ends.second, {first.GetEndpoint(), ends.first, ends.first});
    return ends;
}

void
RdmaNicHelper::EnablePcapInternal(std::string prefix,
                                  Ptr<NetDevice> device,
                                  bool,
                                  bool isExplicitName)
{
    for (const Ptr<RdmaNic>& nic : GetNics(device->GetNode()))
    {
        for (uint32_t port = 0; port < nic->GetPortCount(); ++port)
        {
            if (nic->GetDevice(port) == device)
            {
                const std::string path =
                    isExplicitName ? prefix : PcapHelper().GetFilenameFromDevice(prefix, device);
                // Destroyed with the simulation's events.
                auto capture = std::make_shared<ServerCapture>(*nic, path, PcapFilter{}, port);
                Simulator::ScheduleDestroy([capture] { capture->Close(); });
            }
        }
    }
}

} // namespace ns3::rdma
