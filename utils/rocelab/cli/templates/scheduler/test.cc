// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// @return the classes that send the next frames. @param eligible bit per class with frames
std::vector<uint32_t>
Serve(TemplateName& scheduler, uint32_t eligible, uint32_t frames)
{
    std::vector<uint32_t> served;
    for (uint32_t frame = 0; frame < frames; ++frame)
    {
        served.push_back(scheduler.Choose({eligible, eligible, {}}));
        scheduler.OnSend(served.back(), 1000);
    }
    return served;
}

} // namespace

TEST(TemplateName, ClassesWithFramesTakeTurns)
{
    auto scheduler = CreateObject<TemplateName>();
    scheduler->Start(PortSchedule());
    EXPECT_EQ(Serve(*scheduler, 0b11010, 6), (std::vector<uint32_t>{1, 3, 4, 1, 3, 4}));
    EXPECT_EQ(Serve(*scheduler, 0b01000, 2), (std::vector<uint32_t>{3, 3}));
}

TEST(TemplateName, ATurnHasABurst)
{
    auto scheduler = CreateObject<TemplateName>();
    scheduler->SetAttribute("Burst", UintegerValue(2));
    scheduler->Start(PortSchedule());
    EXPECT_EQ(Serve(*scheduler, 0b00110, 5), (std::vector<uint32_t>{1, 1, 2, 2, 1}));
}
