// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-design.h"

#include "ns3/dcqcn.h"
#include "ns3/nic-hardware.h"
#include "ns3/nic-presets.h"
#include "ns3/rdma-nic.h"
#include "ns3/string.h"
#include "ns3/timeouts.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
Time
GetTimeout(const NicDesign& design)
{
    TimeValue timeout;
    design.Create<FixedTimeout>()->GetAttribute("Timeout", timeout);
    return timeout.Get();
}

/// A unit and a class of hardware as a module above this one might bring.
class KernelUnit : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KernelUnit")
                                .SetParent<Object>()
                                .AddConstructor<KernelUnit>()
                                .AddAttribute("Lanes",
                                              "How many",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&KernelUnit::lanes),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    uint32_t lanes;
};

class KernelHardware : public NicHardware
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KernelHardware")
                                .SetParent<NicHardware>()
                                .AddConstructor<KernelHardware>();
        return tid;
    }

    std::vector<TypeId> GetUnitTypes() const override
    {
        std::vector<TypeId> types = NicHardware::GetUnitTypes();
        types.push_back(KernelUnit::GetTypeId());
        return types;
    }

    Ptr<KernelUnit> unit;

  private:
    void DoMakeUnits(const NicDesign& design) override
    {
        unit = design.Create<KernelUnit>();
    }
};

NS_OBJECT_ENSURE_REGISTERED(KernelUnit);
NS_OBJECT_ENSURE_REGISTERED(KernelHardware);
} // namespace

TEST(NicDesign, HasWhatItsPresetSays)
{
    const NicDesign balboa = NicDesign::FromPreset("balboa");
    EXPECT_EQ(GetTimeout(balboa), MicroSeconds(625));
    EXPECT_FALSE(balboa.NeedsPfc());
    EXPECT_TRUE(NicDesign::FromPreset("connectx6").NeedsPfc());
}

TEST(NicDesign, TwoDesignsDoNotChangeEachOther)
{
    const NicDesign balboa = NicDesign::FromPreset("balboa");
    const NicDesign strom = NicDesign::FromPreset("strom10g");
    EXPECT_EQ(GetTimeout(balboa), MicroSeconds(625));
    EXPECT_EQ(GetTimeout(strom), MilliSeconds(1));
    EXPECT_EQ(GetTimeout(NicDesign::FromPreset("balboa")), MicroSeconds(625));
}

TEST(NicDesign, WhatIsSetReplacesThePresetsValue)
{
    NicDesign design = NicDesign::FromPreset("balboa");
    design.Set("ns3::rdma::FixedTimeout::Timeout", "77us");
    EXPECT_EQ(GetTimeout(design), MicroSeconds(77));
    EXPECT_EQ(GetTimeout(NicDesign::FromPreset("balboa")), MicroSeconds(625));
}

TEST(NicDesign, HardwareTakesTimeOnlyIfAskedFor)
{
    using Timing = NicDesign::Timing;
    const std::string attribute{"ns3::rdma::RdmaNic::Hardware"};
    EXPECT_EQ(NicDesign::FromPreset("srnic").GetValues().Find(attribute), std::nullopt);
    const NicDesign timed = NicDesign::FromPreset("srnic", Timing::HARDWARE);
    EXPECT_EQ(timed.GetValues().Find(attribute), "true");
    EXPECT_TRUE(NicHardware::Make(timed)->OnloadsBitmaps());
    EXPECT_FALSE(NicHardware::Make(NicDesign())->OnloadsBitmaps());
}

TEST(NicDesign, ANicOfADesignHasItsAttributes)
{
    auto design = std::make_shared<NicDesign>(NicDesign::FromPreset("srnic"));
    design->Set("ns3::rdma::RdmaNic::PathMtu", "4096");
    EXPECT_EQ(RdmaNic::Make(design)->GetPathMtu(), 4096);
    EXPECT_EQ(CreateObject<RdmaNic>()->GetPathMtu(), 1024);
}

TEST(NicDesign, ACopyOfANicHasAllOfItsAttributesAndMayHaveOthers)
{
    auto design = std::make_shared<NicDesign>(NicDesign::FromPreset("irn"));
    design->Set("ns3::rdma::RdmaNic::PathMtu", "4096");
    design->Set("ns3::rdma::RdmaNic::CnpInterval", "4us");
    const Ptr<RdmaNic> nic = RdmaNic::Make(design);
    const Ptr<RdmaNic> copy = nic->Copy();
    EXPECT_EQ(&copy->GetDesign(), &nic->GetDesign());
    const TypeId type = RdmaNic::GetTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        StringValue expected;
        StringValue copied;
        nic->GetAttribute(type.GetAttribute(i).name, expected);
        copy->GetAttribute(type.GetAttribute(i).name, copied);
        EXPECT_EQ(copied.Get(), expected.Get()) << type.GetAttribute(i).name;
    }
    copy->SetAttribute("PathMtu", UintegerValue(1024));
    EXPECT_EQ(nic->GetPathMtu(), 4096);
}

TEST(NicDesign, NamesThePresetsThatThereAre)
{
    try
    {
        NicDesign::FromPreset("connectx");
        FAIL();
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_THAT(error.what(), testing::HasSubstr("\"connectx\""));
        for (const NicPreset& preset : GetNicPresets())
        {
            EXPECT_THAT(error.what(), testing::HasSubstr(preset.name));
        }
    }
}

TEST(NicDesign, EachPresetCanBeBuilt)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        const NicDesign design = NicDesign::FromPreset(preset.name, NicDesign::Timing::HARDWARE);
        EXPECT_EQ(NicHardware::Make(design)->FindFault(), "") << preset.name;
    }
}

TEST(NicDesign, NamesTheClassOfItsHardware)
{
    using Timing = NicDesign::Timing;
    NicDesign design = NicDesign::FromPreset("balboa", Timing::HARDWARE);
    EXPECT_EQ(RdmaNic::MakeHardware(design)->GetInstanceTypeId(), NicHardware::GetTypeId());
    design.Set("ns3::rdma::RdmaNic::HardwareClass", "ns3::rdma::KernelHardware");
    design.Set("ns3::rdma::KernelUnit::Lanes", "8");
    const auto hardware = DynamicCast<KernelHardware>(RdmaNic::MakeHardware(design));
    ASSERT_TRUE(hardware);
    EXPECT_EQ(hardware->unit->lanes, 8);
    EXPECT_EQ(hardware->FindFault(), ""); // Its other units are those of the design.
    EXPECT_THROW(design.Set("ns3::rdma::RdmaNic::HardwareClass", "ns3::rdma::GoBackN"),
                 std::invalid_argument);
}

TEST(NicDesign, NamesTheNearestAttribute)
{
    try
    {
        NicDesign().Set("ns3::rdma::FixedTimeout::Timeuot", "1ms");
        FAIL();
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_STREQ(
            error.what(),
            "ns3::rdma::FixedTimeout::Timeuot: expected an attribute of ns3::rdma::FixedTimeout "
            "(nearest: Timeout), got the unknown attribute Timeuot");
    }
}
