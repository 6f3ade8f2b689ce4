// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-device.h"

#include "fabric-test-bench.h"

#include "ns3/fabric-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet-cargo.h"
#include "ns3/simple-topologies.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint16_t IPV4{0x0800};
constexpr uint16_t SOME_PROTOCOL{0x88b5}; ///< For local experiments (IEEE 802).

/// A packet that a device gave to its node.
struct Delivery
{
    Tick at;
    uint32_t bytes;
    uint16_t protocol;
    Address from;
    Ptr<const Packet> packet;
};

/// Devices without NICs on a star of 10 Gb/s links of 1 us: a byte takes 800 ps.
class FabricDeviceTest : public testing::Test
{
  protected:
    static constexpr uint32_t SERVERS{3};

    void SetUp() override
    {
        UseFabricSimulator();
        Build();
    }

    void TearDown() override
    {
        m_fabric->Dispose();
        m_fabric = nullptr;
        Simulator::Destroy();
        Config::Reset();
    }

    void Build(const FabricConfig& config = {})
    {
        if (m_fabric)
        {
            m_fabric->Dispose();
            Simulator::Destroy();
        }
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(MakeStar(SERVERS, DataRate("10Gbps"), MicroSeconds(1)), config);
        Simulator::Run(); // Nodes initialise themselves, and their devices.
        for (uint32_t server = 0; server < SERVERS; ++server)
        {
            Device(server).SetReceiveCallback(
                Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>(
                    [this, server](Ptr<NetDevice>,
                                   Ptr<const Packet> packet,
                                   uint16_t protocol,
                                   const Address& from) {
                        m_deliveries[server].push_back(
                            {Core().engine->Now(), packet->GetSize(), protocol, from, packet});
                        return true;
                    }));
        }
    }

    FabricDevice& Device(uint32_t server)
    {
        return m_fabric->GetServerDevice(server);
    }

    FabricCore& Core()
    {
        return m_fabric->GetCore();
    }

    /// Sends zeros to a MAC address.
    bool SendTo(uint32_t from, const Mac48Address& to, uint32_t bytes)
    {
        return Device(from).Send(Create<Packet>(bytes), to, SOME_PROTOCOL);
    }

    /// Sends an IPv4 packet of 1000 bytes as ns-3 does without ARP.
    bool SendIpv4(uint32_t from, const Ipv4Address& to, Ipv4Header::EcnType ecn)
    {
        Ipv4Header header;
        header.SetSource(MakeIpv4Address(from));
        header.SetDestination(to);
        header.SetEcn(ecn);
        header.SetPayloadSize(980);
        Ptr<Packet> packet = Create<Packet>(980);
        packet->AddHeader(header);
        return Device(from).Send(packet, Mac48Address::GetBroadcast(), IPV4);
    }

    Ptr<Fabric> m_fabric;
    std::array<std::vector<Delivery>, SERVERS> m_deliveries;
};

} // namespace

TEST_F(FabricDeviceTest, EachDeviceHasTheAttributesOfTheFabric)
{
    FabricConfig config;
    config.attributes.Set("ns3::rdma::FabricDevice::IpQueueBytes", "3000");
    config.attributes.Set("ns3::rdma::FabricDevice::IpPriority", "5");
    Build(config);
    for (uint32_t server = 0; server < SERVERS; ++server)
    {
        StringValue bytes;
        StringValue priority;
        Device(server).GetAttribute("IpQueueBytes", bytes);
        Device(server).GetAttribute("IpPriority", priority);
        EXPECT_EQ(bytes.Get() + " " + priority.Get(), "3000 5") << "server " << server;
        EXPECT_EQ(Device(server).GetAddress(), Address(MakeMacAddress(server)));
        EXPECT_EQ(Device(server).GetInstanceTypeId(), FabricDevice::GetTypeId());
    }
}

TEST_F(FabricDeviceTest, DeliversAPacketToTheNodeOfTheMacAddress)
{
    EXPECT_TRUE(SendTo(0, MakeMacAddress(2), 986));
    Simulator::Run();
    ASSERT_EQ(m_deliveries[2].size(), 1);
    EXPECT_TRUE(m_deliveries[1].empty());
    const Delivery& delivery = m_deliveries[2][0];
    EXPECT_EQ(delivery.bytes, 986);
    EXPECT_EQ(delivery.protocol, SOME_PROTOCOL);
    EXPECT_EQ(delivery.from, Address(MakeMacAddress(0)));
    // Twice: 14 + 986 + 24 bytes of 800 ps, and 1 us.
    EXPECT_EQ(delivery.at, 2 * (1024 * 800 + 1'000'000));
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricDeviceTest, DeliversABroadcastIpPacketToTheNodeOfItsAddress)
{
    EXPECT_TRUE(SendIpv4(1, MakeIpv4Address(0), Ipv4Header::ECN_NotECT));
    Simulator::Run();
    ASSERT_EQ(m_deliveries[0].size(), 1);
    EXPECT_EQ(m_deliveries[0][0].bytes, 1000);
    EXPECT_EQ(m_deliveries[0][0].protocol, IPV4);
    EXPECT_EQ(m_deliveries[0][0].from, Device(1).GetAddress());
}

TEST_F(FabricDeviceTest, CallsThePromiscuousCallbackToo)
{
    std::vector<Address> to;
    Device(1).SetPromiscReceiveCallback(Callback<bool,
                                                 Ptr<NetDevice>,
                                                 Ptr<const Packet>,
                                                 uint16_t,
                                                 const Address&,
                                                 const Address&,
                                                 NetDevice::PacketType>(
        [&](auto, auto, auto, auto, const Address& destination, auto) {
            to.push_back(destination);
            return true;
        }));
    SendTo(0, MakeMacAddress(1), 100);
    Simulator::Run();
    EXPECT_EQ(to, (std::vector<Address>{MakeMacAddress(1)}));
    EXPECT_EQ(m_deliveries[1].size(), 1);
}

TEST_F(FabricDeviceTest, CarriesItsPacketsInOpaqueFramesOfItsPriority)
{
    Device(0).SetAttribute("IpPriority", StringValue("5"));
    std::vector<Frame> frames;
    std::vector<PacketCargo> cargoes;
    Device(0).GetPort().GetTraces().transmit.ConnectWithoutContext(
        Callback<void, const Frame&>([&](const Frame& frame) {
            frames.push_back(frame);
            cargoes.push_back(
                dynamic_cast<const PacketCargo&>(*Core().pool.FindDetail(frame)->cargo));
        }));
    SendIpv4(0, MakeIpv4Address(1), Ipv4Header::ECN_ECT0);
    SendIpv4(0, MakeIpv4Address(1), Ipv4Header::ECN_NotECT);
    Simulator::Run();
    ASSERT_EQ(frames.size(), 2);
    EXPECT_EQ(frames[0].opcode, OPAQUE_OPCODE);
    EXPECT_EQ(frames[0].priority, 5);
    EXPECT_EQ(frames[0].src, 0);
    EXPECT_EQ(frames[0].dst, 1);
    EXPECT_EQ(frames[0].wireBytes, 1014);
    EXPECT_TRUE(frames[0].flags & frame_flag::ECN_CAPABLE);
    EXPECT_FALSE(frames[1].flags & frame_flag::ECN_CAPABLE);
    EXPECT_EQ(cargoes[0].protocol, IPV4);
    EXPECT_EQ(cargoes[0].packet->GetSize(), 1000);
    EXPECT_EQ(cargoes[0].source, MakeMacAddress(0));
    EXPECT_EQ(cargoes[0].destination, MakeMacAddress(1));
}

TEST_F(FabricDeviceTest, RefusesWhatTheFabricCannotCarry)
{
    EXPECT_FALSE(SendTo(0, Mac48Address::GetBroadcast(), 100));
    EXPECT_FALSE(SendTo(0, Mac48Address("01:00:5e:00:00:01"), 100));
    EXPECT_FALSE(SendIpv4(0, Ipv4Address("224.0.0.1"), Ipv4Header::ECN_NotECT));
    EXPECT_FALSE(SendIpv4(0, Ipv4Address("10.255.255.255"), Ipv4Header::ECN_NotECT));
    EXPECT_FALSE(SendTo(0, MakeMacAddress(1), 1501));
    EXPECT_TRUE(SendTo(0, MakeMacAddress(1), 1500));
    EXPECT_TRUE(Device(0).SetMtu(9000));
    EXPECT_TRUE(SendTo(0, MakeMacAddress(1), 9000));
    EXPECT_FALSE(SendTo(0, MakeMacAddress(1), 9001));
    Simulator::Run();
    EXPECT_EQ(m_deliveries[1].size(), 2);
    EXPECT_EQ(Core().drops.Get(DropReason::NO_ROUTE), 0);
}

TEST_F(FabricDeviceTest, CountsPacketsWithoutReceiver)
{
    EXPECT_FALSE(SendTo(0, MakeMacAddress(4), 100)); // Nodes are 0 to 2 and the switch, 3.
    EXPECT_FALSE(SendTo(0, Mac48Address("00:00:00:00:00:01"), 100));
    EXPECT_FALSE(SendIpv4(0, Ipv4Address("192.0.2.1"), Ipv4Header::ECN_NotECT));
    EXPECT_EQ(Core().drops.Get(DropReason::NO_ROUTE), 3);
    EXPECT_TRUE(SendTo(0, MakeMacAddress(3), 100)); // The switch finds no way to itself.
    Simulator::Run();
    EXPECT_EQ(Core().drops.Get(DropReason::NO_ROUTE), 4);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricDeviceTest, BoundsItsQueue)
{
    Device(0).SetAttribute("IpQueueBytes", StringValue("5000"));
    std::vector<DropReason> reasons;
    Device(0).GetPort().GetTraces().drop.ConnectWithoutContext(
        Callback<void, const Frame&, DropReason>(
            [&](const Frame&, DropReason reason) { reasons.push_back(reason); }));
    // One is on the wire at once, five of 1000 bytes wait, the next two are too many.
    std::vector<bool> taken;
    for (int i = 0; i < 8; ++i)
    {
        taken.push_back(SendTo(0, MakeMacAddress(1), 986));
    }
    EXPECT_EQ(taken, (std::vector<bool>{true, true, true, true, true, true, false, false}));
    EXPECT_EQ(reasons, std::vector<DropReason>(2, DropReason::IP_QUEUE_FULL));
    EXPECT_EQ(Core().drops.Get(DropReason::IP_QUEUE_FULL), 2);
    EXPECT_STREQ(GetDropReasonName(DropReason::IP_QUEUE_FULL), "ip-queue-full");
    Simulator::Run();
    EXPECT_EQ(m_deliveries[1].size(), 6);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricDeviceTest, TakesAPacketOnAnIdleLinkWhateverItsQueueMayHold)
{
    Device(0).SetAttribute("IpQueueBytes", StringValue("0"));
    EXPECT_TRUE(SendTo(0, MakeMacAddress(1), 1000));
    EXPECT_FALSE(SendTo(0, MakeMacAddress(1), 1000));
}

TEST_F(FabricDeviceTest, WritesASwitchesMarkIntoTheIpHeader)
{
    FabricConfig config;
    config.ecn[10'000'000'000] = {0, 0, 1}; // What leaves a queue behind is marked.
    Build(config);
    // Two senders into one port: the second of each pair waits at the switch.
    for (int i = 0; i < 4; ++i)
    {
        SendIpv4(0, MakeIpv4Address(2), Ipv4Header::ECN_ECT0);
        SendIpv4(1, MakeIpv4Address(2), Ipv4Header::ECN_NotECT);
    }
    Simulator::Run();
    ASSERT_EQ(m_deliveries[2].size(), 8);
    uint64_t marked = 0;
    for (const Delivery& delivery : m_deliveries[2])
    {
        Ipv4Header header;
        delivery.packet->PeekHeader(header);
        EXPECT_EQ(delivery.bytes, 1000);
        EXPECT_EQ(header.GetDestination(), MakeIpv4Address(2));
        const bool isFromOther = header.GetSource() == MakeIpv4Address(1);
        EXPECT_EQ(header.GetEcn() == Ipv4Header::ECN_NotECT, isFromOther);
        marked += header.GetEcn() == Ipv4Header::ECN_CE;
    }
    EXPECT_GT(marked, 0);
    EXPECT_EQ(marked, Core().ecnMarks);
}

TEST_F(FabricDeviceTest, DropsRoceFramesWhereNoNicIs)
{
    const FrameIndex index = Core().pool.Allocate();
    Core().pool[index] = MakeFrame(0, 1);
    Device(0).GetPort().Enqueue(index);
    Simulator::Run();
    EXPECT_EQ(Core().drops.Get(DropReason::UNKNOWN_QP), 1);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricDeviceTest, LeavesThePortToANic)
{
    TestServer nic(Core(), Device(1).GetPort());
    SendTo(0, MakeMacAddress(1), 986);
    Simulator::Run();
    ASSERT_EQ(nic.arrivals.size(), 1);
    EXPECT_EQ(nic.arrivals[0].frame.opcode, OPAQUE_OPCODE);
    EXPECT_TRUE(m_deliveries[1].empty());
}

TEST_F(FabricDeviceTest, LetsANicsFramesPassBeforeItsOwn)
{
    TestServer nic(Core(), Device(0).GetPort());
    Device(0).GetPort().SetOwner(&nic, 1U << 3);
    TestServer receiver(Core(), Device(1).GetPort());
    for (int i = 0; i < 3; ++i)
    {
        SendTo(0, MakeMacAddress(1), 986);
    }
    nic.Blast(MakeFrame(0, 1, 10), 3);
    Simulator::Run();
    // The packet that found the link idle is not interrupted; the others wait for the NIC's frames.
    EXPECT_EQ(receiver.GetPsns(), (std::vector<uint32_t>{0, 10, 11, 12, 0, 0}));
}

TEST_F(FabricDeviceTest, GoesFirstWhereTheOwnersPriorityIsNotHigher)
{
    TestServer nic(Core(), Device(0).GetPort());
    TestServer receiver(Core(), Device(1).GetPort());
    for (int i = 0; i < 3; ++i)
    {
        SendTo(0, MakeMacAddress(1), 986);
    }
    nic.Blast(MakeFrame(0, 1, 10), 3);
    Simulator::Run();
    EXPECT_EQ(receiver.GetPsns(), (std::vector<uint32_t>{0, 0, 0, 10, 11, 12}));
}

TEST_F(FabricDeviceTest, SendsItsPacketsWhileTheNicIsPaused)
{
    TestServer nic(Core(), Device(0).GetPort());
    Device(0).GetPort().SetOwner(&nic, 1U << 3);
    TestServer receiver(Core(), Device(1).GetPort());
    Device(0).GetPort().GetPeer()->SendPause(3, 1000); // 51.2 us.
    Simulator::Stop(MicroSeconds(2));
    Simulator::Run();
    nic.Blast(MakeFrame(0, 1, 10), 1);
    SendTo(0, MakeMacAddress(1), 986);
    SendTo(0, MakeMacAddress(1), 986);
    Simulator::Run();
    EXPECT_EQ(receiver.GetPsns(), (std::vector<uint32_t>{0, 0, 10}));
}
