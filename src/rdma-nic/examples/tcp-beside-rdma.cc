// SPDX-License-Identifier: GPL-2.0-only
// TCP and RDMA through one cable: see README.md beside this file.

#include "ns3/config.h"
#include "ns3/fabric-address.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-internet.h"
#include "ns3/inet-socket-address.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t TCP_BYTES{2'000'000};
constexpr uint16_t TCP_PORT{5000};
uint32_t g_left = TCP_BYTES; ///< To be given to the sending socket.
uint32_t g_received = 0;

void
Fill(Ptr<Socket> socket, uint32_t room)
{
    const uint32_t count = std::min(g_left, room);
    if (count > 0)
    {
        g_left -= socket->Send(Create<Packet>(count));
    }
}

void
Read(Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        g_received += packet->GetSize();
    }
    if (g_received == TCP_BYTES)
    {
        std::cout << Simulator::Now().As(Time::US) << " TCP: " << g_received << " bytes\n";
    }
}
} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    const Ptr<Fabric> fabric =
        FabricHelper(MakeBackToBack(DataRate("10Gbps"), MicroSeconds(1))).Create();
    const auto nics = RdmaNicHelper(NicDesign::FromPreset("connectx6")).Install(*fabric);
    FabricInternet().Install(*fabric, {0, 1});

    const Ptr<Socket> server =
        Socket::CreateSocket(fabric->GetNodes().Get(1), TcpSocketFactory::GetTypeId());
    server->Bind(InetSocketAddress(Ipv4Address::GetAny(), TCP_PORT));
    server->Listen();
    server->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(+[](Ptr<Socket> socket, const Address&) {
                                  socket->SetRecvCallback(MakeCallback(&Read));
                              }));
    const Ptr<Socket> client =
        Socket::CreateSocket(fabric->GetNodes().Get(0), TcpSocketFactory::GetTypeId());
    client->SetSendCallback(MakeCallback(&Fill));
    client->Connect(InetSocketAddress(MakeIpv4Address(1), TCP_PORT));

    // RDMA has priority 3, IP 0: TCP gets what the WRITE leaves.
    nics[0]->SetCompletionHandler([](const WorkCompletion&) {
        std::cout << Simulator::Now().As(Time::US) << " RDMA: WRITE of 5000000 bytes\n";
    });
    nics[0]->PostWrite(RdmaNicHelper::Connect(*nics[0], *nics[1]).first, 1, 5'000'000);
    Simulator::Run();
    Simulator::Destroy();
}
