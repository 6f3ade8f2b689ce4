// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/loss-models.h"
#include "ns3/opcode.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/server-ports.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Two servers, each with a NIC of two ports, on two switches: a plane each.
class NicPortsTest : public testing::Test
{
  protected:
    NicPortsTest()
    {
        UseFabricSimulator();
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(
            AddEndpoints(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)), {{1, 1}, 2}),
            FabricConfig());
    }

    ~NicPortsTest() override
    {
        Simulator::Destroy();
    }

    /// @param attributes of the selector: names and values
    void Start(const std::string& selector,
               bool hasHardware,
               const std::vector<std::pair<std::string, std::string>>& attributes = {})
    {
        NicDesign design = NicDesign::FromPreset("irn",
                                                 hasHardware ? NicDesign::Timing::HARDWARE
                                                             : NicDesign::Timing::TRANSPORT_ONLY);
        design.Set("ns3::rdma::RdmaNic::PathSelector", selector);
        for (const auto& [name, value] : attributes)
        {
            design.Set(selector + "::" + name, value);
        }
        m_nics = RdmaNicHelper(design).Install(*m_fabric);
        ASSERT_EQ(m_nics.size(), 2);
        ASSERT_EQ(m_nics[0]->GetPortCount(), 2);
        m_nics[0]->SetCompletionHandler(
            [this](const WorkCompletion& ended) { m_ended.push_back(ended.status); });
        m_ends = RdmaNicHelper::Connect(*m_nics[0], *m_nics[1]); // On port 0.
    }

    /// @return the link of an endpoint.
    std::size_t FindLink(uint32_t endpoint) const
    {
        const auto& links = m_fabric->GetGraph().links;
        for (std::size_t link = 0; link < links.size(); ++link)
        {
            if (links[link].a == endpoint || links[link].b == endpoint)
            {
                return link;
            }
        }
        return links.size();
    }

    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics;
    QueuePairEnds m_ends{};
    std::vector<WcStatus> m_ended;
};

class NicPortsOfTwoPlanes : public NicPortsTest, public testing::WithParamInterface<bool>
{
};
} // namespace

TEST_P(NicPortsOfTwoPlanes, AQueuePairLeavesAPortWhoseLinkGoesDownAndItsPeerFollows)
{
    Start("ns3::rdma::FailoverPath", GetParam());
    m_nics[0]->PostWrite(m_ends.first, 1, 100'000);
    Simulator::Schedule(MicroSeconds(3), [this] {
        EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 0);
        m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(0)), false);
        EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 1);
        EXPECT_EQ(m_nics[1]->FindPort(m_ends.second), 0); // Its own link is up.
    });
    Simulator::Run();
    EXPECT_EQ(m_ended, std::vector<WcStatus>{WcStatus::SUCCESS});
    EXPECT_EQ(m_nics[1]->FindPort(m_ends.second), 1);
    EXPECT_EQ(m_nics[1]->FindQueuePair(m_ends.second)->connection.remoteEndpoint,
              m_nics[0]->GetEndpoint(1));
    EXPECT_EQ(m_nics[1]->FindQueuePair(m_ends.second)->responder->GetPlacedBytes(), 100'000);
    EXPECT_EQ(m_fabric->GetCore().pool.GetInUse(), 0);
}

TEST_P(NicPortsOfTwoPlanes, AQueuePairReturnsAfterTheDelayOfALinkThatStaysUp)
{
    Start("ns3::rdma::FailbackPath", GetParam(), {{"UpDelay", "5us"}});
    const auto setLink = [this](bool isUp) {
        m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(0)), isUp);
    };
    const auto expectPort = [this](uint32_t port) {
        EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), port);
    };
    setLink(false);
    expectPort(1);
    // Up at 10 us for 3 us only, then from 14 us on.
    Simulator::Schedule(MicroSeconds(10), [&] { setLink(true); });
    Simulator::Schedule(MicroSeconds(13), [&] { setLink(false); });
    Simulator::Schedule(MicroSeconds(14), [&] { setLink(true); });
    Simulator::Schedule(NanoSeconds(18'999), [&] { expectPort(1); });
    Simulator::Schedule(NanoSeconds(19'001), [&] { expectPort(0); });
    Simulator::Run();
    EXPECT_EQ(m_nics[1]->FindPort(m_ends.second), 0); // No request has left by the other port.
}

TEST_P(NicPortsOfTwoPlanes, AQueuePairTriesAPathAgainThatFailedElsewhere)
{
    Start("ns3::rdma::FailbackPath", GetParam(), {{"RetryDelay", "40ms"}});
    // The peer's link fails: the NIC cannot see it, and the path fails by two expiries.
    m_fabric->SetLinkUp(FindLink(m_nics[1]->GetEndpoint(0)), false);
    m_nics[0]->PostWrite(m_ends.first, 1, 1000);
    Simulator::Stop(MilliSeconds(30));
    Simulator::Run();
    EXPECT_EQ(m_ended, std::vector<WcStatus>{WcStatus::SUCCESS});
    EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 1);
    m_fabric->SetLinkUp(FindLink(m_nics[1]->GetEndpoint(0)), true);
    Simulator::Run();
    EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 0);
    m_nics[0]->PostWrite(m_ends.first, 2, 1000);
    Simulator::Run();
    EXPECT_EQ(m_ended.size(), 2U);
    EXPECT_EQ(m_nics[1]->FindPort(m_ends.second), 0); // The peer follows.
}

TEST_P(NicPortsOfTwoPlanes, AnAcknowledgmentIsReceivedAtAnyPort)
{
    // The last packet's acknowledgment is on plane 0 when the sender changes to plane 1.
    Start("ns3::rdma::FailoverPath", GetParam());
    bool hasMoved = false;
    auto watch = CreateObject<ScriptedLoss>();
    watch->SetScript([this, &hasMoved](const Frame& frame, uint64_t) {
        if (frame.opcode == opcode::ACK && !hasMoved)
        {
            hasMoved = true;
            // What plane 0 carries from now on is not lost: only its link is reported as down.
            Simulator::Schedule(NanoSeconds(1), [this] {
                m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(0)), false);
                m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(0)), true);
            });
        }
        return false;
    });
    const std::size_t link = FindLink(m_nics[1]->GetEndpoint(0));
    const bool isFirst = m_fabric->GetGraph().links[link].a == m_nics[1]->GetEndpoint(0);
    m_fabric->GetLinkPort(link, isFirst ? 0 : 1).SetLossModel(watch);
    m_nics[0]->PostWrite(m_ends.first, 1, 1000);
    Simulator::Run();
    EXPECT_TRUE(hasMoved);
    EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 1);
    EXPECT_EQ(m_ended, std::vector<WcStatus>{WcStatus::SUCCESS});
    EXPECT_EQ(m_fabric->GetCore().drops.Get(DropReason::UNKNOWN_QP), 0);
}

TEST_P(NicPortsOfTwoPlanes, FixedPathsStay)
{
    Start("ns3::rdma::FixedPath", GetParam());
    m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(0)), false);
    EXPECT_EQ(m_nics[0]->FindPort(m_ends.first), 0);
}

TEST_P(NicPortsOfTwoPlanes, NumbersAreOfTheNicAndItsPortsAreCounted)
{
    Start("ns3::rdma::FixedPath", GetParam());
    const uint32_t onOther = m_nics[0]->CreateQueuePair({}, std::nullopt, 1);
    EXPECT_NE(onOther, m_ends.first);
    EXPECT_EQ(m_nics[0]->FindPort(onOther), 1);
    EXPECT_THROW(m_nics[0]->CreateQueuePair({}, onOther), VerbsError);
    EXPECT_THROW(m_nics[0]->CreateQueuePair({}, std::nullopt, 2), VerbsError);
    m_nics[0]->DestroyQueuePair(onOther);
    EXPECT_FALSE(m_nics[0]->FindQueuePair(onOther));
}

INSTANTIATE_TEST_SUITE_P(Hardware, NicPortsOfTwoPlanes, testing::Bool());

TEST_F(NicPortsTest, CountsOfHardwareThatIsOffAreOneClearError)
{
    Start("ns3::rdma::FixedPath", false);
    EXPECT_THROW(m_nics[0]->GetSlowPathStats(), VerbsError);
    EXPECT_THROW(m_nics[0]->GetSendPathStats(1), VerbsError);
    EXPECT_THROW(m_nics[0]->GetPlacedTrace(), VerbsError);
}

namespace
{
/// The same servers with NICs whose queue pairs send by both ports, two queue pairs with 5 MB each.
class SprayingNics : public NicPortsTest,
                     public testing::WithParamInterface<std::pair<const char*, bool>>
{
  protected:
    /// @param rateLimit of each port; empty: none
    void StartSpraying(const char* rateLimit = "")
    {
        const auto [preset, hasHardware] = GetParam();
        NicDesign design = NicDesign::FromPreset(preset,
                                                 hasHardware ? NicDesign::Timing::HARDWARE
                                                             : NicDesign::Timing::TRANSPORT_ONLY);
        if (*rateLimit)
        {
            design.Set("ns3::rdma::RdmaNic::PortRateLimit", rateLimit);
        }
        m_nics = RdmaNicHelper(design).Install(*m_fabric);
        m_nics[0]->SetCompletionHandler([this](const WorkCompletion& ended) {
            m_ended.push_back(ended.status);
            m_endTimes.push_back(Simulator::Now().GetSeconds());
        });
        for (uint32_t pair = 0; pair < PAIRS; ++pair)
        {
            const QueuePairEnds ends = RdmaNicHelper::Connect(*m_nics[0], *m_nics[1]);
            m_nics[0]->PostWrite(ends.first, pair, BYTES);
        }
    }

    /// The switch pauses data at the second port of the first NIC for a time.
    void PauseSecondPort(Time duration)
    {
        const std::size_t link = FindLink(m_nics[0]->GetEndpoint(1));
        const bool isFirst = m_fabric->GetGraph().links[link].a == m_nics[0]->GetEndpoint(1);
        FabricPort& port = m_fabric->GetLinkPort(link, isFirst ? 1 : 0);
        constexpr uint8_t DATA_PRIORITY{3};    // RdmaNic::DataPriority.
        constexpr double QUANTA_PER_US{195.3}; // 512 bit of 100 Gb/s.
        port.SendPause(DATA_PRIORITY,
                       static_cast<uint16_t>(duration.GetMicroSeconds() * QUANTA_PER_US));
    }

    /// @return Gb/s of payload from the start to the last end.
    double GetGoodput() const
    {
        return PAIRS * BYTES * 8 / m_endTimes.back() / 1e9;
    }

    void ExpectEqualShares() const
    {
        ASSERT_EQ(m_ended, std::vector<WcStatus>(PAIRS, WcStatus::SUCCESS));
        EXPECT_LT(m_endTimes.back(), 1.02 * m_endTimes.front());
    }

    static constexpr uint32_t PAIRS{2};
    static constexpr uint64_t BYTES{5'000'000};
    /// Payload of a port at 100 Gb/s: at least 1024 of 1024 + 110 bytes.
    static constexpr double PORT_GBPS{90};
    std::vector<double> m_endTimes;
};
} // namespace

TEST_P(SprayingNics, ShareBothPorts)
{
    StartSpraying();
    Simulator::Run();
    ExpectEqualShares();
    EXPECT_GT(GetGoodput(), 0.97 * 2 * PORT_GBPS);
}

TEST_P(SprayingNics, APortThatIsPausedAThirdOfTheTimeDelaysNoOther)
{
    StartSpraying();
    for (int64_t at = 30; at < 600; at += 30)
    {
        Simulator::Schedule(MicroSeconds(at), [this] { PauseSecondPort(MicroSeconds(10)); });
    }
    Simulator::Run();
    ExpectEqualShares();
    EXPECT_GT(GetGoodput(), 0.97 * (1 + 2.0 / 3) * PORT_GBPS);
    EXPECT_LT(GetGoodput(), (1 + 2.0 / 3) * 100);
}

TEST_P(SprayingNics, APortThatIsDownLeavesTheOtherAtItsRate)
{
    StartSpraying();
    m_fabric->SetLinkUp(FindLink(m_nics[0]->GetEndpoint(1)), false);
    Simulator::Run();
    ExpectEqualShares();
    EXPECT_GT(GetGoodput(), 0.97 * PORT_GBPS);
}

TEST_P(SprayingNics, KeepTheRateLimitOfEachPort)
{
    StartSpraying("40Gbps");
    Simulator::Run();
    ExpectEqualShares();
    EXPECT_GT(GetGoodput(), 0.97 * 2 * 0.4 * PORT_GBPS);
    EXPECT_LT(GetGoodput(), 2 * 40);
}

TEST_P(SprayingNics, CompleteEachMessageOfAnUnreliableConnection)
{
    StartSpraying();
    Simulator::Run();
    m_ended.clear();
    QueuePairInit init;
    init.service = Service::UC;
    const QueuePairEnds ends = RdmaNicHelper::Connect(*m_nics[0], *m_nics[1], init, init);
    for (uint64_t message = 0; message < 20; ++message)
    {
        m_nics[0]->PostWrite(ends.first, message, 3000);
    }
    Simulator::Run();
    EXPECT_EQ(m_ended, std::vector<WcStatus>(20, WcStatus::SUCCESS));
}

INSTANTIATE_TEST_SUITE_P(Presets,
                         SprayingNics,
                         testing::Values(std::pair("mrc", false),
                                         std::pair("mrc", true),
                                         std::pair("uet", false),
                                         std::pair("uet", true),
                                         std::pair("uet-rccc", false)));
