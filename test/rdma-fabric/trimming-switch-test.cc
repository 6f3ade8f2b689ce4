// SPDX-License-Identifier: GPL-2.0-only

// TrimmingAdmission and RoleMarking in a switch. Links have 100 Gb/s, so that a byte takes 80 ps,
// and no Ethernet overhead, as in the simulator whose rules they follow.

#include "fabric-test-bench.h"

#include "ns3/bdp-share.h"
#include "ns3/marking-policies.h"
#include "ns3/simple-topologies.h"
#include "ns3/trimming-admission.h"

#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t HEADERS{64};
constexpr uint32_t PACKET{4160};
constexpr Tick PACKET_TIME{332'800};
constexpr Tick HEADERS_TIME{5120};
constexpr Tick DELAY{1'000'000};
/// When frames that leave their servers at 0 are at the switch.
constexpr Tick AT_SWITCH{PACKET_TIME + DELAY};

/// Keeps the view that admission policies are given.
class ViewingAdmission : public TailDrop
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ViewingAdmission")
                                .SetParent<TailDrop>()
                                .AddConstructor<ViewingAdmission>();
        return tid;
    }

    void Start(const SwitchView& view) override
    {
        scales.push_back(view.scale);
    }

    static inline std::vector<FabricScale> scales;
};

NS_OBJECT_ENSURE_REGISTERED(ViewingAdmission);

Frame
MakeData(uint32_t src, uint32_t dst, uint32_t bytes = PACKET)
{
    Frame frame = MakeFrame(src, dst, src, 3, bytes); // Numbered by its sender.
    frame.payloadBytes = static_cast<uint16_t>(bytes - HEADERS);
    return frame;
}

class TrimmingSwitch : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        SetDefault("AdmissionPolicy", "ns3::rdma::TrimmingAdmission");
        SetAdmission("ServerLimitBytes", std::to_string(2 * PACKET));
        SetAdmission("NewestShare", "0");
    }

    static void SetAdmission(const std::string& attribute, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::TrimmingAdmission::" + attribute, StringValue(value));
    }

    static FabricConfig MakeConfig()
    {
        FabricConfig config;
        config.hasEthernetOverhead = false;
        config.maxFrameBytes = PACKET;
        return config;
    }

    /// Senders from 0 on, and the last server as the receiver.
    void BuildStar(uint32_t senders, const FabricConfig& config = MakeConfig())
    {
        m_receiver = senders;
        Build(MakeStar(senders + 1, DataRate("100Gbps"), MicroSeconds(1)), config);
    }

    /// Each sender sends one packet at time 0.
    void SendOneEach()
    {
        for (uint32_t sender = 0; sender < m_receiver; ++sender)
        {
            Server(sender).Send(MakeData(sender, m_receiver));
        }
    }

    FabricPort& Egress()
    {
        return m_fabric->GetLinkPort(m_receiver, 1);
    }

    uint64_t GetBufferedBytes()
    {
        return m_fabric->GetSwitch(m_receiver + 1)->GetBuffer().GetTotalUsed();
    }

    void ExpectEmpty()
    {
        EXPECT_EQ(GetBufferedBytes(), 0);
        EXPECT_EQ(Core().pool.GetInUse(), 0);
        EXPECT_EQ(Egress().GetTotalQueueBytes(), 0);
    }

    std::vector<uint32_t> GetArrived()
    {
        return Server(m_receiver).GetPsns();
    }

    std::vector<uint32_t> GetTrimmed()
    {
        std::vector<uint32_t> psns;
        for (const Arrival& arrival : Server(m_receiver).arrivals)
        {
            if (arrival.frame.flags & frame_flag::TRIMMED)
            {
                EXPECT_EQ(arrival.frame.wireBytes, HEADERS);
                EXPECT_EQ(arrival.frame.payloadBytes, 0);
                psns.push_back(arrival.frame.psn);
            }
        }
        return psns;
    }

    uint32_t m_receiver{0};
};
} // namespace

TEST_F(TrimmingSwitch, TheArrivingPacketIsTrimmedAndOvertakesTheQueue)
{
    BuildStar(4);
    SendOneEach();
    Simulator::Run();
    // 0 is sent at once, 1 and 2 fill the queue of two packets, 3 exceeds it.
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 3, 1, 2}));
    EXPECT_EQ(GetTrimmed(), (std::vector<uint32_t>{3}));
    const Tick first = AT_SWITCH + PACKET_TIME + DELAY;
    EXPECT_EQ(Server(4).GetTimes(),
              (std::vector<Tick>{first,
                                 first + HEADERS_TIME,
                                 first + HEADERS_TIME + PACKET_TIME,
                                 first + HEADERS_TIME + 2 * PACKET_TIME}));
    EXPECT_EQ(Core().trims, 1);
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, TheNewestQueuedPacketGivesItsPlaceToTheArrivingOne)
{
    SetAdmission("NewestShare", "1");
    BuildStar(4);
    SendOneEach();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 2, 1, 3}));
    EXPECT_EQ(GetTrimmed(), (std::vector<uint32_t>{2}));
    const Tick first = AT_SWITCH + PACKET_TIME + DELAY;
    EXPECT_EQ(Server(4).GetTimes(),
              (std::vector<Tick>{first,
                                 first + HEADERS_TIME,
                                 first + HEADERS_TIME + PACKET_TIME,
                                 first + HEADERS_TIME + 2 * PACKET_TIME}));
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, AReplacedPacketOfAnotherSizeIsReleasedFromTheBuffer)
{
    SetAdmission("NewestShare", "1");
    BuildStar(4);
    // All arrive when the first one does: the shorter packet is sent later.
    constexpr uint32_t SHORT{1064};
    for (const uint32_t sender : {0, 1, 3})
    {
        Server(sender).Send(MakeData(sender, 4));
    }
    At((PACKET - SHORT) * 80, [this] { Server(2).Send(MakeData(2, 4, SHORT)); });
    RunUntil(AT_SWITCH + 1);
    // Packet 0 is being sent. Packet 3 has replaced packet 2, behind packet 1.
    EXPECT_EQ(Egress().GetQueueBytes(3), 2 * PACKET);
    EXPECT_EQ(Egress().GetQueueBytes(5), HEADERS);
    EXPECT_EQ(GetBufferedBytes(), 2 * PACKET + HEADERS);
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 2, 1, 3}));
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, AReplacedPacketTakesItsDetailWithIt)
{
    FramePool pool;
    const FrameIndex a = pool.Allocate();
    const FrameIndex b = pool.Allocate();
    pool[a] = MakeData(1, 4);
    pool[b] = MakeData(2, 4);
    pool.AddIntStack(a, 5);
    const IntStack* stack = pool.FindDetail(pool[a])->path;
    pool.Exchange(a, b);
    EXPECT_EQ(uint32_t{pool[a].psn}, 2);
    EXPECT_EQ(uint32_t{pool[b].psn}, 1);
    EXPECT_EQ(pool.FindDetail(pool[a]), nullptr);
    ASSERT_NE(pool.FindDetail(pool[b]), nullptr);
    EXPECT_EQ(pool.FindDetail(pool[b])->path, stack);
    pool.Free(a);
    pool.Free(b);
}

TEST_F(TrimmingSwitch, WithoutTrimmingTheSamePacketsAreDropped)
{
    SetAdmission("Trimming", "false");
    const std::map<std::string, std::vector<uint32_t>> expected{{"0", {0, 1, 2}}, {"1", {0, 1, 3}}};
    for (const auto& [share, arrived] : expected)
    {
        SetAdmission("NewestShare", share);
        BuildStar(4);
        SendOneEach();
        Simulator::Run();
        EXPECT_EQ(GetArrived(), arrived) << share;
        EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1);
        EXPECT_EQ(Core().trims, 0);
        EXPECT_EQ(Core().trimmedDrops, 0);
        ExpectEmpty();
        Clear();
    }
}

TEST_F(TrimmingSwitch, TrimmedPacketsBeyondTheirOwnLimitAreDropped)
{
    SetAdmission("HeadersOnlyLimit", "0.01"); // 83 bytes: one header.
    BuildStar(5);
    SendOneEach();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 3, 1, 2}));
    EXPECT_EQ(Core().trims, 2);
    EXPECT_EQ(Core().trimmedDrops, 1);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1);
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, AcknowledgmentsShareTheLimitOfTheirClass)
{
    SetAdmission("HeadersOnlyLimit", "0.01");
    BuildStar(4);
    Server(0).Send(MakeData(0, 4));
    // At the switch while packet 0 is being sent.
    for (const uint32_t sender : {1, 2})
    {
        At(PACKET_TIME,
           [this, sender] { Server(sender).Send(MakeFrame(sender, 4, sender, 5, HEADERS)); });
    }
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(Core().trimmedDrops, 0); // It was no trimmed packet.
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1);
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, OnlyThePrioritiesOfTheMaskAreTrimmed)
{
    SetAdmission("Priorities", "4"); // Priority 2.
    BuildStar(5);
    SendOneEach();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(Core().trims, 0);
}

TEST_F(TrimmingSwitch, AnIdlePortSendsAPacketThatExceedsTheLimit)
{
    SetAdmission("ServerLimitBytes", "1");
    SetAdmission("HeadersOnlyLimit", "100");
    BuildStar(2);
    SendOneEach();
    Simulator::Run();
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(GetTrimmed(), (std::vector<uint32_t>{1}));
}

TEST_F(TrimmingSwitch, OnlyTheSwitchOfTheReceiverSetsTheLastHopMark)
{
    SetAdmission("SwitchLimitBytes", "1");
    SetAdmission("HeadersOnlyLimit", "100");
    Build(MakeDumbbell({2, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)}),
          MakeConfig());
    m_receiver = 2; // Servers 0 and 1 are on one side, 2 and 3 on the other one.
    Server(0).Send(MakeData(0, 2));
    Server(1).Send(MakeData(1, 2)); // Exceeds the queue between the switches.
    Simulator::Run();
    ASSERT_EQ(GetTrimmed(), (std::vector<uint32_t>{1}));
    EXPECT_EQ(Core().lastHopTrims, 0);
    EXPECT_EQ(Server(2).arrivals[1].frame.flags & frame_flag::LAST_HOP, 0);
    Clear();

    SetAdmission("SwitchLimitBytes", "0");
    SetAdmission("ServerLimitBytes", "1");
    Build(MakeDumbbell({2, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)}),
          MakeConfig());
    PortTraces& traces = m_fabric->GetLinkPort(2, 1).GetTraces();
    Server(0).Send(MakeData(0, 2)); // At the last switch after two links.
    // There 100 ns earlier, so that the port to the receiver is busy.
    At(AT_SWITCH - 100'000, [this] { Server(3).Send(MakeData(3, 2)); });
    Simulator::Run();
    EXPECT_EQ(Core().trims, 1);
    EXPECT_EQ(Core().lastHopTrims, 1);
    EXPECT_EQ(traces.counters.trims, 1);
    uint32_t marked = 0;
    for (const Arrival& arrival : Server(2).arrivals)
    {
        marked += (arrival.frame.flags & frame_flag::LAST_HOP) != 0;
    }
    EXPECT_EQ(marked, 1);
}

TEST_F(TrimmingSwitch, ATrimmedPacketIsNotTrimmedAgain)
{
    SetAdmission("SwitchLimitBytes", "1");
    SetAdmission("HeadersOnlyLimit", "100");
    SetAdmission("ServerLimitBytes", "1");
    Build(MakeDumbbell({2, DataRate("100Gbps"), DataRate("50Gbps"), MicroSeconds(1)}),
          MakeConfig());
    m_receiver = 2;
    Server(0).Send(MakeData(0, 2));
    Server(1).Send(MakeData(1, 2));
    // Between the switches a packet takes 665.6 ns: at the last one the trimmed packet is only 10
    // ns behind packet 0, which then takes 332.8 ns.
    Simulator::Run();
    EXPECT_EQ(Core().trims, 1);
    EXPECT_EQ(GetTrimmed(), (std::vector<uint32_t>{1}));
    EXPECT_EQ(GetArrived(), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 0);
}

TEST_F(TrimmingSwitch, TheCoinIsFair)
{
    SetAdmission("NewestShare", "0.5");
    BuildStar(4);
    SendOneEach();
    RunUntil(AT_SWITCH + 1);
    ASSERT_EQ(Egress().GetQueueBytes(3), 2 * PACKET);
    SwitchView view;
    view.seed = 7;
    view.ports.assign(m_receiver + 1, {&Egress(), true});
    view.scale = {1, PACKET};
    auto policy = CreateObject<TrimmingAdmission>();
    policy->Start(view);
    const Frame frame = MakeData(0, 4);
    uint32_t newest = 0;
    constexpr uint32_t DRAWS{10'000};
    for (uint32_t draw = 0; draw < DRAWS; ++draw)
    {
        const Admission admission = policy->Decide({frame, Egress(), true}, 0);
        newest += admission == Admission::TRIM_NEWEST;
        ASSERT_TRUE(admission == Admission::TRIM_NEWEST || admission == Admission::TRIM);
    }
    EXPECT_NEAR(newest, DRAWS / 2, 250); // Five standard deviations of 50.
    // Without room, the arriving packet is trimmed.
    for (uint32_t draw = 0; draw < 20; ++draw)
    {
        EXPECT_EQ(policy->Decide({frame, Egress(), false}, 0), Admission::TRIM);
    }
}

TEST_F(TrimmingSwitch, AFixedSeedGivesTheSameTrims)
{
    SetAdmission("NewestShare", "0.5");
    std::vector<std::vector<uint32_t>> orders;
    for (const uint64_t seed : {1, 1, 2})
    {
        FabricConfig config = MakeConfig();
        config.seed = seed;
        BuildStar(4, config);
        for (uint32_t sender = 0; sender < 4; ++sender)
        {
            Frame frame = MakeData(sender, 4);
            frame.psn = sender * 100;
            Server(sender).Blast(frame, 50);
        }
        Simulator::Run();
        EXPECT_EQ(Server(4).arrivals.size(), 200); // Trimmed or whole.
        EXPECT_EQ(GetTrimmed().size(), Core().trims);
        orders.push_back(GetArrived());
        ExpectEmpty();
        Clear();
    }
    EXPECT_EQ(orders[0], orders[1]);
    EXPECT_NE(orders[0], orders[2]);
}

TEST_F(TrimmingSwitch, PausesFollowTheBytesOfReplacedPackets)
{
    SetAdmission("NewestShare", "1");
    SetAdmission("ServerLimitBytes", std::to_string(20 * PACKET));
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "400000");
    BuildStar(4);
    for (uint32_t sender = 0; sender < 4; ++sender)
    {
        Server(sender).Blast(MakeData(sender, 4), 200);
    }
    Simulator::Run();
    EXPECT_EQ(Server(4).arrivals.size(), 800); // A sender that stays paused would miss some.
    EXPECT_GT(Core().trims, 0);
    EXPECT_GT(Core().pfcPauses, 0);
    EXPECT_EQ(Core().losslessDrops, 0);
    ExpectEmpty();
}

TEST_F(TrimmingSwitch, ABandwidthDelayProductIsWholePackets)
{
    struct Case
    {
        uint32_t frameBytes;
        double share;
        uint64_t bytes;
    };

    // Six links of 1 us: the base RTT is 12 us and six times a packet and a header of 64 bytes. At
    // 4160 bytes 14.0275 us, 42.15 packets; at 4150 bytes 14.0227 us, 42.24 packets; both 43. The
    // shares 0.2 and 0.8 of 43 are 8.6 and 34.4: 9 and 35 packets.
    const std::vector<Case> cases{{4160, 1, 178'880},
                                  {4160, 0.2, 37'440},
                                  {4160, 0.8, 145'600},
                                  {4150, 0.2, 37'350},
                                  {4150, 0.8, 145'250},
                                  {4160, 0, 0},
                                  {4160, 1.5, 65 * 4160}}; // 64.5 packets.
    BuildStar(2);
    for (const Case& each : cases)
    {
        const Tick baseRtt = 12'000'000 + 6 * Tick{each.frameBytes + 64} * 80;
        EXPECT_EQ(GetBdpShare(Egress(), {baseRtt, each.frameBytes}, each.share, baseRtt),
                  each.bytes);
    }
    // 0.55 of 100 packets: 55, although the product of the two doubles is a little more.
    EXPECT_EQ(GetBdpShare(Egress(), {0, 1000}, 0.55, 100 * 80'000), 55'000);
}

TEST_F(TrimmingSwitch, ABandwidthDelayProductCountsTheEthernetOverheadAsTime)
{
    Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)), {});
    // A frame of 976 bytes takes 1000 byte times, 80 ns: ten in 800 ns, eleven in 801.
    const FabricPort& port = m_fabric->GetLinkPort(0, 1);
    EXPECT_EQ(GetBdpShare(port, {0, 976}, 1, 800'000), 10 * 976);
    EXPECT_EQ(GetBdpShare(port, {0, 976}, 1, 801'000), 11 * 976);
}

TEST_F(TrimmingSwitch, PoliciesAreGivenTheLongestRoundTrip)
{
    ViewingAdmission::scales.clear();
    SetDefault("AdmissionPolicy", "ns3::rdma::ViewingAdmission");
    Build(MakeDumbbell({1, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)}),
          MakeConfig());
    ASSERT_EQ(ViewingAdmission::scales.size(), 2);
    for (const FabricScale& scale : ViewingAdmission::scales)
    {
        // Three links of 1 us each way, a packet and a header of 64 bytes.
        EXPECT_EQ(scale.baseRtt, 6'000'000 + 3 * (PACKET_TIME + HEADERS_TIME));
        EXPECT_EQ(scale.maxFrameBytes, PACKET);
    }
}

namespace
{
class RoleMarkingSwitch : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        SetDefault("MarkingPolicy", "ns3::rdma::RoleMarking");
    }

    static void SetMarking(const std::string& attribute, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::RoleMarking::" + attribute, StringValue(value));
    }

    /// One frame of 1000 bytes from each of four servers. @return the PSNs of those with CE.
    std::vector<uint32_t> FindMarked(uint16_t payloadBytes = 900, const FabricConfig& config = {})
    {
        Build(MakeStar(5, DataRate("100Gbps"), MicroSeconds(1)), config);
        for (uint32_t sender = 0; sender < 4; ++sender)
        {
            Frame frame = MakeFrame(sender, 4, sender);
            frame.payloadBytes = payloadBytes;
            Server(sender).Send(frame);
        }
        Simulator::Run();
        std::vector<uint32_t> marked;
        for (const Arrival& arrival : Server(4).arrivals)
        {
            if (arrival.frame.flags & frame_flag::CE)
            {
                marked.push_back(arrival.frame.psn);
            }
        }
        EXPECT_EQ(Server(4).arrivals.size(), 4);
        EXPECT_EQ(Core().ecnMarks, marked.size());
        Clear();
        return marked;
    }
};
} // namespace

TEST_F(RoleMarkingSwitch, AFrameIsMarkedByTheBytesThatItLeavesBehind)
{
    SetMarking("MinBytes", "999");
    SetMarking("MaxBytes", "999");
    // The first frame does not wait. The second leaves 2000 bytes behind, the third 1000.
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(FindMarked(0), (std::vector<uint32_t>{})); // Header-only frames are not marked.
    SetMarking("MinBytes", "1000");                      // More than MaxBytes: both are 1000.
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{1}));
    SetMarking("ServerPorts", "false");
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{}));
}

TEST_F(RoleMarkingSwitch, AFabricWithoutEcnStaysWithoutIt)
{
    SetMarking("MinBytes", "1");
    SetMarking("MaxBytes", "1");
    FabricConfig config;
    config.ecn[100'000'000'000] = {UINT64_MAX, UINT64_MAX, 0};
    EXPECT_EQ(FindMarked(900, config), (std::vector<uint32_t>{}));
}

TEST_F(RoleMarkingSwitch, PortsToSwitchesHaveASwitchOfTheirOwn)
{
    SetMarking("MinBytes", "1");
    SetMarking("MaxBytes", "1");
    SetMarking("ServerPorts", "false");
    for (const bool marks : {true, false})
    {
        SetMarking("SwitchPorts", marks ? "true" : "false");
        Build(MakeDumbbell({2, DataRate("100Gbps"), DataRate("50Gbps"), MicroSeconds(1)}));
        Frame frame = MakeFrame(0, 2);
        frame.payloadBytes = 900;
        Server(0).Blast(frame, 10); // Twice as fast as the link between the switches.
        Simulator::Run();
        EXPECT_EQ(Core().ecnMarks > 0, marks);
        Clear();
    }
}

TEST_F(RoleMarkingSwitch, TheProbabilityRisesInAStraightLine)
{
    FabricConfig config;
    config.hasEthernetOverhead = false;
    Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)), config);
    SwitchView view;
    view.ports.assign(2, {&m_fabric->GetLinkPort(1, 1), true});
    view.scale = {14'027'520, PACKET}; // 43 packets: thresholds 37,440 and 145,600 bytes.
    auto policy = CreateObject<RoleMarking>();
    policy->Start(view, {{{1, 1, 1}, RandomStream(1, 0)}, {{1, 1, 1}, RandomStream(1, 1)}});
    const Frame frame = MakeData(0, 1);
    const auto count = [&](uint64_t queueBytes) {
        uint32_t marked = 0;
        for (uint32_t i = 0; i < 10'000; ++i)
        {
            marked += policy->ShouldMark(frame, *view.ports[0].port, queueBytes, 0);
        }
        return marked;
    };
    EXPECT_EQ(count(37'440), 0);
    EXPECT_EQ(count(145'600), 10'000);
    // A quarter and a half of the way; five standard deviations are 217 and 250.
    EXPECT_NEAR(count(37'440 + 27'040), 2500, 217);
    EXPECT_NEAR(count(37'440 + 54'080), 5000, 250);
}
