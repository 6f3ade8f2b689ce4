// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/loss-models.h"
#include "ns3/nic-presets.h"
#include "ns3/opcode.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Two servers on one switch; their NICs have queue pairs of several classes. The parameter tells
/// whether hardware takes time.
class NicClasses : public testing::TestWithParam<bool>
{
  protected:
    static constexpr uint64_t MEGABYTE{1'000'000};
    /// One MB in packets of 1024 B, each with 58 B of headers and 24 B of overhead: 977 x 1106 B.
    static constexpr double MEGABYTE_US{977 * 1106 * 8 / 1e5};
    /// The longest pause at 100 Gb/s: 65535 x 512 bit.
    static constexpr double PAUSE_US{65535 * 512 / 1e5};
    /// More than all latencies of a NIC and the path.
    static constexpr double LATENCY_US{15};

    struct Ends
    {
        uint32_t first;
        uint32_t second;
    };

    ~NicClasses() override
    {
        Simulator::Destroy();
    }

    static NicDesign MakeDesign()
    {
        NicDesign design = NicDesign::FromPreset("irn",
                                                 GetParam() ? NicDesign::Timing::HARDWARE
                                                            : NicDesign::Timing::TRANSPORT_ONLY);
        design.Set("ns3::rdma::RdmaNic::PathMtu", "1024");
        design.Set("ns3::rdma::RdmaNic::BdpFlowControl", "false");
        return design;
    }

    void Start(const NicDesign& design, const FabricConfig& config = {})
    {
        UseFabricSimulator();
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)), config);
        m_nics = RdmaNicHelper(design).Install(*m_fabric);
        for (const auto& nic : m_nics)
        {
            nic->SetCompletionHandler([this](const WorkCompletion& ended) {
                EXPECT_EQ(ended.status, WcStatus::SUCCESS);
                m_endUs[ended.wrId] = static_cast<double>(Simulator::Now().GetPicoSeconds()) / 1e6;
            });
        }
    }

    void Attach(const Ends& ends, const QueuePairAttributes& attributes)
    {
        m_nics[0]->Connect(ends.first, {m_nics[1]->GetEndpoint(), ends.second, 1}, attributes);
        m_nics[1]->Connect(ends.second, {m_nics[0]->GetEndpoint(), ends.first, 1}, attributes);
    }

    Ends Connect(const QueuePairAttributes& attributes = {})
    {
        const Ends ends{m_nics[0]->CreateQueuePair(), m_nics[1]->CreateQueuePair()};
        Attach(ends, attributes);
        return ends;
    }

    static QueuePairAttributes OfDscp(uint8_t dscp)
    {
        QueuePairAttributes attributes;
        attributes.dscp = dscp;
        return attributes;
    }

    static QueuePairAttributes OfPriority(uint8_t priority)
    {
        QueuePairAttributes attributes;
        attributes.serviceLevel = priority;
        return attributes;
    }

    /// @return the end of a server's link at the server, or at the switch.
    FabricPort& GetPort(uint32_t server, bool atServer) const
    {
        FabricPort& port = m_nics[server]->GetDevice()->GetPort();
        return atServer ? port : *port.GetPeer();
    }

    /// Counts the frames that leave by a port, by opcode, priority and DSCP.
    using Counts = std::map<std::string, uint32_t>;

    void Watch(FabricPort& port, Counts& counts)
    {
        auto watch = CreateObject<ScriptedLoss>();
        watch->SetScript([&counts](const Frame& frame, uint64_t) {
            const char* kind = frame.opcode == opcode::CNP       ? "cnp"
                               : opcode::IsRequest(frame.opcode) ? "data"
                               : opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE
                                   ? "response"
                                   : "ack";
            ++counts[std::string(kind) + " " + std::to_string(frame.priority) + " " +
                     std::to_string(frame.GetDscp())];
            return false;
        });
        port.SetLossModel(watch);
    }

    static std::vector<std::string> GetNames(const Counts& counts)
    {
        std::vector<std::string> names;
        for (const auto& [name, count] : counts)
        {
            names.push_back(name);
        }
        return names;
    }

    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics;
    std::map<uint64_t, double> m_endUs; ///< By work request.
};

using Names = std::vector<std::string>;

} // namespace

TEST_P(NicClasses, APauseOfOneClassStopsTheQueuePairsOfThatClassOnly)
{
    for (const uint8_t paused : {3, 4})
    {
        Start(MakeDesign());
        const Ends usual = Connect(); // Priority 3.
        const Ends other = Connect(OfDscp(32));
        GetPort(0, false).SendPause(paused, 65535);
        Simulator::Run(); // The pause has arrived.
        const double start = static_cast<double>(Simulator::Now().GetPicoSeconds()) / 1e6;
        GetPort(0, false).SendPause(paused, 65535);
        Simulator::Schedule(MicroSeconds(2), [&] {
            m_nics[0]->PostWrite(usual.first, 3, MEGABYTE);
            m_nics[0]->PostWrite(other.first, 4, MEGABYTE);
        });
        Simulator::Run();
        ASSERT_EQ(m_endUs.size(), 2);
        const double free = m_endUs.at(7 - paused) - start;
        EXPECT_GT(free, MEGABYTE_US);
        EXPECT_LT(free, MEGABYTE_US + LATENCY_US);
        EXPECT_GT(m_endUs.at(paused) - start, PAUSE_US + MEGABYTE_US);
        EXPECT_LT(m_endUs.at(paused) - start, PAUSE_US + MEGABYTE_US + LATENCY_US);
        m_endUs.clear();
        m_nics.clear();
        m_fabric = nullptr;
        Simulator::Destroy();
    }
}

TEST_P(NicClasses, AHigherPrioritySendsBeforeALowerOne)
{
    Start(MakeDesign());
    const Ends low = Connect(OfPriority(1));
    const Ends high = Connect(OfPriority(5));
    const Ends usual = Connect();
    m_nics[0]->PostWrite(low.first, 1, MEGABYTE);
    m_nics[0]->PostWrite(usual.first, 3, MEGABYTE);
    m_nics[0]->PostWrite(high.first, 5, MEGABYTE);
    Simulator::Run();
    ASSERT_EQ(m_endUs.size(), 3);
    // With hardware on, its payload crosses PCIe behind that of the others' full transmit buffers.
    EXPECT_LT(m_endUs.at(5), MEGABYTE_US + 2 * LATENCY_US);
    EXPECT_GT(m_endUs.at(3), 2 * MEGABYTE_US);
    EXPECT_LT(m_endUs.at(3), 2 * MEGABYTE_US + LATENCY_US);
    EXPECT_GT(m_endUs.at(1), 3 * MEGABYTE_US);
    EXPECT_LT(m_endUs.at(1), 3 * MEGABYTE_US + LATENCY_US);
}

TEST_P(NicClasses, QueuePairsOfOneClassShareItsTurns)
{
    Start(MakeDesign());
    const Ends first = Connect(OfPriority(5));
    const Ends second = Connect(OfPriority(5));
    m_nics[0]->PostWrite(first.first, 1, MEGABYTE);
    m_nics[0]->PostWrite(second.first, 2, MEGABYTE);
    Simulator::Run();
    ASSERT_EQ(m_endUs.size(), 2);
    EXPECT_NEAR(m_endUs.at(1), m_endUs.at(2), 0.02 * m_endUs.at(2));
    EXPECT_LT(m_endUs.at(2), 2 * MEGABYTE_US + LATENCY_US);
}

TEST_P(NicClasses, FramesHaveTheDscpOfTheirQueuePair)
{
    NicDesign design = MakeDesign();
    design.Set("ns3::rdma::RdmaNic::DscpMap", "10:2");
    Start(design);
    Counts sent;
    Counts answered;
    Watch(GetPort(0, true), sent);
    Watch(GetPort(1, true), answered);
    m_nics[0]->PostWrite(Connect().first, 1, 5000);
    m_nics[0]->PostWrite(Connect(OfDscp(26)).first, 2, 5000);
    m_nics[0]->PostWrite(Connect(OfDscp(10)).first, 3, 5000);
    m_nics[0]->PostWrite(Connect(OfPriority(5)).first, 4, 5000);
    QueuePairAttributes both = OfDscp(0);
    both.serviceLevel = 7;
    m_nics[0]->PostWrite(Connect(both).first, 5, 5000);
    Simulator::Run();
    EXPECT_EQ(m_endUs.size(), 5);
    EXPECT_EQ(GetNames(sent),
              (Names{"data 2 10", "data 3 24", "data 3 26", "data 5 40", "data 7 0"}));
    // AckPriority is DataPriority: acknowledgments as the data of their queue pair.
    EXPECT_EQ(GetNames(answered),
              (Names{"ack 2 10", "ack 3 24", "ack 3 26", "ack 5 40", "ack 7 0"}));
}

TEST_P(NicClasses, AnswersWithAPriorityOfTheirOwnKeepIt)
{
    NicDesign design = MakeDesign();
    design.Set("ns3::rdma::RdmaNic::AckPriority", "6");
    design.Set("ns3::rdma::RdmaNic::AckDscp", "50");
    design.Set("ns3::rdma::RdmaNic::DataDscp", "26");
    Start(design);
    Counts sent;
    Counts answered;
    Watch(GetPort(0, true), sent);
    Watch(GetPort(1, true), answered);
    m_nics[0]->PostWrite(Connect().first, 1, 5000);
    m_nics[0]->PostWrite(Connect(OfPriority(5)).first, 2, 5000);
    Simulator::Run();
    EXPECT_EQ(GetNames(sent), (Names{"data 3 26", "data 5 40"}));
    EXPECT_EQ(GetNames(answered), Names{"ack 6 50"});
}

TEST_P(NicClasses, ResponsesOfReadsHaveTheClassOfTheQueuePairThatSendsThem)
{
    Start(MakeDesign());
    Counts answered;
    Watch(GetPort(1, true), answered);
    const Ends ends{m_nics[0]->CreateQueuePair(), m_nics[1]->CreateQueuePair()};
    m_nics[0]->Connect(ends.first, {m_nics[1]->GetEndpoint(), ends.second, 1}, OfPriority(2));
    m_nics[1]->Connect(ends.second, {m_nics[0]->GetEndpoint(), ends.first, 1}, OfPriority(4));
    SendWorkRequest read;
    read.wrId = 1;
    read.opcode = WrOpcode::RDMA_READ;
    read.sgList = {{0, 20'000, 0}};
    EXPECT_EQ(m_nics[0]->PostSend(ends.first, read), PostResult::OK);
    Simulator::Run();
    EXPECT_EQ(m_endUs.size(), 1);
    EXPECT_EQ(answered["response 4 32"], 20); // 20,000 B in packets of 1024 B.
}

TEST_P(NicClasses, AQueuePairThatWasResetMayGetAnotherClass)
{
    Start(MakeDesign());
    const Ends ends = Connect(OfPriority(2));
    m_nics[0]->PostWrite(ends.first, 1, MEGABYTE);
    Counts later;
    Simulator::Schedule(MicroSeconds(10), [&] {
        m_nics[0]->ModifyQueuePair(ends.first, QpState::RESET);
        m_nics[1]->ModifyQueuePair(ends.second, QpState::RESET);
    });
    // Frames of the first connection have arrived.
    Simulator::Schedule(MicroSeconds(30), [&] {
        Watch(GetPort(0, true), later);
        Attach(ends, OfPriority(5));
        m_nics[0]->PostWrite(ends.first, 2, MEGABYTE);
    });
    Simulator::Run();
    EXPECT_EQ(m_endUs.count(1), 0);
    EXPECT_EQ(m_endUs.count(2), 1);
    EXPECT_EQ(later["data 5 40"], 977);
    EXPECT_EQ(m_nics[0]->FindQueuePair(ends.first)->mark.priority, 5);
    m_nics[0]->DestroyQueuePair(ends.first);
    m_nics[1]->DestroyQueuePair(ends.second);
    EXPECT_EQ(m_fabric->GetCore().pool.GetInUse(), 0);
}

TEST_P(NicClasses, ClassesShareTheRateLimitOfThePort)
{
    NicDesign design = MakeDesign();
    design.Set("ns3::rdma::RdmaNic::PortRateLimit", "40Gbps");
    Start(design);
    m_nics[0]->PostWrite(Connect().first, 1, MEGABYTE);
    m_nics[0]->PostWrite(Connect(OfPriority(5)).first, 2, MEGABYTE);
    Simulator::Run();
    ASSERT_EQ(m_endUs.size(), 2);
    EXPECT_GT(m_endUs.at(1), 0.99 * 2 * MEGABYTE_US * 100 / 40);
    EXPECT_LT(m_endUs.at(1), 2 * MEGABYTE_US * 100 / 40 + LATENCY_US);
    EXPECT_LT(m_endUs.at(2), MEGABYTE_US * 100 / 40 + LATENCY_US); // The higher priority.
}

TEST_P(NicClasses, AttributesOutOfBoundsAreRefused)
{
    Start(MakeDesign());
    const uint32_t number = m_nics[0]->CreateQueuePair();
    QueuePairAttributes attributes = OfDscp(64);
    attributes.connection = Connection{m_nics[1]->GetEndpoint(), 5, 1};
    EXPECT_TRUE(m_nics[0]->ModifyQueuePair(number, QpState::INIT));
    EXPECT_FALSE(m_nics[0]->ModifyQueuePair(number, QpState::RTR, attributes));
    attributes.dscp = 63;
    attributes.serviceLevel = 8;
    EXPECT_FALSE(m_nics[0]->ModifyQueuePair(number, QpState::RTR, attributes));
    attributes.serviceLevel = 7;
    EXPECT_TRUE(m_nics[0]->ModifyQueuePair(number, QpState::RTR, attributes));
    EXPECT_TRUE(m_nics[0]->ModifyQueuePair(number, QpState::RTS));
    EXPECT_FALSE(
        m_nics[0]->ModifyQueuePair(number, QpState::RTS, OfDscp(1))); // Packets may be sent.
}

TEST_P(NicClasses, ASwitchMayHaveAMapOfItsOwn)
{
    FabricConfig config;
    config.attributes.Set("ns3::rdma::FabricSwitch::DscpMap", "24:0,26:1");
    Start(MakeDesign(), config);
    Counts before;
    Counts after;
    Watch(GetPort(0, true), before);
    Watch(GetPort(1, false), after);
    m_nics[0]->PostWrite(Connect().first, 1, 5000);
    m_nics[0]->PostWrite(Connect(OfDscp(26)).first, 2, 5000);
    Simulator::Run();
    EXPECT_EQ(m_endUs.size(), 2);
    EXPECT_EQ(GetNames(before), (Names{"data 3 24", "data 3 26"}));
    EXPECT_EQ(GetNames(after), (Names{"data 0 24", "data 1 26"}));
}

INSTANTIATE_TEST_SUITE_P(HardwareOffAndOn, NicClasses, testing::Bool());
