// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-values.h"

#include "ns3/double.h"
#include "ns3/fabric-switch.h"
#include "ns3/held-objects.h"
#include "ns3/loss-models.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Holds another object as an attribute that cannot be set.
class LossHolder : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::LossHolder")
                                .SetParent<Object>()
                                .AddConstructor<LossHolder>()
                                .AddAttribute("Loss",
                                              "The object held",
                                              TypeId::ATTR_GET,
                                              PointerValue(),
                                              MakePointerAccessor(&LossHolder::loss),
                                              MakePointerChecker<UniformLoss>());
        return tid;
    }

    Ptr<UniformLoss> loss{CreateObject<UniformLoss>()};
};

const std::string RESUME_MARGIN{"ns3::rdma::FabricSwitch::ResumeMargin"};

uint64_t
GetResumeMargin(const AttributeValues& values)
{
    UintegerValue margin;
    values.Create<FabricSwitch>()->GetAttribute("ResumeMargin", margin);
    return margin.Get();
}
} // namespace

TEST(AttributeValues, TwoSetsMakeDifferentObjectsSideBySide)
{
    AttributeValues few;
    few.Set(RESUME_MARGIN, "1000");
    AttributeValues many;
    many.Set(RESUME_MARGIN, "9000");
    EXPECT_EQ(GetResumeMargin(few), 1000);
    EXPECT_EQ(GetResumeMargin(many), 9000);
    EXPECT_EQ(GetResumeMargin({}), 3000); // The default of the class, unchanged.
}

TEST(AttributeValues, TheLaterValueOfAnAttributeHolds)
{
    AttributeValues values;
    values.Set(RESUME_MARGIN, "1000");
    values.Set(RESUME_MARGIN, "2000");
    EXPECT_EQ(GetResumeMargin(values), 2000);
    EXPECT_EQ(values.Find(RESUME_MARGIN), "2000");
    EXPECT_EQ(values.Find("ns3::rdma::FabricSwitch::PauseQuanta"), std::nullopt);
}

TEST(AttributeValues, AnObjectTakesTheValuesOfItsOwnTypeOnly)
{
    AttributeValues values;
    values.Set("ns3::rdma::UniformLoss::LossRate", "0.25");
    values.Set(RESUME_MARGIN, "1000");
    DoubleValue rate;
    values.Create<LossModel>(UniformLoss::GetTypeId())->GetAttribute("LossRate", rate);
    EXPECT_EQ(rate.Get(), 0.25);
}

TEST(AttributeValues, AreAppliedToAnObjectThatExists)
{
    AttributeValues values;
    values.Set(RESUME_MARGIN, "1234");
    auto made = CreateObject<FabricSwitch>();
    values.ApplyTo(*made);
    UintegerValue margin;
    made->GetAttribute("ResumeMargin", margin);
    EXPECT_EQ(margin.Get(), 1234);
}

TEST(AttributeValues, AnObjectThatIsHeldByAnotherTakesItsValues)
{
    AttributeValues values;
    values.Set("ns3::rdma::UniformLoss::LossRate", "0.25");
    const auto outer = values.Create<LossHolder>();
    DoubleValue rate;
    outer->loss->GetAttribute("LossRate", rate);
    EXPECT_EQ(rate.Get(), 0.25);
    EXPECT_THAT(GetHeldObjects(*outer), testing::ElementsAre(outer->loss));
}

TEST(AttributeValues, RefusesWhatNoClassHas)
{
    const std::pair<const char*, const char*> cases[]{
        {"ns3::rdma::FabricSwitch::NoSuch", "1"},
        {"ns3::rdma::NoSuch::ResumeMargin", "1"},
        {"ResumeMargin", "1"},
        {"", ""},
        {RESUME_MARGIN.c_str(), "-1"},
        {RESUME_MARGIN.c_str(), "many"},
        {"ns3::rdma::UniformLoss::LossRate", "1.5"},
        {"ns3::rdma::UniformLoss::LossRate", "half"},
        {"ns3::rdma::FabricSwitch::PfcEnabled", "perhaps"},
        {"ns3::rdma::FabricSwitch::LoadBalancer", "ns3::rdma::NoSuchBalancer"},
        {"ns3::rdma::LinkImpairment::MaxExtraDelay", "1"},
        {"ns3::rdma::LinkImpairment::MaxExtraDelay", "soon"},
    };
    for (const auto& [name, value] : cases)
    {
        AttributeValues values;
        EXPECT_THROW(values.Set(name, value), std::invalid_argument) << name << " = " << value;
        EXPECT_TRUE(values.GetAll().empty());
    }
}
