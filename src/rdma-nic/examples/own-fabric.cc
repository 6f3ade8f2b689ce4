// SPDX-License-Identifier: GPL-2.0-only
// A fabric and traffic of one's own: see README.md beside this file.

#include "ns3/fabric-helper.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Two racks of two servers, 100 Gb/s; one link of 40 Gb/s between them.
TopologyGraph
MakeTwoRacks()
{
    TopologyGraph graph;
    graph.isSwitch = {false, false, false, false, true, true};
    const DataRate fast("100Gbps");
    const Time delay = NanoSeconds(500);
    graph.links = {{0, 4, fast, delay},
                   {1, 4, fast, delay},
                   {2, 5, fast, delay},
                   {3, 5, fast, delay},
                   {4, 5, DataRate("40Gbps"), delay}};
    return graph;
}
} // namespace

int
main()
{
    FabricHelper fabrics(MakeTwoRacks());
    fabrics.Set("ns3::rdma::FabricSwitch::PfcEnabled", "false");
    const Ptr<Fabric> fabric = fabrics.Create();

    // Designs may differ from server to server, as long as their wire formats agree.
    NicDesign fast = NicDesign::FromPreset("connectx6");
    fast.Set("ns3::rdma::RdmaNic::RetryCount", "3");
    RdmaNicHelper fastNics(fast);
    RdmaNicHelper fpgaNics(NicDesign::FromPreset("balboa", NicDesign::Timing::HARDWARE));
    const auto senders = fastNics.Install(*fabric, {0, 1});
    const auto receivers = fpgaNics.Install(*fabric, {2, 3});

    for (std::size_t i = 0; i < senders.size(); ++i)
    {
        const QueuePairEnds ends = RdmaNicHelper::Connect(*senders[i], *receivers[i]);
        senders[i]->SetCompletionHandler([i](const WorkCompletion& ended) {
            std::cout << Simulator::Now().As(Time::US) << " sender " << i << ": "
                      << GetWcStatusName(ended.status) << "\n";
        });
        senders[i]->PostWrite(ends.first, 1, 1'000'000);
    }
    Simulator::Run();
    Simulator::Destroy();
}
