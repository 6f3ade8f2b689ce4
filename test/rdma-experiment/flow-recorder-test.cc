// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"
#include "why-fixture.h"

#include "ns3/fabric-port.h"
#include "ns3/no-congestion-control.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::rdma;

// Two servers, 100 Gb/s, 1 us. Times on the wire, plain RoCE v2 headers and Ethernet's overhead:
//   first or only packet of 1024 bytes    1122 B    89.76 ns
//   further packet of 1024 bytes          1106 B    88.48 ns
//   acknowledgment, NAK                     86 B     6.88 ns
//   PFC frame                               84 B     6.72 ns
// An acknowledgment is back 1000 + 6.88 + 1000 = 2006.88 ns after its packet's last bit left.

namespace
{

/// One packet in flight at a time, or half of the line rate.
class FixedLimit : public NoCongestionControl
{
  public:
    explicit FixedLimit(SendLimit limit)
        : m_limit(limit)
    {
    }

    SendLimit GetLimit() const override
    {
        return m_limit;
    }

  private:
    SendLimit m_limit;
};

class OnePacketWindow : public FixedLimit
{
  public:
    OnePacketWindow()
        : FixedLimit({DataRate("100Gbps"), 1024, Time::Max()})
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OnePacketWindow")
                                .SetParent<CongestionControl>()
                                .AddConstructor<OnePacketWindow>();
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CreateObject<OnePacketWindow>();
    }
};

class HalfRate : public FixedLimit
{
  public:
    HalfRate()
        : FixedLimit({DataRate("50Gbps"), UINT64_MAX, Time::Max()})
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::HalfRate").SetParent<CongestionControl>().AddConstructor<HalfRate>();
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CreateObject<HalfRate>();
    }
};

NS_OBJECT_ENSURE_REGISTERED(OnePacketWindow);
NS_OBJECT_ENSURE_REGISTERED(HalfRate);

constexpr Tick BACK{2'006'880}; ///< See above.

class FlowRecorderTest : public FolderTest
{
  protected:
    /// @param nic and @param flows as JSON @param fabric as JSON, behind the topology
    static std::string MakeText(const std::string& nic,
                                const std::string& flows,
                                const std::string& topology = R"("back-to-back")",
                                const std::string& more = "")
    {
        return R"({"name": "two", "fabric": {"topology": )" + topology +
               R"(, "hostRate": "100Gbps", "linkDelay": "1us")" + more + R"(}, "nics": [)" + nic +
               R"(], "workload": {"type": "flows", "flows": [)" + flows + "]}}";
    }

    ExplainedRun Explain(const std::string& text,
                         const std::function<void(Fabric&)>& prepare = nullptr) const
    {
        const Scenario scenario = Read(text);
        return ExplainFlows(scenario, scenario.nics[0], std::nullopt, prepare);
    }

    /// Each of these causes has this time, all others have none, and all make up the FCT.
    static void ExpectParts(const ExplainedFlow& flow, const std::map<FlowCause, Tick>& parts)
    {
        for (std::size_t i = 0; i < FLOW_CAUSES; ++i)
        {
            const auto cause = static_cast<FlowCause>(i);
            const auto part = parts.find(cause);
            EXPECT_EQ(flow.account.Sum(cause), part == parts.end() ? 0 : part->second)
                << GetInfo(cause).key;
        }
        EXPECT_EQ(flow.account.Sum(), flow.record.fctPs);
    }

    /// @return the time of a cause within waits for the window.
    static Tick SumWithinWindow(const FlowAccount& account, FlowCause within)
    {
        Tick sum = 0;
        for (const FlowInterval& interval : account.GetIntervals())
        {
            const bool isMeant =
                interval.place.cause == FlowCause::WINDOW && interval.place.within == within;
            sum += isMeant ? interval.until - interval.from : 0;
        }
        return sum;
    }
};

constexpr const char* ONE_PACKET{R"({"src": 0, "dst": 1, "bytes": 1024, "start": "2us"})"};
constexpr const char* THREE_PACKETS{R"({"src": 0, "dst": 1, "bytes": 3072})"};

} // namespace

TEST_F(FlowRecorderTest, ALonePacketIsSerializedAndPropagated)
{
    const auto run = Explain(MakeText(R"("connectx6")", ONE_PACKET));
    ExpectParts(run.explained.at(0),
                {{FlowCause::SERIALIZATION, 89'760 + 6'880}, {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, AClosedWindowWaitsForTheWayOfTheAcknowledgment)
{
    const auto run = Explain(MakeText(
        R"({"preset": "connectx6", "name": "n", "congestionControl": "ns3::rdma::OnePacketWindow"})",
        THREE_PACKETS));
    // Each of the first two packets is on the wire, then its acknowledgment is awaited; the third
    // one's way is the end of the flow.
    const ExplainedFlow& flow = run.explained.at(0);
    ExpectParts(flow,
                {{FlowCause::WINDOW, 2 * BACK},
                 {FlowCause::SERIALIZATION, 89'760 + 2 * 88'480 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
    EXPECT_EQ(SumWithinWindow(flow.account, FlowCause::PROPAGATION), 4'000'000);
    EXPECT_EQ(SumWithinWindow(flow.account, FlowCause::SERIALIZATION), 2 * 6'880);
}

TEST_F(FlowRecorderTest, PacingIsTheTimeInWhichNothingOfTheFlowIsOnTheWire)
{
    const auto run = Explain(MakeText(
        R"({"preset": "connectx6", "name": "n", "congestionControl": "ns3::rdma::HalfRate"})",
        THREE_PACKETS));
    // At half of the line rate the gap behind a packet is as long as the packet.
    ExpectParts(run.explained.at(0),
                {{FlowCause::RATE, 89'760 + 88'480},
                 {FlowCause::SERIALIZATION, 89'760 + 2 * 88'480 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, TheSchedulerServesOtherQueuePairs)
{
    // The first flow's packet has the port from 0 on, its second one's turn comes before the second
    // flow's first: that one waits for both.
    const auto run = Explain(
        MakeText(R"("connectx6")",
                 R"({"src": 0, "dst": 1, "bytes": 2048}, {"src": 0, "dst": 1, "bytes": 1024})"));
    ExpectParts(run.explained.at(1),
                {{FlowCause::SCHEDULER, 89'760 + 88'480},
                 {FlowCause::SERIALIZATION, 89'760 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
    EXPECT_EQ(run.explained.at(0).account.Sum(FlowCause::SCHEDULER), 0);
}

TEST_F(FlowRecorderTest, APauseOfTheSendersPortIsPfc)
{
    // The pause is there at 6.72 + 1000 ns and lasts 1000 x 512 bit times, 5120 ns, that is until
    // 6126.72 ns; the flow starts at 2000 ns.
    const auto run = Explain(MakeText(R"("connectx6")", ONE_PACKET), [](Fabric& fabric) {
        Simulator::Schedule(Seconds(0), [&fabric] { fabric.GetLinkPort(0, 1).SendPause(3, 1000); });
    });
    ExpectParts(run.explained.at(0),
                {{FlowCause::SENDER_PFC, 6'126'720 - 2'000'000},
                 {FlowCause::SERIALIZATION, 89'760 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, APauseOfASwitchPortIsPfcThere)
{
    // As before, but of the switch's port to server 1: the packet is there at 2000 + 89.76 + 1000.
    const auto run = Explain(MakeText(R"("connectx6")", ONE_PACKET, R"("star", "servers": 2)"),
                             [](Fabric& fabric) {
                                 Simulator::Schedule(Seconds(0), [&fabric] {
                                     fabric.GetServerDevice(1).GetPort().SendPause(3, 1000);
                                 });
                             });
    const ExplainedFlow& flow = run.explained.at(0);
    ExpectParts(flow,
                {{FlowCause::PFC, 6'126'720 - 3'089'760},
                 {FlowCause::SERIALIZATION, 2 * (89'760 + 6'880)},
                 {FlowCause::PROPAGATION, 4'000'000}});
    for (const FlowInterval& interval : flow.account.GetIntervals())
    {
        if (interval.place.cause == FlowCause::PFC)
        {
            EXPECT_EQ(run.ports[interval.place.port], "switch 2 port 1 to server 1");
        }
    }
}

TEST_F(FlowRecorderTest, TwoSendersQueueAtThePortOfTheirReceiver)
{
    // Both packets are at the switch at 1089.76 ns; one of them waits for the other.
    const auto run = Explain(
        MakeText(R"("connectx6")",
                 R"({"src": 0, "dst": 2, "bytes": 1024}, {"src": 1, "dst": 2, "bytes": 1024})",
                 R"("star", "servers": 3)"));
    Tick queued = 0;
    for (const auto& [number, flow] : run.explained)
    {
        queued += flow.account.Sum(FlowCause::QUEUEING);
        EXPECT_EQ(flow.account.Sum(FlowCause::SERIALIZATION), 2 * (89'760 + 6'880));
        EXPECT_EQ(flow.account.Sum(), flow.record.fctPs);
    }
    EXPECT_EQ(queued, 89'760);
}

TEST_F(FlowRecorderTest, ALostLastPacketWaitsForTheTimeout)
{
    // The timer starts with the packet, and expires 100 us later.
    const auto run = Explain(MakeText(
        R"({"preset": "connectx6", "name": "n", "attributes": {"ns3::rdma::FixedTimeout::Timeout": "100us"}})",
        ONE_PACKET,
        R"("back-to-back")",
        R"(, "losses": [{"link": [0, 1], "direction": "forward", "model": "ns3::rdma::ScriptedLoss",
            "attributes": {"ns3::rdma::ScriptedLoss::Frames": "0"}}])"));
    ExpectParts(run.explained.at(0),
                {{FlowCause::TIMEOUT, 100'000'000 - 89'760},
                 {FlowCause::RESENT, 89'760},
                 {FlowCause::SERIALIZATION, 89'760 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, GoingBackWaitsForTheNakAndSendsAllAgain)
{
    // The first of three is lost. The second one's last bit leaves at 178.24 ns; its NAK is there
    // at 178.24 + 2006.88 = 2185.12. The third one has left at 266.72: from there on nothing may be
    // sent.
    const auto run = Explain(MakeText(
        R"("connectx6")",
        THREE_PACKETS,
        R"("back-to-back")",
        R"(, "losses": [{"link": [0, 1], "direction": "forward", "model": "ns3::rdma::ScriptedLoss",
            "attributes": {"ns3::rdma::ScriptedLoss::Frames": "0"}}])"));
    ExpectParts(run.explained.at(0),
                {{FlowCause::NAK, 2'185'120 - 266'720},
                 {FlowCause::RESENT, 89'760 + 2 * 88'480},
                 {FlowCause::SERIALIZATION, 89'760 + 2 * 88'480 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, MessagesOfOneQueuePairWaitForEachOther)
{
    // WRITEs with immediate data are 4 bytes longer: 1126 B, 90.08 ns.
    const auto run = Explain(R"({"name": "graph",
        "fabric": {"topology": "back-to-back", "hostRate": "100Gbps", "linkDelay": "1us"},
        "nics": ["connectx6"], "workload": {"type": "graph", "operations": [
            {"id": "a", "src": 0, "dst": 1, "bytes": 1024, "queuePair": "q"},
            {"id": "b", "src": 0, "dst": 1, "bytes": 1024, "queuePair": "q"}]}})");
    ExpectParts(run.explained.at(1),
                {{FlowCause::QUEUE_PAIR, 90'080},
                 {FlowCause::SERIALIZATION, 90'080 + 6'880},
                 {FlowCause::PROPAGATION, 2'000'000}});
}

TEST_F(FlowRecorderTest, StagesOfTheChipAreThoseOfItsUnits)
{
    // Blocks of CONNECTX_HARDWARE: 150 cycles of 1 ns each way, and for an acknowledgment.
    const auto run =
        Explain(MakeText(R"({"preset": "connectx6", "name": "n", "hardware": "on"})", ONE_PACKET));
    const ExplainedFlow& flow = run.explained.at(0);
    const auto sum = [&flow](FlowCause cause) { return flow.account.Sum(cause); };
    EXPECT_EQ(sum(FlowCause::TRANSMIT), 150'000);
    EXPECT_EQ(sum(FlowCause::RECEIVE), 2 * 150'000);
    EXPECT_EQ(sum(FlowCause::ANSWER), 150'000);
    EXPECT_EQ(sum(FlowCause::PROPAGATION), 2'000'000);
    EXPECT_EQ(sum(FlowCause::SERIALIZATION), 89'760 + 6'880);
    EXPECT_GT(sum(FlowCause::PAYLOAD), 600'000);  // PcieLink::ReadLatency, and the bytes.
    EXPECT_GT(sum(FlowCause::REQUESTS), 158'000); // WqeFetcher::Decision, at least.
    EXPECT_GT(sum(FlowCause::POST), 0);
    EXPECT_GT(sum(FlowCause::COMPLETION), 0);
    EXPECT_EQ(sum(FlowCause::SCHEDULER) + sum(FlowCause::CHIP) + sum(FlowCause::QUEUEING), 0);
    EXPECT_EQ(flow.account.Sum(), flow.record.fctPs);
}

TEST_F(FlowRecorderTest, OneFlowIsExplainedAsAmongAll)
{
    const Scenario scenario = Read(MakeText(
        R"("irn")",
        R"({"src": 0, "dst": 2, "bytes": "100kB"}, {"src": 1, "dst": 2, "bytes": "100kB"})",
        R"("star", "servers": 3, "lossRate": 0.01)"));
    const auto all = ExplainFlows(scenario, scenario.nics[0]);
    const auto one = ExplainFlows(scenario, scenario.nics[0], 1);
    EXPECT_EQ(one.explained.size(), 1U);
    EXPECT_EQ(all.flows, one.flows);
    const auto& expected = all.explained.at(1).account.GetIntervals();
    const auto& intervals = one.explained.at(1).account.GetIntervals();
    ASSERT_EQ(intervals.size(), expected.size());
    for (std::size_t i = 0; i < intervals.size(); ++i)
    {
        EXPECT_EQ(intervals[i].until, expected[i].until);
        EXPECT_TRUE(intervals[i].place == expected[i].place);
    }
}

TEST_F(FlowRecorderTest, DuplicatesAndDelaysAreExplained)
{
    const auto run = Explain(MakeText(
        R"("srnic")",
        R"({"src": 0, "dst": 1, "bytes": "300kB"}, {"src": 2, "dst": 1, "bytes": "300kB"})",
        R"("star", "servers": 3)",
        R"(, "losses": [{"model": "ns3::rdma::LinkImpairment", "attributes": {
            "ns3::rdma::LinkImpairment::LossRate": 0.002,
            "ns3::rdma::LinkImpairment::DuplicateRate": 0.1,
            "ns3::rdma::LinkImpairment::ReorderRate": 0.1}}])"));
    EXPECT_EQ(run.explained.size(), 2U);
    for (const auto& [number, flow] : run.explained)
    {
        EXPECT_EQ(flow.account.Sum(), flow.record.fctPs);
        // Four links; delays of the links' model come on top.
        EXPECT_GE(flow.account.Sum(FlowCause::PROPAGATION), 4'000'000);
    }
}

namespace
{

/// The 64 servers of the default comparison for 0.1 ms.
class ExplainedDesign : public FolderTest, public testing::WithParamInterface<std::string>
{
  protected:
    Scenario ReadRun() const
    {
        return Read(R"({"name": "explained",
            "fabric": {"topology": "fat-tree", "servers": 64, "hostRate": "100Gbps",
                       "fabricRate": "400Gbps", "linkDelay": "1us"},
            "nics": [)" +
                    GetParam() + R"(],
            "workload": {"type": "poisson", "sizes": ")" +
                    (GetCheckout() / "traces/cache-follower.cdf").string() +
                    R"(", "load": 0.7, "duration": "0.1ms"}})");
    }
};

} // namespace

TEST_P(ExplainedDesign, PartsOfEachFlowSumToItsCompletionTime)
{
    const Scenario scenario = ReadRun();
    const auto run = ExplainFlows(scenario, scenario.nics[0]);
    const RunOutcome plain = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(run.flows, plain.flows); // Recording changes nothing.
    EXPECT_GT(run.explained.size(), 50U);
    ASSERT_EQ(run.explained.size(), plain.completed);
    for (const auto& [number, flow] : run.explained)
    {
        const FlowRecord& record = flow.record;
        ASSERT_EQ(flow.account.Sum(), record.fctPs) << "flow " << number;
        Tick cursor = record.startPs;
        for (const FlowInterval& interval : flow.account.GetIntervals())
        {
            ASSERT_EQ(interval.from, cursor) << "flow " << number;
            cursor = interval.until;
        }
        // 16 servers are below each of the lowest switches; 1 us per link, there and back.
        const Tick links = record.src / 16 == record.dst / 16 ? 2 : 4;
        ASSERT_EQ(flow.account.Sum(FlowCause::PROPAGATION), 2 * links * 1'000'000)
            << "flow " << number;
        // Nothing is lost: each byte is on the sender's wire once, at 80 ps, before its last
        // packet's acknowledgment comes.
        ASSERT_GE(flow.account.Sum(FlowCause::SERIALIZATION), static_cast<Tick>(record.bytes) * 80)
            << "flow " << number;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Why,
    ExplainedDesign,
    testing::Values(R"("connectx6")",
                    R"("irn")",
                    R"("srnic")",
                    R"("balboa")",
                    R"({"preset": "connectx6", "name": "n", "hardware": "on"})",
                    R"({"preset": "irn", "name": "n", "hardware": "on"})",
                    R"({"preset": "srnic", "name": "n", "hardware": "on"})",
                    R"({"preset": "balboa", "name": "n", "hardware": "on"})"));
