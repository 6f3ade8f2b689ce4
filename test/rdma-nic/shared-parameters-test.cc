// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shared-parameters.h"

#include "ns3/selective-repeat.h"
#include "ns3/uinteger.h"
#include "ns3/window-dctcp.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
struct Parameters
{
    int first{1};
    int second{2};
};
} // namespace

TEST(SharedParameters, ACopyHasThemUntilOneIsChanged)
{
    SharedParameters<Parameters> prototype;
    prototype.Change().first = 5;
    SharedParameters<Parameters> fork = prototype;
    EXPECT_EQ(fork.operator->(), prototype.operator->()) << "they cost memory of their own";
    fork.Change().second = 9;
    EXPECT_EQ(fork->first, 5);
    EXPECT_EQ(fork->second, 9);
    EXPECT_EQ(prototype->second, 2);
}

TEST(SharedParameters, AnAttributeOfAForkLeavesThePrototypeAlone)
{
    const auto prototype = CreateObject<SelectiveRepeat>();
    prototype->SetAttribute("BitmapPackets", UintegerValue(70));
    const Ptr<LossDetector> fork = prototype->Fork();
    EXPECT_EQ(fork->GetTraits().responder.outOfOrderWindow, 70);
    fork->SetAttribute("BitmapPackets", UintegerValue(80));
    EXPECT_EQ(fork->GetTraits().responder.outOfOrderWindow, 80);
    EXPECT_EQ(prototype->GetTraits().responder.outOfOrderWindow, 70);
}

TEST(SharedParameters, AnAttributeCanBeRead)
{
    const auto control = CreateObject<WindowDctcp>();
    control->SetAttribute("Step", UintegerValue(1234));
    UintegerValue step;
    control->GetAttribute("Step", step);
    EXPECT_EQ(step.Get(), 1234);
    EXPECT_FALSE(control->SetAttributeFailSafe("Step", TimeValue(Seconds(1))));
}
