// SPDX-License-Identifier: GPL-2.0-only
// What ports and queue pairs do, through ns-3's trace sources: see README.md beside this file.

#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
std::map<std::string, uint64_t> g_frames; ///< Sent, by trace path.
uint64_t g_drops = 0;
uint64_t g_resent = 0;
uint32_t g_deepest = 0; ///< Queue of a port, bytes.

void
CountFrame(std::string path, const Frame&)
{
    ++g_frames[path];
}

void
CountDrop(const Frame&, DropReason)
{
    ++g_drops;
}

void
WatchQueue(const Frame&, uint32_t bytes)
{
    g_deepest = std::max(g_deepest, bytes);
}

void
CountResent(uint32_t, const Frame&)
{
    ++g_resent;
}
} // namespace

int
main()
{
    // Seven servers write to the eighth at once, into a switch with little memory and no pauses.
    FabricHelper fabrics(MakeStar(8, DataRate("100Gbps"), MicroSeconds(1)));
    fabrics.Set("ns3::rdma::FabricSwitch::PfcEnabled", "false");
    fabrics.Set("ns3::rdma::FabricSwitch::BufferSize", "400000");
    const Ptr<Fabric> fabric = fabrics.Create();
    const auto nics = RdmaNicHelper(NicDesign::FromPreset("srnic")).Install(*fabric);

    const std::string devices = "/NodeList/*/DeviceList/*/$ns3::rdma::FabricDevice/";
    Config::Connect(devices + "Transmit", MakeCallback(&CountFrame));
    Config::ConnectWithoutContext(devices + "Drop", MakeCallback(&CountDrop));
    Config::ConnectWithoutContext(devices + "Enqueue", MakeCallback(&WatchQueue));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::rdma::RdmaNic/Retransmit",
                                  MakeCallback(&CountResent));

    for (std::size_t i = 0; i + 1 < nics.size(); ++i)
    {
        nics[i]->PostWrite(RdmaNicHelper::Connect(*nics[i], *nics.back()).first, 1, 300'000);
    }
    Simulator::Run();
    for (const auto& [path, frames] : g_frames)
    {
        std::cout << path << ": " << frames << " frames\n";
    }
    std::cout << g_drops << " frames dropped, " << g_resent << " packets sent again\n"
              << g_deepest << " bytes in the deepest queue\n";
    Simulator::Destroy();
}
