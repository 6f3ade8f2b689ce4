// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ecn-marker.h"

#include "fabric-test-bench.h"

#include "ns3/simple-topologies.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// @return the share of so many frames that are marked over a queue of that length.
double
Measure(const EcnProfile& profile, uint64_t queueBytes, int frames)
{
    EcnMarker marker(profile, RandomStream(1, 5));
    int marked = 0;
    for (int i = 0; i < frames; ++i)
    {
        marked += marker.ShouldMark(queueBytes);
    }
    return static_cast<double>(marked) / frames;
}

/// Servers 0 and 1 send to server 2 at twice the rate of its link.
class EcnInSwitch : public FabricBench
{
  protected:
    static constexpr uint32_t EACH{50}; ///< Frames of 1000 bytes per sender.

    /// @return whether each frame is marked, in order of arrival.
    std::vector<bool> RunIncast(const EcnProfile& profile, uint8_t flags)
    {
        FabricConfig config;
        config.ecn[100'000'000'000] = profile;
        Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)), config);
        for (const uint32_t server : {0, 1})
        {
            Frame frame = MakeFrame(server, 2);
            frame.flags = flags;
            Server(server).Blast(frame, EACH);
        }
        Simulator::Run();
        std::vector<bool> marks;
        for (const Arrival& arrival : Server(2).arrivals)
        {
            marks.push_back(arrival.frame.flags & frame_flag::CE);
        }
        EXPECT_EQ(std::count(marks.begin(), marks.end(), true), Core().ecnMarks);
        return marks;
    }
};

} // namespace

TEST(EcnMarker, MarksNothingUpToKminAndEverythingFromKmax)
{
    const EcnProfile profile{1000, 2000, 0.2};
    EXPECT_EQ(Measure(profile, 0, 10'000), 0);
    EXPECT_EQ(Measure(profile, 1000, 10'000), 0);
    EXPECT_EQ(Measure(profile, 2000, 10'000), 1);
    EXPECT_EQ(Measure(profile, 1'000'000, 10'000), 1);
}

TEST(EcnMarker, RisesInAStraightLineBetweenKminAndKmax)
{
    constexpr int FRAMES{100'000};
    const EcnProfile profile{400'000, 1'600'000, 0.2};
    for (const uint64_t queue : {460'000, 700'000, 1'000'000, 1'300'000, 1'599'999})
    {
        // Binomial around pmax x (queue - kmin) / (kmax - kmin).
        const double p = 0.2 * (static_cast<double>(queue) - 400'000) / 1'200'000;
        EXPECT_NEAR(Measure(profile, queue, FRAMES), p, 5 * std::sqrt(p * (1 - p) / FRAMES))
            << queue;
    }
}

TEST(EcnMarker, IsAStepWhereKminIsKmax)
{
    const EcnProfile profile{1000, 1000, 1};
    EXPECT_EQ(Measure(profile, 1000, 1000), 0);
    EXPECT_EQ(Measure(profile, 1001, 1000), 1);
}

TEST(EcnMarker, MarksNothingWithoutAProfile)
{
    EcnMarker marker;
    EXPECT_FALSE(marker.ShouldMark(UINT64_MAX - 1));
}

TEST_F(EcnInSwitch, MarksExactlyWhileTheQueueIsAboveAStep)
{
    // Two frames come in and one leaves per frame time: the k-th that leaves (from 1) leaves k
    // behind, until both senders have sent all 50, and then 50 - j after the (50 + j)-th.  Above
    // ten frames are 11 .. 50 and 50 + j up to 50 - j = 11: frames 11 .. 89.
    const std::vector<bool> marks = RunIncast({10'000, 10'000, 1}, frame_flag::ECN_CAPABLE);
    ASSERT_EQ(marks.size(), 2 * EACH);
    for (uint32_t number = 1; number <= marks.size(); ++number)
    {
        EXPECT_EQ(marks[number - 1], number >= 11 && number <= 89) << number;
    }
}

TEST_F(EcnInSwitch, MarksNothingWhileTheQueueStaysBelowKmin)
{
    const std::vector<bool> marks = RunIncast({50'000, 60'000, 1}, frame_flag::ECN_CAPABLE);
    EXPECT_EQ(std::count(marks.begin(), marks.end(), true), 0);
}

TEST_F(EcnInSwitch, LeavesFramesAloneThatAreNotEcnCapable)
{
    const std::vector<bool> marks = RunIncast({0, 0, 1}, 0);
    EXPECT_EQ(std::count(marks.begin(), marks.end(), true), 0);
    EXPECT_EQ(marks.size(), 2 * EACH);
}
