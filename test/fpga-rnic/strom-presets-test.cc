// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/channel-memory.h" // Of the module whose loading registers them.
#include "ns3/nic-design.h"
#include "ns3/nic-presets.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// @return the hardware of a preset.
Ptr<NicHardware>
MakeHardware(const std::string& preset)
{
    return RdmaNic::MakeHardware(NicDesign::FromPreset(preset, NicDesign::Timing::HARDWARE));
}

Tick
GetCycle(const NicHardware& hardware)
{
    TimeValue cycle;
    hardware.GetAttribute("Cycle", cycle);
    return ToTick(cycle.Get());
}
} // namespace

TEST(StromPresets, RunKernelsOnALossyFabric)
{
    ChannelMemory::GetTypeId();
    for (const char* name : {"strom10g", "strom100g"})
    {
        const NicPreset* preset = FindNicPreset(name);
        ASSERT_TRUE(preset) << name;
        EXPECT_TRUE(preset->runsKernels);
        EXPECT_FALSE(preset->needsPfc);
    }
}

TEST(StromPresets, HaveTheClocksOfThePaper)
{
    EXPECT_EQ(GetCycle(*MakeHardware("strom10g")), 6'400);  // 156.25 MHz.
    EXPECT_EQ(GetCycle(*MakeHardware("strom100g")), 3'106); // 322 MHz, to the picosecond.
}

TEST(StromPresets, HoldFiveHundredQueuePairs)
{
    const NicDesign design = NicDesign::FromPreset("strom10g");
    EXPECT_EQ(RdmaNic::GetQueuePairLimit(design).most, 500U);
}

TEST(StromPresets, HaveNoFaultOfTheirAttributes)
{
    for (const char* name : {"strom10g", "strom100g"})
    {
        EXPECT_EQ(MakeHardware(name)->FindFault(), "") << name;
    }
}

TEST(StromPresets, AreListedByNameBehindThoseOfTheNicModule)
{
    // In whatever order the linker puts the files that register them.
    std::vector<std::string> names;
    for (const NicPreset& preset : GetNicPresets())
    {
        names.push_back(preset.name);
    }
    const auto last = std::find(names.begin(), names.end(), "balboa"); // The last of rdma-nic.
    ASSERT_NE(last, names.end());
    EXPECT_EQ(std::vector<std::string>(last + 1, names.end()),
              (std::vector<std::string>{"fpga-sender", "kv-direct", "strom100g", "strom10g"}));
}
