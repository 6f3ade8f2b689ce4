// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-path.h"

#include "ns3/ideal-fct.h"
#include "ns3/loss-detector.h"
#include "ns3/random-stream.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
bool
FindReadAcknowledgment(const RdmaNic& nic)
{
    TypeIdValue type;
    nic.GetAttribute("LossDetector", type);
    const auto detector = nic.GetDesign().Create<LossDetector>(type.Get());
    return detector->GetTraits().responder.acknowledgesReads;
}
} // namespace

FlowPath::FlowPath(Fabric& fabric, const std::vector<Ptr<RdmaNic>>& nics, bool hasReads)
    : m_fabric(fabric),
      m_headers(nics.size(), HeaderSizes()),
      m_planes(nics.size(), 1),
      m_acknowledgesReads(nics.size(), false)
{
    for (std::size_t endpoint = 0; endpoint < nics.size(); ++endpoint)
    {
        if (nics[endpoint])
        {
            m_headers[endpoint] = nics[endpoint]->GetHeaderSizes();
            m_planes[endpoint] = nics[endpoint]->GetPlaneCount();
            m_acknowledgesReads[endpoint] = hasReads && FindReadAcknowledgment(*nics[endpoint]);
        }
    }
}

uint32_t
FlowPath::MakeEntropy(uint64_t flow, bool isForward)
{
    return static_cast<uint32_t>(RandomStream::Scramble(2 * flow + (isForward ? 1 : 2)));
}

Tick
FlowPath::FindIdealFct(uint64_t flow,
                       const ConnectionEnds& ends,
                       uint64_t bytes,
                       uint32_t mtuBytes,
                       WrOpcode operation) const
{
    const auto there = m_fabric.FindPath(ends.src, ends.dst, MakeEntropy(flow, true));
    const auto back = m_fabric.FindPath(ends.dst, ends.src, MakeEntropy(flow, false));
    if (there.empty() || back.empty())
    {
        return 0; // Without a path the ideal is undefined.
    }
    // Of several planes, the one that has the last, possibly short packet among its equal share.
    const uint64_t packets = std::max<uint64_t>((bytes + mtuBytes - 1) / mtuBytes, 1);
    const uint64_t share = (packets + m_planes[ends.src] - 1) / m_planes[ends.src];
    const uint64_t shareBytes = bytes - (packets - share) * mtuBytes;
    const HeaderSizes& headers = m_headers[ends.src];
    return operation == WrOpcode::RDMA_READ
               ? ComputeIdealReadFct(there,
                                     back,
                                     headers,
                                     mtuBytes,
                                     shareBytes,
                                     m_acknowledgesReads[ends.src])
               : ComputeIdealFct(there, back, headers, mtuBytes, shareBytes, operation);
}

void
FlowPath::SharePauses(RankGroup& ranks)
{
    std::vector<uint64_t> paused;
    const std::size_t links = m_fabric.GetGraph().links.size();
    for (std::size_t link = 0; link < links; ++link)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            // A port is paused only on the rank that simulates it.
            if (m_fabric.GetLinkPort(link, end).IsAnyPaused())
            {
                paused.push_back(2 * link + end);
            }
        }
    }
    for (const uint64_t port : ranks.ShareAll(paused))
    {
        m_pausedElsewhere.insert(&m_fabric.GetLinkPort(port / 2, static_cast<uint32_t>(port % 2)));
    }
}

std::string
FlowPath::GetStallReason(uint64_t flow, const ConnectionEnds& ends) const
{
    const bool isUp = m_fabric.GetServerDevice(ends.src).GetPort().IsLinkUp();
    const bool isRemoteUp = m_fabric.GetServerDevice(ends.dst).GetPort().IsLinkUp();
    if (!isUp || !isRemoteUp)
    {
        return "the link of " + m_fabric.GetGraph().GetNodeName(isUp ? ends.dst : ends.src) +
               " is down";
    }
    const auto path = m_fabric.FindPath(ends.src, ends.dst, MakeEntropy(flow, true));
    if (path.empty())
    {
        return "no route: a link is down";
    }
    const bool isPaused = std::any_of(path.begin(), path.end(), [this](const FabricPort* port) {
        return port->IsAnyPaused() || m_pausedElsewhere.count(port) != 0;
    });
    return isPaused ? "a port on its path is paused by PFC" : "waits for acknowledgments";
}

} // namespace ns3::rdma
