// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-impairment.h"

#include "fabric-test-bench.h"

#include "ns3/double.h"
#include "ns3/simple-topologies.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr int FRAMES{100'000};
constexpr Tick MAX_DELAY{5'000'000};

Ptr<LinkImpairment>
MakeImpairment(double loss, double duplicate, double reorder)
{
    auto model = CreateObjectWithAttributes<LinkImpairment>("LossRate",
                                                            DoubleValue(loss),
                                                            "DuplicateRate",
                                                            DoubleValue(duplicate),
                                                            "ReorderRate",
                                                            DoubleValue(reorder),
                                                            "MaxExtraDelay",
                                                            TimeValue(PicoSeconds(MAX_DELAY)));
    model->SetStream(RandomStream(1, 3));
    return model;
}

/// Shares of what happened to many frames.
struct Shares
{
    double lost{0};
    double duplicated{0}; ///< Of all frames.
    double delayed{0};    ///< Of all arrivals.
    double meanDelay{0};  ///< Of those delayed.
    Tick maxDelay{0};
};

Shares
Measure(LossModel& model)
{
    double arrivals = 0;
    double delayed = 0;
    Shares shares;
    for (int i = 0; i < FRAMES; ++i)
    {
        const FrameImpairment impairment = model.GetImpairment(Frame{});
        shares.lost += impairment.arrivals == 0;
        shares.duplicated += impairment.arrivals == 2;
        for (uint32_t arrival = 0; arrival < impairment.arrivals; ++arrival)
        {
            const Tick delay = impairment.extraDelays[arrival];
            ++arrivals;
            delayed += delay > 0;
            shares.meanDelay += static_cast<double>(delay);
            shares.maxDelay = std::max(shares.maxDelay, delay);
        }
    }
    shares.meanDelay /= std::max(delayed, 1.0);
    shares.delayed = delayed / std::max(arrivals, 1.0);
    shares.lost /= FRAMES;
    shares.duplicated /= FRAMES;
    return shares;
}

/// Five standard deviations of a share of so many trials.
double
GetTolerance(double rate, double trials)
{
    return 5 * std::sqrt(rate * (1 - rate) / trials);
}

/// Two servers; the direction from 0 to 1 is impaired.
class ImpairedLink : public FabricBench
{
  protected:
    void Impair(Ptr<LossModel> model)
    {
        Clear();
        Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
        Server(0).GetPort().SetLossModel(model);
    }

    /// Server 0 sends so many frames as one blast; @return the PSNs that arrive, in order.
    std::vector<uint32_t> Send(uint32_t frames)
    {
        Server(0).Blast(MakeFrame(0, 1), frames);
        Simulator::Run();
        return Server(1).GetPsns();
    }
};

} // namespace

TEST(LinkImpairment, DoesNothingByDefault)
{
    auto model = CreateObject<LinkImpairment>();
    const Shares shares = Measure(*model);
    EXPECT_EQ(shares.lost, 0);
    EXPECT_EQ(shares.duplicated, 0);
    EXPECT_EQ(shares.delayed, 0);
}

TEST(LinkImpairment, DoesEachThingAtItsRate)
{
    const Shares shares = Measure(*MakeImpairment(0.1, 0.2, 0.3));
    EXPECT_NEAR(shares.lost, 0.1, GetTolerance(0.1, FRAMES));
    // Of the 0.9 that are not lost.
    EXPECT_NEAR(shares.duplicated, 0.18, GetTolerance(0.18, FRAMES));
    // Arrivals: 0.9 x 1.2 per frame.
    EXPECT_NEAR(shares.delayed, 0.3, GetTolerance(0.3, 1.08 * FRAMES));
    // Uniform: mean half of the maximum, sigma of one draw maximum / sqrt(12), 0.324 per frame.
    EXPECT_NEAR(shares.meanDelay,
                MAX_DELAY / 2.0,
                5 * MAX_DELAY / std::sqrt(12.0 * 0.324 * FRAMES));
    EXPECT_LT(shares.maxDelay, MAX_DELAY);
    EXPECT_GT(shares.maxDelay, MAX_DELAY * 0.99);
}

TEST(LinkImpairment, OnlyLosesMacControlFrames)
{
    auto model = MakeImpairment(0.5, 1, 1);
    Frame pause{};
    pause.flags = frame_flag::MAC_CONTROL;
    int arrived = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const FrameImpairment impairment = model->GetImpairment(pause);
        EXPECT_LE(impairment.arrivals, 1);
        EXPECT_EQ(impairment.extraDelays[0], 0);
        arrived += static_cast<int>(impairment.arrivals);
    }
    EXPECT_NEAR(arrived / 1000.0, 0.5, GetTolerance(0.5, 1000));
}

TEST_F(ImpairedLink, DeliversADuplicateWithEverythingThatTheFrameCarries)
{
    Impair(MakeImpairment(0, 1, 0));
    EXPECT_EQ(Send(3), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2}));
    const std::vector<Tick> times = Server(1).GetTimes();
    // (1000 + 24) x 80 ps and 1 us; the second arrival comes with the first.
    EXPECT_EQ(times[0], 1'081'920);
    EXPECT_EQ(times[1], 1'081'920);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
    EXPECT_EQ(Core().packetHops, 6);
}

TEST_F(ImpairedLink, LetsLaterFramesOvertakeADelayedOne)
{
    Impair(MakeImpairment(0, 0, 0.2));
    std::vector<uint32_t> psns = Send(1000);
    EXPECT_FALSE(std::is_sorted(psns.begin(), psns.end()));
    // 5 us are 61.04 frames of 81.92 ns: no frame is delayed further.
    for (uint32_t place = 0; place < psns.size(); ++place)
    {
        EXPECT_LE(place, psns[place] + 62);
    }
    std::sort(psns.begin(), psns.end());
    for (uint32_t psn = 0; psn < 1000; ++psn)
    {
        ASSERT_EQ(psns[psn], psn);
    }
}

TEST_F(ImpairedLink, CountsWhatItLoses)
{
    Impair(MakeImpairment(1, 1, 1));
    EXPECT_TRUE(Send(7).empty());
    EXPECT_EQ(CountDrops(DropReason::LINK_LOSS), 7);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(ImpairedLink, RepeatsItselfForTheSameStream)
{
    Impair(MakeImpairment(0.1, 0.1, 0.1));
    const std::vector<uint32_t> first = Send(500);
    Impair(MakeImpairment(0.1, 0.1, 0.1));
    EXPECT_EQ(Send(500), first);
}
