// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/parameter-sets.h"

#include "ns3/dcqcn.h"
#include "ns3/rdma-nic.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

TypeId::AttributeInformation
Find(const std::string& name)
{
    const std::size_t colon = name.rfind("::");
    TypeId::AttributeInformation attribute;
    EXPECT_TRUE(TypeId::LookupByName(name.substr(0, colon))
                    .LookupAttributeByName(name.substr(colon + 2), &attribute))
        << name;
    return attribute;
}

class ParameterSets : public testing::TestWithParam<ParameterSet>
{
};
} // namespace

TEST_P(ParameterSets, SayEveryAttributeOfDcqcnAndThePaceOfCnps)
{
    std::set<std::string> expected{"ns3::rdma::RdmaNic::CnpInterval"};
    const TypeId dcqcn = Dcqcn::GetTypeId();
    for (std::size_t i = 0; i < dcqcn.GetAttributeN(); ++i)
    {
        expected.insert(dcqcn.GetAttributeFullName(i));
    }
    std::set<std::string> said;
    for (const auto& [name, value] : GetParam().attributes)
    {
        EXPECT_TRUE(said.insert(name).second) << name;
        EXPECT_TRUE(Find(name).checker->CreateValidValue(StringValue(value))) << name;
    }
    EXPECT_EQ(said, expected);
    EXPECT_EQ(GetParam().congestionControl, dcqcn.GetName());
}

INSTANTIATE_TEST_SUITE_P(All,
                         ParameterSets,
                         testing::ValuesIn(GetParameterSets()),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(ParameterSet, TheDefaultOneIsWhatAttributesDefaultTo)
{
    const ParameterSet* set = FindParameterSet(DEFAULT_DCQCN_SET);
    ASSERT_NE(set, nullptr);
    for (const auto& [name, value] : set->attributes)
    {
        const auto attribute = Find(name);
        const auto published = attribute.checker->CreateValidValue(StringValue(value));
        EXPECT_EQ(published->SerializeToString(attribute.checker),
                  attribute.originalInitialValue->SerializeToString(attribute.checker))
            << name;
    }
}

TEST(ParameterSet, IsFoundByName)
{
    for (const char* name : {"zhu2015", "nvidia", "hpcc", "srnic-authors"})
    {
        ASSERT_NE(FindParameterSet(name), nullptr) << name;
        EXPECT_EQ(FindParameterSet(name)->name, name);
    }
    EXPECT_EQ(FindParameterSet("Nvidia"), nullptr);
    EXPECT_EQ(FindParameterSet(""), nullptr);
}
