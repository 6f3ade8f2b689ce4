// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bounded-checker.h"

#include "ns3/attribute-fault.h"
#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class BoundedObject : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::BoundedObject")
                                .SetParent<Object>()
                                .AddConstructor<BoundedObject>()
                                .AddAttribute("Rate",
                                              "Of this test",
                                              DataRateValue(DataRate("1Gbps")),
                                              MakeDataRateAccessor(&BoundedObject::m_rate),
                                              MakeRateChecker(2'000'000, 3'000'000'000))
                                .AddAttribute("Other",
                                              "Likewise",
                                              DataRateValue(DataRate("1Gbps")),
                                              MakeDataRateAccessor(&BoundedObject::m_other),
                                              MakeRateChecker())
                                .AddAttribute("Cycle",
                                              "Below a nanosecond",
                                              StringValue("3333ps"),
                                              MakeTimeAccessor(&BoundedObject::m_cycle),
                                              MakeTickChecker(100, 1'000'000));
        return tid;
    }

    DataRate m_rate;
    DataRate m_other;
    Time m_cycle;
};

NS_OBJECT_ENSURE_REGISTERED(BoundedObject);

} // namespace

TEST(BoundedChecker, ARateHasBothBounds)
{
    const auto object = CreateObject<BoundedObject>();
    EXPECT_TRUE(object->SetAttributeFailSafe("Rate", StringValue("2Mbps")));
    EXPECT_EQ(object->m_rate, DataRate(2'000'000));
    EXPECT_FALSE(object->SetAttributeFailSafe("Rate", StringValue("1999999bps")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Rate", StringValue("0bps")));
    EXPECT_EQ(object->m_rate, DataRate(2'000'000)); // A refused value changes nothing.
    EXPECT_TRUE(object->SetAttributeFailSafe("Rate", DataRateValue(DataRate("3Gbps"))));
    EXPECT_FALSE(object->SetAttributeFailSafe("Rate", DataRateValue(DataRate(3'000'000'001))));
    EXPECT_TRUE(object->SetAttributeFailSafe("Other", StringValue("10Mbps")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Other", StringValue("9999999bps")));
}

TEST(BoundedChecker, AFaultNamesTheBounds)
{
    const auto fault = FindAttributeFault("ns3::rdma::BoundedObject::Rate", "1bps");
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->expected.find("(DataRate 2Mbps:3Gbps)"), std::string::npos) << fault->expected;
    EXPECT_FALSE(FindAttributeFault("ns3::rdma::BoundedObject::Rate", "1Gbps"));
}

TEST(BoundedChecker, CopiesOneRateToAnother)
{
    const auto checker = MakeRateChecker();
    const Ptr<AttributeValue> made = checker->Create();
    ASSERT_TRUE(checker->Copy(DataRateValue(DataRate("5Gbps")), *made));
    EXPECT_EQ(dynamic_cast<const DataRateValue&>(*made).Get(), DataRate("5Gbps"));
    EXPECT_NE(MakeRateChecker(), checker); // Attributes are told apart by them.
}

TEST(BoundedChecker, TimesBelowANanosecondAreNotRounded)
{
    const auto object = CreateObject<BoundedObject>();
    EXPECT_EQ(object->m_cycle, PicoSeconds(3333)); // Registered before the resolution was set.
    EXPECT_TRUE(object->SetAttributeFailSafe("Cycle", TimeValue(PicoSeconds(100))));
    EXPECT_FALSE(object->SetAttributeFailSafe("Cycle", TimeValue(PicoSeconds(99))));
    EXPECT_FALSE(object->SetAttributeFailSafe("Cycle", StringValue("0s")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Cycle", StringValue("1us")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Cycle", StringValue("1000001ps")));
    const auto fault = FindAttributeFault("ns3::rdma::BoundedObject::Cycle", "1ps");
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->expected.find("(Time 100ps:1us)"), std::string::npos) << fault->expected;
}
