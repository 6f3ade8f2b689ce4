// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rdma-nic-helper.h"

#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/pcap-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
uint64_t g_frames{0};

void
CountFrame(const Frame&)
{
    ++g_frames;
}

class HelperTest : public testing::Test
{
  protected:
    HelperTest()
        : m_fabric(FabricHelper(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1))).Create())
    {
    }

    ~HelperTest() override
    {
        Simulator::Destroy(); // Disposes the nodes, and these their NICs.
    }

    /// Sends four packets from server 0 to server 1.
    void Send()
    {
        const auto nics = m_helper.Install(*m_fabric);
        nics[0]->SetCompletionHandler(
            [this](const WorkCompletion& ended) { m_status = ended.status; });
        nics[0]->PostWrite(RdmaNicHelper::Connect(*nics[0], *nics[1]).first, 1, 4096);
        Simulator::Run();
    }

    Ptr<Fabric> m_fabric;
    RdmaNicHelper m_helper{NicDesign::FromPreset("srnic")};
    WcStatus m_status{WcStatus::WR_FLUSH_ERR};
};
} // namespace

TEST_F(HelperTest, InstallsNicsThatNodesKnow)
{
    Send();
    EXPECT_EQ(m_status, WcStatus::SUCCESS);
    EXPECT_NE(m_fabric->GetNodes().Get(1)->GetObject<RdmaNic>(), nullptr);
}

TEST_F(HelperTest, AServerHasOneNicAndASwitchHasNone)
{
    m_helper.Install(*m_fabric, {0});
    EXPECT_THROW(m_helper.Install(*m_fabric), std::invalid_argument);
    EXPECT_THROW(m_helper.Install(*m_fabric, {2}), std::invalid_argument);
}

TEST(FabricHelper, RefusesAGraphThatIsNone)
{
    TopologyGraph graph = MakeStar(2, DataRate("100Gbps"), MicroSeconds(1));
    graph.links[0].b = 7;
    EXPECT_THROW(FabricHelper{graph}, std::invalid_argument);
    EXPECT_THROW(FabricHelper(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)))
                     .Set("ns3::rdma::FabricSwitch::NoSuch", "1"),
                 std::invalid_argument);
}

TEST(FabricHelper, RefusesASwitchWithTooLittleMemory)
{
    FabricHelper helper(MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)));
    helper.Set("ns3::rdma::FabricSwitch::BufferSize", "100000");
    EXPECT_NO_THROW(helper.Create());                          // 4 x 4 KiB are reserved.
    helper.Set("ns3::rdma::FabricSwitch::PfcEnabled", "true"); // More than 4 x 25 kB of headroom.
    EXPECT_THROW(helper.Create(), std::invalid_argument);
}

TEST_F(HelperTest, TracesOfPortsHaveNs3Paths)
{
    g_frames = 0;
    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::rdma::FabricDevice/Transmit",
                                  MakeCallback(&CountFrame));
    Send();
    EXPECT_EQ(g_frames, 8); // Four packets and an acknowledgment of each.
    Config::DisconnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::rdma::FabricDevice/Transmit",
                                     MakeCallback(&CountFrame));
}

TEST_F(HelperTest, ALinkThatChangesIsReportedAtBothEnds)
{
    int changes = 0;
    for (uint32_t node = 0; node < 2; ++node)
    {
        m_fabric->GetServerDevice(node).AddLinkChangeCallback(
            Callback<void>([&changes] { ++changes; }));
    }
    m_fabric->SetLinkUp(0, false);
    EXPECT_EQ(changes, 2);
    EXPECT_FALSE(m_fabric->GetServerDevice(0).IsLinkUp());
    m_fabric->SetLinkUp(0, true);
    EXPECT_EQ(changes, 4);
}

TEST_F(HelperTest, CapturesAsOtherDevicesDo)
{
    const auto folder = std::filesystem::temp_directory_path() /
                        ("rdma-nic-helper-test-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const auto path = (folder / "one.pcap").string();
    m_helper.Install(*m_fabric, {0});
    m_helper.EnablePcap(path, Ptr<NetDevice>(&m_fabric->GetServerDevice(0)), false, true);
    // Without a NIC: nothing to capture.
    m_helper.EnablePcap((folder / "two.pcap").string(),
                        Ptr<NetDevice>(&m_fabric->GetServerDevice(1)),
                        false,
                        true);
    const auto others = RdmaNicHelper(NicDesign::FromPreset("srnic")).Install(*m_fabric, {1});
    const auto nic = m_fabric->GetNodes().Get(0)->GetObject<RdmaNic>();
    nic->PostWrite(RdmaNicHelper::Connect(*nic, *others[0]).first, 1, 4096);
    Simulator::Run();
    m_fabric = nullptr;
    Simulator::Destroy(); // Ends the capture.
    EXPECT_FALSE(std::filesystem::exists(folder / "two.pcap"));
    PcapFile file;
    file.Open(path, std::ios::in);
    uint32_t records = 0;
    for (;; ++records)
    {
        uint8_t bytes[64];
        uint32_t seconds, fraction, included, original, read;
        file.Read(bytes, sizeof(bytes), seconds, fraction, included, original, read);
        if (file.Fail() || file.Eof())
        {
            break;
        }
    }
    EXPECT_EQ(records, 8);
    std::filesystem::remove_all(folder);
}
