// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dcqcn.h"

#include "ns3/alpha-rules.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/parameter-sets.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const PathInfo PATH{DataRate("100Gbps"), MicroSeconds(8), 1024};
constexpr double G{1.0 / 256};

/// The paper's rule with short timers, so that the arithmetic below stays small.
Ptr<Dcqcn>
MakeDcqcn()
{
    return CreateObjectWithAttributes<Dcqcn>("AlphaRule",
                                             TypeIdValue(PerCnpAlpha::GetTypeId()),
                                             "Gain",
                                             DoubleValue(G),
                                             "InitialAlpha",
                                             DoubleValue(1),
                                             "AlphaPeriod",
                                             TimeValue(MicroSeconds(1)),
                                             "DecreasePeriod",
                                             TimeValue(MicroSeconds(4)),
                                             "IncreasePeriod",
                                             TimeValue(MicroSeconds(300)),
                                             "ByteCounter",
                                             UintegerValue(10'000'000),
                                             "FastRecoverySteps",
                                             UintegerValue(1),
                                             "AdditiveIncrease",
                                             DataRateValue(DataRate("20Mbps")),
                                             "HyperIncrease",
                                             DataRateValue(DataRate("200Mbps")),
                                             "ClampTargetRate",
                                             BooleanValue(false),
                                             "MinimumRate",
                                             DataRateValue(DataRate("100Mbps")));
}

template <typename Value>
Ptr<Dcqcn>
MakeDcqcnWith(const std::string& attribute, const Value& value)
{
    auto dcqcn = MakeDcqcn();
    dcqcn->SetAttribute(attribute, value);
    return dcqcn;
}

Ptr<Dcqcn>
Start(const Ptr<Dcqcn>& dcqcn)
{
    dcqcn->Start(PATH, Seconds(0));
    return dcqcn;
}

double
GetGbps(const Dcqcn& dcqcn)
{
    return static_cast<double>(dcqcn.GetLimit().rate.GetBitRate()) * 1e-9;
}

double
GetTargetGbps(const Dcqcn& dcqcn)
{
    return static_cast<double>(dcqcn.GetTargetRate().GetBitRate()) * 1e-9;
}

constexpr double ONE_BIT{1.1e-9}; ///< Rates are cut to whole bits per second.
} // namespace

TEST(Dcqcn, StartsAtLineRateWithoutATimer)
{
    auto dcqcn = Start(MakeDcqcn());
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, Time::Max());
    EXPECT_EQ(dcqcn->GetLimit().windowBytes, UINT64_MAX);
    EXPECT_EQ(dcqcn->GetNeededFeedback(), Feedback::CNP);
}

TEST(Dcqcn, FirstCnpHalvesTheRate)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnCnp(Seconds(0));
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps")); // Alpha starts at 1: cut by 1/2.
    EXPECT_EQ(dcqcn->GetTargetRate(), DataRate("100Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(300));
}

TEST(Dcqcn, AlphaDecaysOncePerPeriodWithoutACnp)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnCnp(MicroSeconds(50)); // Raises 1 to 1.
    EXPECT_EQ(dcqcn->GetAlpha(NanoSeconds(50'999)), 1);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(MicroSeconds(51)), 1 - G);
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(60'999)), std::pow(1 - G, 10));
}

TEST(Dcqcn, AFlowOfAnyAgeMeetsItsFirstCnpWithTheInitialAlpha)
{
    // NVIDIA initial_alpha_value: "when receiving the first CNP for a flow".
    auto dcqcn = Start(MakeDcqcn());
    EXPECT_EQ(dcqcn->GetAlpha(MilliSeconds(1)), 1);
    dcqcn->OnCnp(MilliSeconds(1));
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps"));
}

TEST(Dcqcn, ACnpRaisesTheDecayedAlpha)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnCnp(MicroSeconds(0));
    const double before = std::pow(1 - G, 10);
    dcqcn->OnCnp(NanoSeconds(10'500));
    EXPECT_NEAR(GetGbps(*dcqcn), 50 * (1 - before / 2), ONE_BIT);
    const double after = (1 - G) * before + G;
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(10'500)), after);
    // Its periods count from the CNP: the second one ends at 12.5 us.
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(12'499)), after * (1 - G));
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(NanoSeconds(12'500)), after * (1 - G) * (1 - G));
}

TEST(Dcqcn, ASecondCnpWithinTheDecreasePeriodChangesNothing)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnCnp(MicroSeconds(0));
    dcqcn->OnCnp(NanoSeconds(3'999));
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(300));
    dcqcn->OnCnp(MicroSeconds(4)); // Alpha was raised to 1 at 0 and has decayed 4 times since.
    EXPECT_NEAR(GetGbps(*dcqcn), 50 * (1 - std::pow(1 - G, 4) / 2), ONE_BIT);
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(304)); // The timer begins anew.
}

TEST(Dcqcn, TheTargetStaysUntilTheRateHasRisenUnlessItIsClamped)
{
    auto dcqcn = Start(MakeDcqcn());
    auto clamped = Start(MakeDcqcnWith("ClampTargetRate", BooleanValue(true)));
    for (const auto& one : {dcqcn, clamped})
    {
        one->OnCnp(MicroSeconds(0));
        one->OnCnp(MicroSeconds(4));
    }
    EXPECT_EQ(dcqcn->GetTargetRate(), DataRate("100Gbps"));
    EXPECT_EQ(clamped->GetTargetRate(), DataRate("50Gbps"));
    dcqcn->OnDeadline(MicroSeconds(304));
    const DataRate risen = dcqcn->GetLimit().rate;
    dcqcn->OnCnp(MicroSeconds(400));
    EXPECT_EQ(dcqcn->GetTargetRate(), risen);
}

TEST(Dcqcn, NeverFallsBelowTheMinimumRate)
{
    auto dcqcn = Start(MakeDcqcn());
    for (int i = 0; i < 40; ++i)
    {
        dcqcn->OnCnp(MicroSeconds(4 * i));
    }
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Mbps"));
}

/// Two cuts to 25 Gb/s with a target of 50: without decay each halves the rate.
class DcqcnIncrease : public testing::Test
{
  protected:
    DcqcnIncrease()
    {
        m_dcqcn->SetAttribute("ClampTargetRate", BooleanValue(true));
        m_dcqcn->SetAttribute("AlphaPeriod", TimeValue(Seconds(1)));
        m_dcqcn->SetAttribute("ByteCounter", UintegerValue(10'000));
        Start(m_dcqcn);
        m_dcqcn->OnCnp(MicroSeconds(0));
        m_dcqcn->OnCnp(MicroSeconds(4));
    }

    void Tick()
    {
        m_dcqcn->OnDeadline(m_dcqcn->GetLimit().deadline);
    }

    void SendTenKilobytes()
    {
        for (int i = 0; i < 10; ++i)
        {
            m_dcqcn->OnSent(1000, MicroSeconds(5));
        }
    }

    void ExpectRates(double current, double target)
    {
        EXPECT_NEAR(GetGbps(*m_dcqcn), current, ONE_BIT);
        EXPECT_NEAR(GetTargetGbps(*m_dcqcn), target, ONE_BIT);
    }

    Ptr<Dcqcn> m_dcqcn = MakeDcqcn();
};

TEST_F(DcqcnIncrease, TheTimerRecoversHalfOfTheWayThenAdds)
{
    ExpectRates(25, 50);
    EXPECT_EQ(m_dcqcn->GetLimit().deadline, MicroSeconds(304));
    Tick(); // F = 1: one step of fast recovery, (25 + 50) / 2.
    ExpectRates(37.5, 50);
    EXPECT_EQ(m_dcqcn->GetLimit().deadline, MicroSeconds(604));
    Tick(); // Additive: target 50.02, (37.5 + 50.02) / 2.
    ExpectRates(43.76, 50.02);
    Tick(); // (43.76 + 50.04) / 2.
    ExpectRates(46.9, 50.04);
}

TEST_F(DcqcnIncrease, TheByteCounterDoesTheSame)
{
    SendTenKilobytes();
    ExpectRates(37.5, 50);
    SendTenKilobytes();
    ExpectRates(43.76, 50.02);
    EXPECT_EQ(m_dcqcn->GetLimit().deadline, MicroSeconds(304)); // Not the timer's business.
}

TEST_F(DcqcnIncrease, APacketsRemainderCountsTowardsTheNextEventOfTheByteCounter)
{
    const auto send = [this](int packets) {
        for (int i = 0; i < packets; ++i)
        {
            m_dcqcn->OnSent(1'100, MicroSeconds(5));
        }
    };
    send(10); // 11,000 B: the first event after 10,000.
    ExpectRates(37.5, 50);
    send(8); // 19,800 B.
    ExpectRates(37.5, 50);
    send(1); // 20,900 B: the second event, not after ten further packets.
    ExpectRates(43.76, 50.02);
}

TEST_F(DcqcnIncrease, APacketOfSeveralIntervalsOfTheByteCounterHasSeveralEvents)
{
    m_dcqcn->OnSent(21'000, MicroSeconds(5)); // Fast recovery, then additive.
    ExpectRates(43.76, 50.02);
    m_dcqcn->OnSent(8'999, MicroSeconds(6)); // 29,999 B.
    ExpectRates(43.76, 50.02);
    m_dcqcn->OnSent(1, MicroSeconds(6)); // Additive: (43.76 + 50.04) / 2.
    ExpectRates(46.9, 50.04);
}

/// 1,000 packets of 4,178 B (MTU 4096) are 4,178,000 B: 971, 522 and 503 whole counters. Only the
/// additions of Eq. 4 raise the target, one per event beyond the first, F = 1.
TEST(Dcqcn, ByteCountersBetweenOneAndTwoPacketsDiffer)
{
    for (const auto& [counter, events] : {std::pair{4'300, 971}, {8'000, 522}, {8'300, 503}})
    {
        auto dcqcn = MakeDcqcnWith("ByteCounter", UintegerValue(counter));
        dcqcn->SetAttribute("ClampTargetRate", BooleanValue(true));
        Start(dcqcn);
        dcqcn->OnCnp(MicroSeconds(0)); // 50 Gb/s.
        dcqcn->OnCnp(MicroSeconds(4)); // Target 50 Gb/s.
        for (int packet = 0; packet < 1'000; ++packet)
        {
            dcqcn->OnSent(4'178, MicroSeconds(5));
        }
        EXPECT_NEAR(GetTargetGbps(*dcqcn), 50 + 0.02 * (events - 1), 1e-6) << counter;
    }
}

TEST(Dcqcn, AByteCounterThatReachesLineRateStopsThere)
{
    auto dcqcn = Start(MakeDcqcnWith("ByteCounter", UintegerValue(1)));
    dcqcn->OnCnp(Seconds(0));
    EXPECT_TRUE(dcqcn->OnSent(1'000, MicroSeconds(1))); // 36 events are enough: see below.
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, Time::Max());
    EXPECT_FALSE(dcqcn->OnSent(1'000, MicroSeconds(2)));
}

TEST_F(DcqcnIncrease, BothTogetherIncreaseFaster)
{
    Tick();             // Timer 1: (25 + 50) / 2 = 37.5.
    SendTenKilobytes(); // Bytes 1: neither is past F: (37.5 + 50) / 2 = 43.75.
    ExpectRates(43.75, 50);
    Tick(); // Timer 2, bytes 1: additive: (43.75 + 50.02) / 2.
    ExpectRates(46.885, 50.02);
    SendTenKilobytes(); // Both 2: hyper: target 50.22, (46.885 + 50.22) / 2.
    ExpectRates(48.5525, 50.22);
    Tick(); // Still hyper: target 50.42.
    ExpectRates(49.48625, 50.42);
}

TEST_F(DcqcnIncrease, ACnpStartsBothCountsAnew)
{
    Tick();
    Tick();
    SendTenKilobytes();
    m_dcqcn->OnSent(9'999, MicroSeconds(800));
    m_dcqcn->OnCnp(MicroSeconds(900));
    const double rate = GetGbps(*m_dcqcn);
    const double target = GetTargetGbps(*m_dcqcn);
    EXPECT_NEAR(rate, target / 2, ONE_BIT);
    m_dcqcn->OnSent(9'999, MicroSeconds(901)); // One byte short again.
    EXPECT_NEAR(GetGbps(*m_dcqcn), rate, ONE_BIT);
    Tick(); // Fast recovery, target unchanged.
    ExpectRates((rate + target) / 2, target);
}

TEST_F(DcqcnIncrease, WithoutAByteCounterTheTimerAloneReachesHyperIncrease)
{
    m_dcqcn->SetAttribute("ByteCounter", UintegerValue(0));
    EXPECT_FALSE(m_dcqcn->NeedsOnSent());
    SendTenKilobytes();
    ExpectRates(25, 50); // Bytes count for nothing.
    Tick();              // Fast recovery.
    ExpectRates(37.5, 50);
    Tick(); // Additive: (37.5 + 50.02) / 2.
    ExpectRates(43.76, 50.02);
    Tick(); // Hyper: target 50.22, (43.76 + 50.22) / 2.
    ExpectRates(46.99, 50.22);
    Tick();
    ExpectRates(48.705, 50.42);
}

TEST(Dcqcn, CutsWhenItsRuleSaysSo)
{
    auto dcqcn = MakeDcqcnWith("AlphaRule", TypeIdValue(PeriodicAlpha::GetTypeId()));
    Start(dcqcn)->OnCnp(MicroSeconds(10)); // The first cut comes a DecreasePeriod later.
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(14));
    dcqcn->OnCnp(MicroSeconds(11)); // Of the same period: the same cut.
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(14));
    dcqcn->OnDeadline(MicroSeconds(14));
    // Alpha fell at 11, where the second CNP came in, rose at 12, fell at 13 and 14.
    const double alpha = ((1 - G) * (1 - G) + G) * (1 - G) * (1 - G);
    EXPECT_NEAR(GetGbps(*dcqcn), 100 * (1 - alpha / 2), ONE_BIT);
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(314)); // Now the increase timer.
    dcqcn->OnDeadline(MicroSeconds(314));
    EXPECT_NEAR(GetGbps(*dcqcn), 100 * (1 - alpha / 4), ONE_BIT); // Half of the way back.
}

TEST(Dcqcn, ACutTakesTheTimerWithItThatIsDueAtTheSameTime)
{
    auto dcqcn = MakeDcqcnWith("AlphaRule", TypeIdValue(PeriodicAlpha::GetTypeId()));
    Start(dcqcn)->OnCnp(MicroSeconds(0));
    dcqcn->OnDeadline(MicroSeconds(4)); // Timer at 304, where a DecreasePeriod ends, too.
    dcqcn->OnCnp(MicroSeconds(301));
    const DataRate before = dcqcn->GetLimit().rate;
    dcqcn->OnDeadline(MicroSeconds(304));
    EXPECT_LT(dcqcn->GetLimit().rate, before);
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(604));
}

TEST(Dcqcn, ReachesLineRateAndStopsItsTimer)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnCnp(Seconds(0));
    // The gap of 50 Gb/s halves each time: 50e9 / 2^35 = 1.46, 50e9 / 2^36 = 0.73 bit/s.
    for (int step = 1; step < 36; ++step)
    {
        dcqcn->OnDeadline(dcqcn->GetLimit().deadline);
        ASSERT_LT(dcqcn->GetLimit().rate, DataRate("100Gbps")) << step;
        ASSERT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(300) * (step + 1));
    }
    dcqcn->OnDeadline(dcqcn->GetLimit().deadline);
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, Time::Max());
    dcqcn->OnSent(20'000'000, Seconds(1)); // Nothing is left to increase.
    EXPECT_EQ(dcqcn->GetLimit().deadline, Time::Max());
}

TEST(Dcqcn, WithoutFastRecoveryACutLowersTheTargetAndRecoveryIsAdditive)
{
    auto dcqcn = Start(MakeDcqcnWith("FastRecoverySteps", UintegerValue(0)));
    dcqcn->OnCnp(Seconds(0));
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps"));
    EXPECT_EQ(dcqcn->GetTargetRate(), DataRate("50Gbps"));
    // Each event raises the target by 20 Mb/s and the rate half of the way there: the n-th leaves
    // the rate 20 x (1 - 2^-n) Mb/s below the target.
    for (int n = 1; n <= 10; ++n)
    {
        dcqcn->OnDeadline(dcqcn->GetLimit().deadline);
        EXPECT_NEAR(GetTargetGbps(*dcqcn), 50 + 0.02 * n, ONE_BIT);
        EXPECT_NEAR(GetGbps(*dcqcn), 50 + 0.02 * (n - 1 + std::pow(0.5, n)), ONE_BIT);
        dcqcn->OnSent(1000, Seconds(0)); // Below ByteCounter: no event.
    }
}

TEST(Dcqcn, ARetransmissionCutsLikeACnpIfAsked)
{
    const LossEvent loss{MicroSeconds(10), 4096, 8192};
    auto deaf = Start(MakeDcqcn());
    deaf->OnLoss(loss);
    deaf->OnTimeout(loss);
    EXPECT_EQ(deaf->GetLimit().rate, DataRate("100Gbps"));
    auto dcqcn = Start(MakeDcqcnWith("CutsOnRetransmission", BooleanValue(true)));
    dcqcn->OnLoss(loss);
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps"));
    EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(310));
    auto other = Start(MakeDcqcnWith("CutsOnRetransmission", BooleanValue(true)));
    other->OnTimeout(loss);
    EXPECT_EQ(other->GetLimit().rate, DataRate("50Gbps"));
}

TEST(Dcqcn, ATimeoutCutsAsAFirstCnpIfAlphaRestarts)
{
    for (const bool restarts : {false, true})
    {
        auto dcqcn = MakeDcqcnWith("CutsOnRetransmission", BooleanValue(true));
        dcqcn->SetAttribute("RestartsOnTimeout", BooleanValue(restarts));
        dcqcn = Start(dcqcn);
        dcqcn->OnLoss({MicroSeconds(10), 4096, 8192});
        EXPECT_NEAR(GetGbps(*dcqcn), 50, ONE_BIT);
        // 10 ms later alpha has decayed: (1 - 1/256)^10,000 is below 10^-16. A NAK does not restart
        // it.
        dcqcn->OnLoss({MicroSeconds(10'010), 4096, 8192});
        EXPECT_NEAR(GetGbps(*dcqcn), 50, 0.01);
        dcqcn->OnTimeout({MicroSeconds(20'010), 4096, 8192});
        EXPECT_NEAR(GetGbps(*dcqcn), restarts ? 25 : 50, 0.01);
    }
}

TEST(Dcqcn, AFlowThatIsBackAtLineRateIsNewIfItsLimiterIsReleased)
{
    for (const bool isReleased : {false, true})
    {
        auto dcqcn = Start(MakeDcqcnWith("ReleasesAtLineRate", BooleanValue(isReleased)));
        dcqcn->OnCnp(Seconds(0));
        while (dcqcn->GetLimit().deadline != Time::Max())
        {
            dcqcn->OnDeadline(dcqcn->GetLimit().deadline);
        }
        // 36 events of 300 us later alpha has decayed: (1 - 1/256)^10,800 is below 10^-18.
        dcqcn->OnCnp(Seconds(1));
        EXPECT_NEAR(GetGbps(*dcqcn), isReleased ? 50 : 100, ONE_BIT);
    }
}

TEST(Dcqcn, RunsWithTheParametersOfThePaper)
{
    auto dcqcn = CreateObject<Dcqcn>();
    for (const auto& [name, value] : FindParameterSet("zhu2015")->attributes)
    {
        const std::string own = "ns3::rdma::Dcqcn::";
        if (name.rfind(own, 0) == 0)
        {
            dcqcn->SetAttribute(name.substr(own.size()), StringValue(value));
        }
    }
    dcqcn->Start({DataRate("40Gbps"), MicroSeconds(8), 1024}, Seconds(0));
    dcqcn->OnCnp(MicroSeconds(0));  // 40 to 20, alpha stays 1.
    dcqcn->OnCnp(MicroSeconds(50)); // 20 to 10, alpha has had no whole period to decay.
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("10Gbps"));
    for (int step = 1; step <= 5; ++step)
    {
        EXPECT_EQ(dcqcn->GetLimit().deadline, MicroSeconds(50 + 55 * step));
        dcqcn->OnDeadline(dcqcn->GetLimit().deadline);
        EXPECT_NEAR(GetGbps(*dcqcn), 20 - 10 / std::pow(2, step), ONE_BIT); // Towards 20.
        EXPECT_EQ(dcqcn->GetTargetRate(), DataRate("20Gbps"));
    }
    dcqcn->OnDeadline(dcqcn->GetLimit().deadline); // The sixth adds: target 20.04.
    EXPECT_NEAR(GetTargetGbps(*dcqcn), 20.04, ONE_BIT);
    EXPECT_NEAR(GetGbps(*dcqcn), (19.6875 + 20.04) / 2, ONE_BIT);
    // 330 us since the cut: alpha has decayed 6 times.
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(MicroSeconds(380)), std::pow(1 - G, 6));
}

TEST(Dcqcn, AnEchoOfCeIsACnpIfCnpsAreInAcks)
{
    auto dcqcn = Start(MakeDcqcnWith("CnpsInAcks", BooleanValue(true)));
    EXPECT_EQ(dcqcn->GetNeededFeedback(), Feedback::ECN_ECHO);
    dcqcn->OnAck({Seconds(0), MicroSeconds(8), 1000, 0, false});
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
    dcqcn->OnAck({Seconds(0), MicroSeconds(8), 1000, 0, true});
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("50Gbps")); // As in FirstCnpHalvesTheRate.
}

TEST(Dcqcn, AnEchoOfCeChangesNothingIfCnpsAreFrames)
{
    auto dcqcn = Start(MakeDcqcn());
    dcqcn->OnAck({Seconds(0), MicroSeconds(8), 1000, 0, true});
    EXPECT_EQ(dcqcn->GetLimit().rate, DataRate("100Gbps"));
}

TEST(Dcqcn, ForksCarryTheAttributes)
{
    auto prototype = MakeDcqcnWith("InitialAlpha", DoubleValue(0.5));
    const Ptr<CongestionControl> fork = prototype->Fork();
    fork->Start(PATH, Seconds(0));
    fork->OnCnp(Seconds(0));
    EXPECT_EQ(fork->GetLimit().rate, DataRate("75Gbps"));
}
