// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-sharing.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr uint64_t RATE{80'000'000'000}; // 10 GB/s: a byte in 100 ps.
constexpr int64_t END_PS{400'000};       // 4,000 bytes of a link; a step is 1,000 ps.

/// Links of four servers.
LinkSharing
MakeLinks()
{
    return {std::vector<uint64_t>(4, RATE), 0, END_PS};
}

} // namespace

TEST(LinkSharing, AFlowAloneHasTheLink)
{
    LinkSharing links = MakeLinks();
    links.Add({0, 1, 8000, 0, END_PS});
    links.Add({2, 3, 1000, 0, END_PS});
    // 4,000 of 8,000 bytes, and all of 1,000.
    EXPECT_EQ(links.Finish(), std::vector({0.5, 1.0}));
}

TEST(LinkSharing, FlowsOfAServerShareItsLink)
{
    LinkSharing links = MakeLinks();
    links.Add({0, 1, 8000, 0, END_PS});
    links.Add({0, 2, 8000, 0, END_PS});
    EXPECT_EQ(links.Finish(), std::vector({0.25, 0.25}));
}

TEST(LinkSharing, FlowsToAServerShareItsLink)
{
    LinkSharing links = MakeLinks();
    links.Add({0, 3, 8000, 0, END_PS});
    links.Add({1, 3, 8000, 0, END_PS});
    EXPECT_EQ(links.Finish(), std::vector({0.25, 0.25}));
}

TEST(LinkSharing, AFlowThatEndsLeavesItsShareToTheOthers)
{
    LinkSharing links = MakeLinks();
    links.Add({0, 1, 8000, 0, END_PS});
    links.Add({0, 2, 1000, 0, END_PS});
    // 1,000 bytes beside the other flow in 200 ns, then 2,000 alone.
    EXPECT_DOUBLE_EQ(links.Finish()[0], 3000. / 8000);
}

TEST(LinkSharing, BytesBeforeTheStartAndAfterTheEndDoNotCount)
{
    LinkSharing links = MakeLinks();
    links.Add({0, 1, 8000, 100'500, 300'000}); // 199,500 ps.
    links.Add({2, 3, 8000, END_PS, END_PS});
    EXPECT_EQ(links.Finish(), std::vector({1995. / 8000, 0.}));
}
