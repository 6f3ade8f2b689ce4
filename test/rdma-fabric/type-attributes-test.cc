// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/type-attributes.h"

#include "ns3/object.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

struct DescribedTable
{
    uint16_t depth{0};
};

class DescribedObject : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeAttributes::Of<DescribedObject, Object>("ns3::rdma::DescribedObject", "Test")
                .Add("Flag", Member(&DescribedObject::m_flag, true), "A flag")
                .Add("Small", Member(&DescribedObject::m_small, 7), "A number")
                .Add("Count", Member(&DescribedObject::m_count, 5, 2, 9), "A number")
                .Add("Signed", Member(&DescribedObject::m_signed, -1, -3, 4), "A number")
                .Add("Share", Member(&DescribedObject::m_share, 0.5, 0, 1), "A share")
                .Add("Rate", Member(&DescribedObject::m_rate, DataRate("1Gbps")), "A rate")
                .Add("Limit", Member(&DescribedObject::m_limit, DataRate(0), AnyRate()), "A rate")
                .Add("Delay",
                     Member(&DescribedObject::m_delay, NanoSeconds(5), Time(0), NanoSeconds(8)),
                     "A time")
                .Add("Cycle", Member(&DescribedObject::m_cycle, "3333ps", 100, 5000), "A time")
                .Add("Ticks", Member(&DescribedObject::m_ticks, NanoSeconds(2), Time(0)), "A time")
                .Add("Depth",
                     Part(&DescribedObject::m_table, &DescribedTable::depth, 6, 1, 8),
                     "A number in a table")
                .Add("Class", Member(&DescribedObject::m_class, Object::GetTypeId()), "A class")
                .Add("Name", Member(&DescribedObject::m_name, "some"), "A text")
                .Add("Shifted",
                     Property(&DescribedObject::SetShifted, &DescribedObject::GetShifted, 8, 0, 20),
                     "A number that two functions set and get");
        return tid;
    }

    void SetShifted(uint32_t shifted)
    {
        m_stored = shifted + 1;
    }

    uint32_t GetShifted() const
    {
        return m_stored - 1;
    }

    bool m_flag;
    uint8_t m_small;
    uint32_t m_count;
    int32_t m_signed;
    double m_share;
    DataRate m_rate;
    DataRate m_limit;
    Time m_delay;
    Time m_cycle;
    Tick m_ticks;
    DescribedTable m_table;
    TypeId m_class;
    std::string m_name;
    uint32_t m_stored;
};

NS_OBJECT_ENSURE_REGISTERED(DescribedObject);

Ptr<const AttributeChecker>
GetChecker(const std::string& name)
{
    TypeId::AttributeInformation found;
    EXPECT_TRUE(DescribedObject::GetTypeId().LookupAttributeByName(name, &found)) << name;
    return found.checker;
}

std::string
GetBounds(const std::string& name)
{
    return GetChecker(name)->GetUnderlyingTypeInformation();
}

} // namespace

TEST(TypeAttributes, AnObjectHasTheDefaultsOfItsMembers)
{
    const auto object = CreateObject<DescribedObject>();
    EXPECT_TRUE(object->m_flag);
    EXPECT_EQ(object->m_small, 7);
    EXPECT_EQ(object->m_count, 5);
    EXPECT_EQ(object->m_signed, -1);
    EXPECT_EQ(object->m_share, 0.5);
    EXPECT_EQ(object->m_rate, DataRate(1'000'000'000));
    EXPECT_EQ(object->m_limit, DataRate(0));
    EXPECT_EQ(object->m_delay, NanoSeconds(5));
    EXPECT_EQ(object->m_cycle, PicoSeconds(3333));
    EXPECT_EQ(object->m_ticks, 2000);
    EXPECT_EQ(object->m_table.depth, 6);
    EXPECT_EQ(object->m_class, Object::GetTypeId());
    EXPECT_EQ(object->m_name, "some");
    EXPECT_EQ(object->m_stored, 9); // 8 through SetShifted().
}

TEST(TypeAttributes, TheTypeOfAMemberSelectsTheClassOfItsValues)
{
    const std::pair<const char*, const char*> cases[]{{"Flag", "BooleanValue"},
                                                      {"Small", "UintegerValue"},
                                                      {"Signed", "IntegerValue"},
                                                      {"Share", "DoubleValue"},
                                                      {"Rate", "DataRateValue"},
                                                      {"Cycle", "TimeValue"},
                                                      {"Ticks", "TimeValue"},
                                                      {"Class", "TypeIdValue"},
                                                      {"Name", "StringValue"},
                                                      {"Shifted", "UintegerValue"}};
    for (const auto& [name, type] : cases)
    {
        // Some of ns-3's names have its namespace.
        const std::string found = GetChecker(name)->GetValueTypeName();
        EXPECT_EQ(found.substr(found.rfind(':') + 1), type) << name;
    }
}

TEST(TypeAttributes, BoundsAreThoseGivenElseThoseOfTheType)
{
    EXPECT_EQ(GetBounds("Small"), "uint8_t 0:255");
    EXPECT_EQ(GetBounds("Count"), "uint32_t 2:9");
    EXPECT_EQ(GetBounds("Signed"), "int32_t -3:4");
    EXPECT_EQ(GetBounds("Share"), "double 0:1");
    EXPECT_EQ(GetBounds("Rate"), "DataRate 10Mbps:1000000Gbps"); // LEAST_RATE to MOST_RATE.
    EXPECT_EQ(GetBounds("Cycle"), "Time 100ps:5ns");
}

TEST(TypeAttributes, BoundsThatAreTimesHold)
{
    const auto object = CreateObject<DescribedObject>();
    EXPECT_TRUE(object->SetAttributeFailSafe("Delay", TimeValue(NanoSeconds(8))));
    EXPECT_FALSE(object->SetAttributeFailSafe("Delay", TimeValue(NanoSeconds(9))));
    EXPECT_FALSE(object->SetAttributeFailSafe("Delay", TimeValue(NanoSeconds(-1))));
    EXPECT_EQ(object->m_delay, NanoSeconds(8));
}

TEST(TypeAttributes, AnAttributeOfAnyRateAcceptsZero)
{
    const auto object = CreateObject<DescribedObject>();
    EXPECT_FALSE(object->SetAttributeFailSafe("Rate", StringValue("0bps")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Limit", StringValue("1bps")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Limit", StringValue("0bps")));
    EXPECT_EQ(object->m_limit, DataRate(0));
}

TEST(TypeAttributes, FunctionsWriteAndReadAProperty)
{
    const auto object = CreateObject<DescribedObject>();
    object->SetAttribute("Shifted", UintegerValue(18));
    EXPECT_EQ(object->m_stored, 19);
    UintegerValue read;
    object->GetAttribute("Shifted", read);
    EXPECT_EQ(read.Get(), 18);
    EXPECT_FALSE(object->SetAttributeFailSafe("Shifted", UintegerValue(21)));
}

TEST(TypeAttributes, AMemberInTicksIsATime)
{
    const auto object = CreateObject<DescribedObject>();
    EXPECT_TRUE(object->SetAttributeFailSafe("Ticks", StringValue("1500ps")));
    EXPECT_EQ(object->m_ticks, 1500);
    TimeValue read;
    object->GetAttribute("Ticks", read);
    EXPECT_EQ(read.Get(), PicoSeconds(1500));
    EXPECT_FALSE(object->SetAttributeFailSafe("Ticks", StringValue("-1ns")));
}

TEST(TypeAttributes, AFieldOfAMemberIsSetWithinItsBounds)
{
    const auto object = CreateObject<DescribedObject>();
    object->SetAttribute("Depth", UintegerValue(8));
    EXPECT_EQ(object->m_table.depth, 8);
    EXPECT_FALSE(object->SetAttributeFailSafe("Depth", UintegerValue(9)));
}

// ns-3 distinguishes attributes by their checkers.
TEST(TypeAttributes, NoTwoAttributesShareAChecker)
{
    const TypeId type = DescribedObject::GetTypeId();
    std::set<const AttributeChecker*> checkers;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        checkers.insert(PeekPointer(type.GetAttribute(i).checker));
    }
    EXPECT_EQ(checkers.size(), 14);
}
