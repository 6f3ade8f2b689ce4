// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: a packet of ns-3 crosses the fabric in the expected time. The module's own
// tests are in test/rdma-fabric/.

#include "ns3/fabric-address.h"
#include "ns3/fabric-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class PacketCrossesAStar : public TestCase
{
  public:
    PacketCrossesAStar()
        : TestCase("a packet crosses two links of 10 Gbps and 1 us")
    {
    }

  private:
    void DoRun() override
    {
        const Ptr<Fabric> fabric =
            FabricHelper(MakeStar(3, DataRate("10Gbps"), MicroSeconds(1))).Create();
        uint32_t received = 0;
        Time at;
        fabric->GetServerDevice(2).SetReceiveCallback(
            Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>(
                [&](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
                    received = packet->GetSize();
                    at = Simulator::Now();
                    return true;
                }));
        constexpr uint16_t PROTOCOL{0x88b5}; // For local experiments (IEEE 802).
        fabric->GetServerDevice(0).Send(Create<Packet>(986), MakeMacAddress(2), PROTOCOL);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received, 986, "bytes of the packet");
        // Two links, each: 14 + 986 + 24 bytes of 800 ps, and a delay of 1 us.
        NS_TEST_EXPECT_MSG_EQ(at, PicoSeconds(2 * (1024 * 800 + 1'000'000)), "time of arrival");
        fabric->Dispose();
        Simulator::Destroy();
    }
};

class RdmaFabricTestSuite : public TestSuite
{
  public:
    RdmaFabricTestSuite()
        : TestSuite("rdma-fabric")
    {
        AddTestCase(new PacketCrossesAStar);
    }
};

const RdmaFabricTestSuite g_rdmaFabricTestSuite;

} // namespace
