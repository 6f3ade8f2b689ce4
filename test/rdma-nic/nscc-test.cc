// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nscc.h"

#include "uet-traces.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/median-filter.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Configuration of the traces.
constexpr uint32_t PACKET{4160};
constexpr int64_t BASE_RTT_PS{14'027'520};

PathInfo
GetPath()
{
    PathInfo path{DataRate("100Gbps"), PicoSeconds(BASE_RTT_PS), 4096};
    path.packetBytes = PACKET;
    return path;
}

/// 1.5 x 100 Gb/s x 14.02752 us = 1.5 x 175,344 bytes.
constexpr uint64_t LARGEST{263'016};
/// 0.75 x 14.02752 us.
constexpr int64_t TARGET_PS{10'520'640};

class NsccTest : public testing::Test
{
  protected:
    void Start()
    {
        m_nscc->Start(GetPath(), Time(0));
    }

    void Set(const std::string& attribute, const AttributeValue& value)
    {
        m_nscc->SetAttribute(attribute, value);
    }

    void Ack(Time now, Time delay, bool isMarked, uint64_t bytes, uint64_t inFlight = 0)
    {
        AckEvent ack{now, PicoSeconds(BASE_RTT_PS) + delay, 0, inFlight, isMarked};
        ack.receivedBytes = bytes;
        m_nscc->OnAck(ack);
    }

    void Trim(Time now, bool isLastHop = false, uint64_t inFlight = 100'000)
    {
        m_nscc->OnTrim({now, PACKET, inFlight, isLastHop});
    }

    uint64_t GetWindow() const
    {
        return m_nscc->GetLimit().windowBytes;
    }

    Ptr<Nscc> m_nscc = CreateObject<Nscc>();
};

class NsccTrace : public testing::TestWithParam<UetTrace>
{
};

/// @return the algorithm's state, by the names of the columns.
std::string
Describe(const Nscc::State& state)
{
    std::ostringstream text;
    text << "avg_delay_ps " << state.averageDelay.GetPicoSeconds() << " inc_bytes "
         << state.increase << " received_bytes " << state.receivedBytes << " achieved_bytes "
         << state.achievedBytes << " base_rtt_ps " << state.baseRtt.GetPicoSeconds() << " maxwnd "
         << state.largestWindowBytes << " cwnd_after " << state.windowBytes;
    return text.str();
}
} // namespace

/// Columns: kind, time, delay, whether it is valid, ECN, bytes, in flight, last hop, window before
/// and after, averaged delay, increase, received, achieved, base RTT, largest window.  The trace
/// has no round trip of a trimmed packet: where one lowers the base RTT (four rows), it is that
/// column.
TEST_P(NsccTrace, EachUpdateIsThatOfUetHtsimToTheByte)
{
    const auto nscc = CreateObject<Nscc>();
    nscc->Start(GetPath(), Time(0));
    std::size_t line = 0;
    for (const auto& words : ReadUetTrace(GetParam().name, ','))
    {
        if (line++ == 0)
        {
            continue;
        }
        const Time now = PicoSeconds(std::stoll(words[1]));
        const uint64_t bytes = std::stoull(words[5]);
        const uint64_t inFlight = std::stoull(words[6]);
        ASSERT_EQ(nscc->GetState().windowBytes, std::stoull(words[8])) << "line " << line;
        if (words[0] == "ACK")
        {
            const Time rtt = PicoSeconds(std::stoll(words[2]) + std::stoll(words[14]));
            AckEvent ack{now, rtt, 0, inFlight, words[4] == "1"};
            ack.receivedBytes = bytes;
            ack.hasRtt = words[3] == "1";
            nscc->OnAck(ack);
        }
        else if (words[0] == "NACK")
        {
            const Time rtt = PicoSeconds(std::stoll(words[14]));
            nscc->OnTrim({now, static_cast<uint32_t>(bytes), inFlight, words[7] == "1", rtt});
        }
        else
        {
            nscc->OnTimeout({now, bytes, inFlight, 1});
        }
        ASSERT_EQ(Describe(nscc->GetState()),
                  "avg_delay_ps " + words[10] + " inc_bytes " + words[11] + " received_bytes " +
                      words[12] + " achieved_bytes " + words[13] + " base_rtt_ps " + words[14] +
                      " maxwnd " + words[15] + " cwnd_after " + words[9])
            << "line " << line;
    }
    EXPECT_EQ(line, GetParam().compared + 1);
}

INSTANTIATE_TEST_SUITE_P(UetTraces,
                         NsccTrace,
                         testing::Values(UetTrace{"nscc-eight_to_one.csv", 961},
                                         UetTrace{"nscc-incast32.csv", 324},
                                         UetTrace{"nscc-perm_ecmp.csv", 501},
                                         UetTrace{"nscc-perm_mixed.csv", 143},
                                         UetTrace{"nscc-slow4.csv", 160},
                                         UetTrace{"nscc-two_to_one.csv", 1023}),
                         [](const auto& one) { return GetUetTraceName(one.param.name); });

TEST_F(NsccTest, StartsAtOneAndAHalfBandwidthDelayProducts)
{
    Start();
    EXPECT_EQ(GetWindow(), LARGEST);
    EXPECT_EQ(m_nscc->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(m_nscc->GetNeededFeedback(), Feedback::ECN_ECHO);
}

TEST_F(NsccTest, ForksShareAttributesAndNoState)
{
    Set("LargestWindow", DoubleValue(1));
    const auto fork = m_nscc->Fork();
    fork->Start(GetPath(), Time(0));
    EXPECT_EQ(fork->GetLimit().windowBytes, 175'344U);
}

TEST_F(NsccTest, ATrimmedPacketTakesItsSize)
{
    Start();
    Trim(MicroSeconds(20));
    EXPECT_EQ(GetWindow(), LARGEST - PACKET);
    Trim(MicroSeconds(21), true);
    EXPECT_EQ(GetWindow(), LARGEST - 2 * PACKET);
}

/// 1.5 x 100 Gb/s x 10 us = 187,500 bytes.
TEST_F(NsccTest, ATrimmedPacketMayLowerTheBaseRtt)
{
    Start();
    m_nscc->OnTrim({MicroSeconds(20), PACKET, 100'000, false, MicroSeconds(10)});
    EXPECT_EQ(m_nscc->GetState().baseRtt, MicroSeconds(10));
    EXPECT_EQ(m_nscc->GetState().largestWindowBytes, 187'500U);
}

TEST_F(NsccTest, WithReceiverCreditsTheLastHopTakesNothing)
{
    Set("IgnoresLastHop", BooleanValue(true));
    Start();
    Trim(MicroSeconds(20), true);
    EXPECT_EQ(GetWindow(), LARGEST);
    Trim(MicroSeconds(21), false);
    EXPECT_EQ(GetWindow(), LARGEST - PACKET);
}

TEST_F(NsccTest, ATimeoutTakesTheLostBytesDownToOnePacket)
{
    Start();
    m_nscc->OnTimeout({MicroSeconds(100), PACKET, 100'000, 1});
    EXPECT_EQ(GetWindow(), LARGEST - PACKET);
    m_nscc->OnTimeout({MicroSeconds(200), 1'000'000, 100'000, 2});
    EXPECT_EQ(GetWindow(), PACKET);
}

/// The first trim at 20 us opens the interval, which ends base RTT + target = 24.5 us later.  In it
/// 8320 bytes arrive, less than 263,016 / 8.
TEST_F(NsccTest, QuickAdaptSetsTheWindowToTheBytesThatArrived)
{
    Set("SteadyIncrease", DoubleValue(0));
    Start();
    Trim(MicroSeconds(20));
    Ack(MicroSeconds(30), Time(0), true, 8320);
    EXPECT_EQ(GetWindow(), LARGEST - PACKET);
    Trim(MicroSeconds(45), false, 50'000);
    EXPECT_EQ(GetWindow(), 8320U);
    // Until 50,000 bytes are reported, marked reports and trims change nothing.
    Trim(MicroSeconds(46), false, 50'000);
    EXPECT_EQ(GetWindow(), 8320U);
}

/// Without it a delay of 5 targets would set the window to the 4160 bytes that arrived.
TEST_F(NsccTest, TheThresholdOfQuickAdaptCanBeSwitchedOff)
{
    const Time late = PicoSeconds(5 * TARGET_PS);
    for (const double threshold : {4.0, 0.0})
    {
        Set("QuickAdaptThreshold", DoubleValue(threshold));
        const auto nscc = m_nscc->Fork();
        nscc->Start(GetPath(), Time(0));
        for (const int us : {20, 50})
        {
            AckEvent ack{MicroSeconds(us), PicoSeconds(BASE_RTT_PS) + late, 0, 0, false};
            ack.receivedBytes = us == 20 ? 100 : PACKET;
            nscc->OnAck(ack);
        }
        // The increase that is left to add would exceed the largest window.
        EXPECT_EQ(nscc->GetLimit().windowBytes, threshold > 0 ? PACKET : LARGEST);
    }
}

/// The average has to exceed the target first: with weight 1 it is the delay, two targets.  The
/// factor is 1 - 0.8 x 1/2 = 0.6; 263,016 x 0.6 = 157,809.6.
TEST_F(NsccTest, ADelayAboveTheTargetCutsOncePerRoundTrip)
{
    Set("AverageWeight", DoubleValue(1));
    Set("SteadyIncrease", DoubleValue(0));
    Start();
    const Time delay = PicoSeconds(2 * TARGET_PS);
    Ack(MicroSeconds(20), delay, true, PACKET);
    EXPECT_EQ(GetWindow(), 157'809U);
    Ack(MicroSeconds(34), delay, true, PACKET); // 14 us later.
    EXPECT_EQ(GetWindow(), 157'809U);
    Ack(PicoSeconds(20'000'001 + BASE_RTT_PS), delay, true, PACKET);
    EXPECT_EQ(GetWindow(), 94'685U); // x 0.6 = 94,685.4.
}

TEST_F(NsccTest, TheTargetWithoutTrimmingIsTheBaseRtt)
{
    Set("AverageWeight", DoubleValue(1));
    Set("SteadyIncrease", DoubleValue(0));
    Set("IsTrimming", BooleanValue(false));
    Start();
    Ack(MicroSeconds(20), PicoSeconds(BASE_RTT_PS), true, PACKET); // Not above the target.
    EXPECT_EQ(GetWindow(), LARGEST);
    // The first cut: 1 - 0.8 x 1/2 of two base RTTs.
    Ack(MicroSeconds(40), PicoSeconds(2 * BASE_RTT_PS), true, PACKET);
    EXPECT_EQ(GetWindow(), 157'809U);
}

TEST_F(NsccTest, AReportWithoutRoundTripChangesTheWindowOnlyAsInTheCode)
{
    for (const bool needsRtt : {false, true})
    {
        Set("NeedsRtt", BooleanValue(needsRtt));
        const auto fork = DynamicCast<Nscc>(m_nscc->Fork());
        fork->Start(GetPath(), Time(0));
        fork->OnTrim({MicroSeconds(10), 100'000, 200'000, false});
        const uint64_t before = fork->GetLimit().windowBytes;
        AckEvent ack{MicroSeconds(20), Time(0), 0, 0, false};
        ack.receivedBytes = 40'000;
        ack.hasRtt = false;
        fork->OnAck(ack);
        EXPECT_EQ(fork->GetLimit().windowBytes > before, !needsRtt);
        EXPECT_EQ(fork->GetState().achievedBytes, 40'000U);
    }
}

/// A shorter round trip is the new base; 1.5 x 100 Gb/s x 10 us = 187,500 bytes.
TEST_F(NsccTest, AShorterRoundTripLowersTheLargestWindow)
{
    Start();
    Ack(MicroSeconds(20), PicoSeconds(10'000'000 - BASE_RTT_PS), false, PACKET);
    EXPECT_EQ(m_nscc->GetState().baseRtt, MicroSeconds(10));
    EXPECT_EQ(GetWindow(), 187'500U);
}

/// Half a base RTT after the last sample the weight is 1/2.  The first sample, a base RTT and more
/// after time 0, has weight 1.
TEST_F(NsccTest, TheAverageMayWeightByTime)
{
    Set("AveragesByTime", BooleanValue(true));
    Start();
    Ack(PicoSeconds(2 * BASE_RTT_PS), MicroSeconds(4), false, PACKET);
    EXPECT_EQ(m_nscc->GetState().averageDelay, MicroSeconds(4));
    Ack(PicoSeconds(2 * BASE_RTT_PS + BASE_RTT_PS / 2), MicroSeconds(8), false, PACKET);
    EXPECT_EQ(m_nscc->GetState().averageDelay, MicroSeconds(6));
}

/// One delay of three targets among small ones does not reach the average, whose weight is 1.
TEST_F(NsccTest, TheMedianHidesASingleDelay)
{
    for (const auto& [medianOf, averageUs] : {std::pair{1U, 9}, std::pair{3U, 3}})
    {
        Set("MedianOf", UintegerValue(medianOf));
        Set("AverageWeight", DoubleValue(1));
        const auto fork = DynamicCast<Nscc>(m_nscc->Fork());
        fork->Start(GetPath(), Time(0));
        for (const int us : {2, 3, 9})
        {
            AckEvent ack{MicroSeconds(20 + us),
                         PicoSeconds(BASE_RTT_PS) + MicroSeconds(us),
                         0,
                         0,
                         true};
            ack.receivedBytes = PACKET;
            fork->OnAck(ack);
        }
        EXPECT_EQ(fork->GetState().averageDelay, MicroSeconds(averageUs));
    }
}

TEST_F(NsccTest, AnIncreaseWithoutBoundEndsAtTheLargestWindow)
{
    Set("ProportionalIncrease", DoubleValue(1e300));
    Start();
    Trim(MicroSeconds(1));
    EXPECT_EQ(GetWindow(), LARGEST - PACKET);
    Ack(MicroSeconds(20), MicroSeconds(2), false, PACKET);
    EXPECT_EQ(GetWindow(), LARGEST);
}

TEST_F(NsccTest, TheTimeInHostsIsNoDelay)
{
    Start();
    AckEvent ack{MicroSeconds(20), PicoSeconds(BASE_RTT_PS) + MicroSeconds(4), 0, 0, true};
    ack.receivedBytes = PACKET;
    ack.hostTime = MicroSeconds(4);
    m_nscc->OnAck(ack);
    EXPECT_EQ(m_nscc->GetState().averageDelay, Time(0));
}

TEST(MedianFilter, GivesTheMedianOfTheLastValues)
{
    MedianFilter filter;
    filter.Start(3);
    std::vector<int64_t> medians;
    for (const int64_t us : {5, 1, 9, 2, 2})
    {
        medians.push_back(filter.Add(MicroSeconds(us)).GetMicroSeconds());
    }
    // {5}; {5 1}: the larger; {5 1 9}; {1 9 2}; {9 2 2}.
    EXPECT_EQ(medians, (std::vector<int64_t>{5, 5, 5, 2, 2}));
    filter.Start(1);
    EXPECT_EQ(filter.Add(MicroSeconds(7)), MicroSeconds(7));
    EXPECT_EQ(filter.Add(MicroSeconds(1)), MicroSeconds(1));
}
