// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-fault.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/object.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Has an attribute of each kind that scenarios set.
class AttributeSample : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::AttributeSample")
                                .SetParent<Object>()
                                .AddConstructor<AttributeSample>()
                                .AddAttribute("Share",
                                              "A double from 0 to 1",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&AttributeSample::m_share),
                                              MakeDoubleChecker<double>(0, 1))
                                .AddAttribute("Count",
                                              "A number from 1 to 10",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&AttributeSample::m_count),
                                              MakeUintegerChecker<uint32_t>(1, 10))
                                .AddAttribute("Level",
                                              "A number of any sign",
                                              IntegerValue(0),
                                              MakeIntegerAccessor(&AttributeSample::m_level),
                                              MakeIntegerChecker<int32_t>())
                                .AddAttribute("Period",
                                              "A time",
                                              TimeValue(Seconds(1)),
                                              MakeTimeAccessor(&AttributeSample::m_period),
                                              MakeTimeChecker())
                                .AddAttribute("Rate",
                                              "A rate",
                                              DataRateValue(DataRate(1)),
                                              MakeDataRateAccessor(&AttributeSample::m_rate),
                                              MakeDataRateChecker())
                                .AddAttribute("Flag",
                                              "A truth",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&AttributeSample::m_flag),
                                              MakeBooleanChecker());
        return tid;
    }

  private:
    double m_share;
    uint32_t m_count;
    int32_t m_level;
    Time m_period;
    DataRate m_rate;
    bool m_flag;
};

/// Inherits all of them.
class AttributeSampleChild : public AttributeSample
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::AttributeSampleChild")
                                .SetParent<AttributeSample>()
                                .AddConstructor<AttributeSampleChild>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(AttributeSample);
NS_OBJECT_ENSURE_REGISTERED(AttributeSampleChild);

struct ValueCase
{
    const char* attribute;
    std::vector<const char*> good;
    std::vector<const char*> bad;
};

/// Several of the bad ones make ns-3 itself abort the program.
const ValueCase VALUE_CASES[] = {
    {"Share", {"0", "1", "0.25", "1e-3"}, {"", "2", "-0.1", "0.5x", "abc", "nan", "0.5 "}},
    {"Count", {"1", "10"}, {"0", "11", "-5", "5x", "1.5", ""}},
    {"Level", {"-7", "0"}, {"7x", "1.5", ""}},
    {"Period",
     {"1us", "0.5ms", "0s", "1000000s"},
     {"5", "5usx", "abc", "-1us", "0.1ps", "1000001s", ""}},
    {"Rate", {"1Gbps", "40Mb/s"}, {"Gbps", "abc", "-1Gbps", "1e3Gbps", "1GBps", "1Tbps", ""}},
    {"Flag", {"true", "false"}, {"maybe", ""}},
};

} // namespace

TEST(AttributeFault, UsesTheCheckerOfTheAttribute)
{
    for (const ValueCase& value : VALUE_CASES)
    {
        const std::string name = std::string("ns3::rdma::AttributeSample::") + value.attribute;
        for (const char* good : value.good)
        {
            EXPECT_FALSE(FindAttributeFault(name, good)) << name << " " << good;
        }
        for (const char* bad : value.bad)
        {
            EXPECT_TRUE(FindAttributeFault(name, bad)) << name << " " << bad;
        }
    }
}

TEST(AttributeFault, SaysWhatAnAttributeTakes)
{
    const auto fault = FindAttributeFault("ns3::rdma::AttributeSample::Share", "2");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->expected, "a ns3::DoubleValue (double 0:1)");
    EXPECT_EQ(fault->got, "\"2\"");
}

TEST(AttributeFault, FindsTypesThatAreRegisteredLater)
{
    const auto hasName = [](const std::string& name) {
        const std::vector<TypeId> types = FindTypes("ns3::rdma::AttributeSample");
        return std::any_of(types.begin(), types.end(), [&name](const TypeId& type) {
            return type.GetName() == name;
        });
    };
    EXPECT_TRUE(hasName(AttributeSampleChild::GetTypeId().GetName()));
    EXPECT_FALSE(hasName("ns3::rdma::LateSample"));
    // As a plug-in does.
    TypeId("ns3::rdma::LateSample")
        .SetParent<AttributeSample>()
        .AddConstructor<AttributeSampleChild>();
    EXPECT_TRUE(hasName("ns3::rdma::LateSample"));
}

TEST(AttributeFault, NamesTheNearestTypeAndAttribute)
{
    const auto type = FindAttributeFault("ns3::rdma::AtributeSample::Share", "1");
    ASSERT_TRUE(type);
    EXPECT_EQ(type->got, "the unknown type ns3::rdma::AtributeSample");
    EXPECT_NE(type->expected.find("nearest: ns3::rdma::AttributeSample"), std::string::npos);
    const auto attribute = FindAttributeFault("ns3::rdma::AttributeSample::Periot", "1");
    ASSERT_TRUE(attribute);
    EXPECT_EQ(attribute->expected, "an attribute of ns3::rdma::AttributeSample (nearest: Period)");
    EXPECT_TRUE(FindAttributeFault("Share", "1"));
}

TEST(AttributeFault, PointsToTheTypeThatDeclaresAnInheritedAttribute)
{
    // Config::SetDefault() looks at the attributes of the type itself only.
    const auto fault = FindAttributeFault("ns3::rdma::AttributeSampleChild::Share", "1");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->expected, "the type that declares it, ns3::rdma::AttributeSample::Share");
}

TEST(AttributeFault, AddsAHintToUnknownTypesAlone)
{
    const auto type = FindAttributeFault("ns3::rdma::NoSuch::Share", "1", "; say please");
    ASSERT_TRUE(type);
    EXPECT_NE(type->expected.find("; say please)"), std::string::npos);
    const auto attribute = FindAttributeFault("ns3::rdma::AttributeSample::Periot", "1", "; no");
    ASSERT_TRUE(attribute);
    EXPECT_EQ(attribute->expected.find("; no"), std::string::npos);
}
