// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bench.h"

#include "ns3/admission-policy.h"
#include "ns3/load-balancer.h"
#include "ns3/marking-policies.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Gives the same answer for all frames of priority 3, and queues the others.
class FixedAdmission : public AdmissionPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::FixedAdmission")
                                .SetParent<AdmissionPolicy>()
                                .AddConstructor<FixedAdmission>();
        return tid;
    }

    Admission Decide(const ArrivedFrame& arrived, Tick) override
    {
        rooms.push_back(arrived.hasRoom);
        return arrived.frame.priority == 3 ? answer : Admission::QUEUE;
    }

    bool NeedsFree() const override
    {
        return needsFree;
    }

    static inline Admission answer{Admission::QUEUE};
    static inline bool needsFree{true};
    static inline std::vector<bool> rooms;
};

NS_OBJECT_ENSURE_REGISTERED(FixedAdmission);

/// Takes the first port, and records what switches report.
class RecordingBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RecordingBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<RecordingBalancer>();
        return tid;
    }

    void Start(const SwitchView& view) override
    {
        views.push_back(view);
    }

    void OnRoutes(const SwitchView& view) override
    {
        reachable.push_back(view.routes->tables[view.number].Find(1 - view.number).count);
    }

    uint32_t Choose(Frame&, const PortChoice&, Tick) override
    {
        return 0;
    }

    bool NeedsOnForward() const override
    {
        return needsOnForward;
    }

    void OnForward(Frame& frame, const FabricPort& egress, Tick) override
    {
        forwarded.emplace_back(uint32_t{frame.psn}, egress.GetNumber());
    }

    static inline bool needsOnForward{true};
    static inline std::vector<SwitchView> views;
    static inline std::vector<uint32_t> reachable; ///< Ports to the other of two switches.
    static inline std::vector<std::pair<uint32_t, uint32_t>> forwarded; ///< PSN and port.
};

NS_OBJECT_ENSURE_REGISTERED(RecordingBalancer);

class SwitchPolicies : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        FixedAdmission::rooms.clear();
        RecordingBalancer::needsOnForward = true;
        RecordingBalancer::views.clear();
        RecordingBalancer::reachable.clear();
        RecordingBalancer::forwarded.clear();
    }

    /// Four senders and a sink, 4, at 100 Gb/s on one switch.
    void BuildStar(const FabricConfig& config = {})
    {
        Build(MakeStar(5, DataRate("100Gbps"), MicroSeconds(1)), config);
    }

    void BuildStarWith(Admission answer)
    {
        FixedAdmission::answer = answer;
        SetDefault("AdmissionPolicy", "ns3::rdma::FixedAdmission");
        BuildStar();
    }

    /// @return a frame of 58 bytes of headers, a payload of 801 and three of padding.
    static Frame MakeData(uint32_t src, uint32_t psn = 0)
    {
        Frame frame = MakeFrame(src, 4, psn, 3, 58 + 804);
        frame.payloadBytes = 801;
        return frame;
    }

    /// One frame from each sender at the same time. @return the PSNs of those that got CE
    std::vector<uint32_t> FindMarked()
    {
        FabricConfig config;
        config.ecn[100'000'000'000] = {999, 999, 1};
        BuildStar(config);
        for (uint32_t sender = 0; sender < 4; ++sender)
        {
            Server(sender).Send(MakeFrame(sender, 4, sender)); // 1000 bytes.
        }
        Simulator::Run();
        EXPECT_EQ(Server(4).GetPsns(), (std::vector<uint32_t>{0, 1, 2, 3}));
        std::vector<uint32_t> marked;
        for (const Arrival& arrival : Server(4).arrivals)
        {
            if (arrival.frame.flags & frame_flag::CE)
            {
                marked.push_back(arrival.frame.psn);
            }
        }
        EXPECT_EQ(Core().ecnMarks, marked.size());
        return marked;
    }

    static void SetMarking(const std::string& attribute, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::RedMarking::" + attribute, StringValue(value));
    }
};
} // namespace

TEST_F(SwitchPolicies, ATrimmedFrameKeepsItsHeadersInAClassOfItsOwn)
{
    BuildStarWith(Admission::TRIM);
    uint32_t traced = 0;
    m_fabric->GetLinkPort(4, 1).GetTraces().trim.ConnectWithoutContext(
        Callback<void, const Frame&>([&traced](const Frame& frame) { traced += frame.psn; }));
    Server(0).Send(MakeData(0, 7));
    Simulator::Run();
    ASSERT_EQ(Server(4).arrivals.size(), 1);
    const Frame& frame = Server(4).arrivals[0].frame;
    EXPECT_EQ(frame.wireBytes, 58);
    EXPECT_EQ(frame.payloadBytes, 0);
    EXPECT_EQ(frame.psn, 7);
    EXPECT_EQ(frame.priority, 5);
    EXPECT_EQ(frame.flags, frame_flag::ECN_CAPABLE | frame_flag::TRIMMED | frame_flag::LAST_HOP);
    // (862 + 24) and (60 + 24) bytes of 80 ps each, and both delays.
    EXPECT_EQ(Server(4).arrivals[0].time, 70'880 + 6'720 + 2'000'000);
    EXPECT_EQ(Core().trims, 1);
    EXPECT_EQ(traced, 7);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(SwitchPolicies, ATrimmedFrameLosesItsCargoAndKeepsItsIntStack)
{
    struct NoBytes : FrameCargo
    {
        std::unique_ptr<FrameCargo> Clone() const override
        {
            return std::make_unique<NoBytes>();
        }
    };

    FramePool pool;
    const FrameIndex index = pool.Allocate();
    pool[index] = MakeData(0);
    pool.RemoveCargo(pool[index]); // It has none.
    pool.AddIntStack(index, 5);
    pool.SetCargo(index, std::make_unique<NoBytes>());
    pool.RemoveCargo(pool[index]);
    EXPECT_EQ(pool.FindDetail(pool[index])->cargo, nullptr);
    EXPECT_NE(pool.FindDetail(pool[index])->path, nullptr);
    pool.Free(index);
}

TEST_F(SwitchPolicies, AFrameWithoutPayloadIsDroppedInsteadOfTrimmed)
{
    BuildStarWith(Admission::TRIM);
    Server(0).Send(MakeFrame(0, 4));
    Simulator::Run();
    EXPECT_TRUE(Server(4).arrivals.empty());
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1);
    EXPECT_EQ(Core().trims, 0);
}

TEST_F(SwitchPolicies, TheAnswerDropsOrQueuesEachFrame)
{
    BuildStarWith(Admission::DROP);
    Server(0).Send(MakeFrame(0, 4, 0, 3));
    Server(1).Send(MakeFrame(1, 4, 1, 2)); // Of another priority: queued.
    Simulator::Run();
    EXPECT_EQ(Server(4).GetPsns(), (std::vector<uint32_t>{1}));
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1);
}

TEST_F(SwitchPolicies, WhatTheBufferHasNoRoomForIsDroppedWhateverTheAnswer)
{
    FixedAdmission::answer = Admission::QUEUE;
    SetDefault("AdmissionPolicy", "ns3::rdma::FixedAdmission");
    SetDefault("BufferSize", "65536");
    SetDefault("QueueReserve", "0");
    FabricConfig config;
    config.headroom[100'000'000'000] = 0;
    config.alpha[100'000'000'000] = 1;
    BuildStar(config);
    for (uint32_t sender = 0; sender < 4; ++sender)
    {
        Server(sender).Blast(MakeFrame(sender, 4), 100);
    }
    Simulator::Run();
    const auto refused = static_cast<uint64_t>(
        std::count(FixedAdmission::rooms.begin(), FixedAdmission::rooms.end(), false));
    EXPECT_EQ(FixedAdmission::rooms.size(), 400);
    EXPECT_GT(refused, 0);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), refused);
    EXPECT_EQ(Server(4).arrivals.size(), 400 - refused);
}

TEST_F(SwitchPolicies, AFrameThatFindsItsPortFreeLeavesWithoutACallIfThePolicyNeedsNone)
{
    FixedAdmission::answer = Admission::DROP;
    FixedAdmission::needsFree = false;
    SetDefault("AdmissionPolicy", "ns3::rdma::FixedAdmission");
    BuildStar();
    // The first frame finds the port free; the second, of another server, comes at the same time.
    Server(0).Blast(MakeFrame(0, 4), 1);
    Server(1).Blast(MakeFrame(1, 4), 1);
    Simulator::Run();
    FixedAdmission::needsFree = true;
    EXPECT_EQ(FixedAdmission::rooms.size(), 1U);
    EXPECT_EQ(Server(4).arrivals.size(), 1U);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 1U);
}

TEST_F(SwitchPolicies, MarkingAtDequeueLooksAtTheQueueLeftBehind)
{
    // The first frame need not wait. The second leaves 2000 bytes behind, the third 1000.
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{1, 2}));
}

TEST_F(SwitchPolicies, MarkingAtEnqueueLooksAtTheQueueThatIsThere)
{
    SetMarking("AtEnqueue", "true");
    // The third frame finds 1000 bytes that wait, the fourth 2000.
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{2, 3}));
}

TEST_F(SwitchPolicies, ThresholdsAreScaledByWhatAPortLeadsTo)
{
    SetMarking("AtEnqueue", "true");
    SetMarking("ServerScale", "1.5"); // 1498 bytes.
    SetMarking("SwitchScale", "0");   // No such port.
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{3}));
}

TEST_F(SwitchPolicies, AScaleAlsoHoldsAtDequeueWithoutACall)
{
    SetMarking("ServerScale", "1.5");
    EXPECT_EQ(FindMarked(), (std::vector<uint32_t>{1}));
}

TEST_F(SwitchPolicies, ALoadBalancerSeesItsSwitchAndItsPorts)
{
    SetDefault("LoadBalancer", "ns3::rdma::RecordingBalancer");
    Build(MakeDumbbell(
        {1, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)})); // 0 - 2 - 3 - 1.
    ASSERT_EQ(RecordingBalancer::views.size(), 2);
    for (uint32_t number = 0; number < 2; ++number)
    {
        const SwitchView& view = RecordingBalancer::views[number];
        EXPECT_EQ(view.number, number);
        EXPECT_TRUE(view.HasServers());
        ASSERT_EQ(view.ports.size(), 2);
        uint32_t servers = 0;
        for (uint32_t port = 0; port < 2; ++port)
        {
            EXPECT_EQ(view.ports[port].port->GetNumber(), port);
            servers += view.ports[port].leadsToServer;
        }
        EXPECT_EQ(servers, 1);
        EXPECT_EQ(view.routes->tables[number].Find(1 - number).count, 1);
    }
    EXPECT_NE(RecordingBalancer::views[0].seed, RecordingBalancer::views[1].seed);
}

TEST_F(SwitchPolicies, ALoadBalancerThatNeedsItSeesEveryFrame)
{
    SetDefault("LoadBalancer", "ns3::rdma::RecordingBalancer");
    BuildStar();
    Server(0).Send(MakeFrame(0, 4, 10)); // There is no choice.
    Simulator::Run();
    EXPECT_EQ(RecordingBalancer::forwarded, (std::vector<std::pair<uint32_t, uint32_t>>{{10, 4}}));
}

TEST_F(SwitchPolicies, ALoadBalancerThatDoesNotNeedItIsNotCalled)
{
    RecordingBalancer::needsOnForward = false;
    SetDefault("LoadBalancer", "ns3::rdma::RecordingBalancer");
    BuildStar();
    Server(0).Send(MakeFrame(0, 4));
    Simulator::Run();
    EXPECT_EQ(Server(4).arrivals.size(), 1);
    EXPECT_TRUE(RecordingBalancer::forwarded.empty());
}

TEST_F(SwitchPolicies, ALoadBalancerSeesRoutesThatChange)
{
    SetDefault("LoadBalancer", "ns3::rdma::RecordingBalancer");
    Build(MakeDumbbell({1, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)}));
    const std::size_t middle = m_fabric->GetGraph().links.size() - 1;
    ASSERT_TRUE(m_fabric->GetGraph().IsSwitch(m_fabric->GetGraph().links[middle].a));
    m_fabric->SetLinkUp(middle, false);
    EXPECT_EQ(RecordingBalancer::reachable, (std::vector<uint32_t>{0, 0}));
    m_fabric->SetLinkUp(middle, true);
    EXPECT_EQ(RecordingBalancer::reachable, (std::vector<uint32_t>{0, 0, 1, 1}));
}
