// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-fault.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Numbers at which a narrower type would cut one off, with the units of times and rates.
std::vector<std::string>
GetNumbers(const std::string& unit)
{
    std::vector<std::string> numbers;
    for (const char* number : {"0",
                               "1",
                               "127",
                               "255",
                               "256",
                               "32768",
                               "65535",
                               "65536",
                               "2147483648",
                               "4294967295",
                               "4294967296",
                               "9000000000000000000",
                               "18446744073709551615"})
    {
        numbers.push_back(number + unit);
    }
    return numbers;
}

/// @return low and high of "uint32_t 1:64"; without a unit, which numbers have.
std::vector<std::string>
GetBounds(const AttributeChecker& checker)
{
    if (checker.GetValueTypeName().find("StringValue") != std::string::npos)
    {
        return {}; // Its information is a sentence.
    }
    const std::string info = checker.GetUnderlyingTypeInformation();
    const std::size_t space = info.find(' ');
    const std::size_t colon = info.find(':', space);
    if (space == std::string::npos || colon == std::string::npos)
    {
        return {};
    }
    return {info.substr(space + 1, colon - space - 1), info.substr(colon + 1)};
}

std::vector<std::string>
GetCandidates(const TypeId::AttributeInformation& attribute)
{
    const std::string type = attribute.checker->GetValueTypeName();
    std::vector<std::string> values;
    if (type == "ns3::UintegerValue" || type == "ns3::DoubleValue")
    {
        values = GetNumbers("");
    }
    else if (type == "ns3::TimeValue")
    {
        values = GetNumbers("ps");
    }
    else if (type == "ns3::DataRateValue" || type == "DataRateValue")
    {
        values = GetNumbers("bps");
    }
    for (const std::string& bound : GetBounds(*attribute.checker))
    {
        values.push_back(bound);
    }
    return values;
}

/// @return what the object holds, as the checker writes it.
std::string
ReadBack(const Object& object, const TypeId::AttributeInformation& attribute)
{
    const Ptr<AttributeValue> value = attribute.checker->Create();
    object.GetAttribute(attribute.name, *value);
    return value->SerializeToString(attribute.checker);
}

/// @return values set.
int
CheckAttribute(TypeId type, const TypeId::AttributeInformation& attribute)
{
    int count = 0;
    const std::string name = type.GetName() + "::" + attribute.name;
    for (const std::string& text : GetCandidates(attribute))
    {
        if (FindAttributeFault(name, text))
        {
            continue;
        }
        const Ptr<AttributeValue> value = attribute.checker->CreateValidValue(StringValue(text));
        ObjectFactory factory;
        factory.SetTypeId(type);
        factory.Set(attribute.name, *value);
        try
        {
            const Ptr<Object> object = factory.Create();
            EXPECT_EQ(ReadBack(*object, attribute), value->SerializeToString(attribute.checker))
                << name << " = " << text;
            ++count;
        }
        catch (const std::invalid_argument& error)
        {
            // One that does not go with another attribute names it.
            EXPECT_NE(std::string(error.what()).find(attribute.name), std::string::npos) << text;
        }
    }
    return count;
}
} // namespace

TEST(AttributeBounds, EveryAttributeHoldsEachValueThatIsWithinItsBounds)
{
    int count = 0;
    for (const TypeId& type : FindTypes(""))
    {
        if (type.GetName().rfind("ns3::rdma::", 0) != 0)
        {
            continue;
        }
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            if ((attribute.flags & TypeId::ATTR_SGC) == TypeId::ATTR_SGC)
            {
                count += CheckAttribute(type, attribute);
            }
        }
    }
    EXPECT_GT(count, 1500); // About 280 attributes that are numbers, each with 5 values and more.
}
