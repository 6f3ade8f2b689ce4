// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"

#include "ns3/alpha-rules.h"
#include "ns3/congestion-control.h"
#include "ns3/credit-scheduler.h"
#include "ns3/entropy-selector.h"
#include "ns3/flight-factory.h"
#include "ns3/loss-detector.h"
#include "ns3/rdma-nic.h"
#include "ns3/receiver-control.h"
#include "ns3/retransmission-timeout.h"
#include "ns3/string.h"
#include "ns3/wire-format.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class NicPresetAttributes : public testing::TestWithParam<NicPreset>
{
};
} // namespace

TEST_P(NicPresetAttributes, ExistAndTakeTheirValues)
{
    for (const auto& [name, value] : GetParam().attributes)
    {
        const std::size_t colon = name.rfind("::");
        TypeId type;
        ASSERT_TRUE(TypeId::LookupByNameFailSafe(name.substr(0, colon), &type)) << name;
        TypeId::AttributeInformation attribute;
        ASSERT_TRUE(type.LookupAttributeByName(name.substr(colon + 2), &attribute)) << name;
        EXPECT_TRUE(attribute.checker->CreateValidValue(StringValue(value)))
            << name << " " << value;
    }
}

TEST_P(NicPresetAttributes, AreEachSetOnce)
{
    for (const auto& list : {GetParam().attributes, GetParam().hardware, GetParam().fabric})
    {
        std::set<std::string> names;
        for (const auto& [name, value] : list)
        {
            EXPECT_TRUE(names.insert(name).second) << name;
        }
    }
}

TEST_P(NicPresetAttributes, ChooseACongestionControlALossDetectorAndATimeout)
{
    std::set<TypeId> parents;
    for (const auto& [name, value] : GetParam().attributes)
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(value, &type))
        {
            EXPECT_TRUE(type.HasConstructor());
            // What a policy is, not what it is made from.
            const bool isTimeout = type.IsChildOf(RetransmissionTimeout::GetTypeId());
            const bool isSelector = type.IsChildOf(EntropySelector::GetTypeId());
            parents.insert(isTimeout    ? RetransmissionTimeout::GetTypeId()
                           : isSelector ? EntropySelector::GetTypeId()
                                        : type.GetParent());
        }
    }
    parents.erase(AlphaRule::GetTypeId());  // Of a parameter set.
    parents.erase(WireFormat::GetTypeId()); // Those that keep IBTA's need not say so.
    parents.erase(FlightFactory::GetTypeId());
    // Those of one route need not say so, either.
    parents.erase(ReceiverControl::GetTypeId());
    parents.erase(EntropySelector::GetTypeId());
    parents.erase(CreditScheduler::GetTypeId());
    EXPECT_EQ(parents,
              (std::set<TypeId>{CongestionControl::GetTypeId(),
                                LossDetector::GetTypeId(),
                                RetransmissionTimeout::GetTypeId()}));
}

INSTANTIATE_TEST_SUITE_P(All,
                         NicPresetAttributes,
                         testing::ValuesIn(GetNicPresets()),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(NicPresets, AreFoundByName)
{
    for (const char* name : {"connectx5",
                             "connectx6",
                             "connectx7",
                             "bluefield3",
                             "cx5-measured",
                             "irn",
                             "srnic",
                             "balboa",
                             "fpga-sender",
                             "strom10g",
                             "strom100g"})
    {
        ASSERT_NE(FindNicPreset(name), nullptr) << name;
        EXPECT_EQ(FindNicPreset(name)->name, name);
    }
    EXPECT_EQ(FindNicPreset("connectx"), nullptr);
    EXPECT_EQ(FindNicPreset(""), nullptr);
}

TEST(NicPresets, OnlyConnectxAndBluefieldNeedALosslessFabric)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        const bool isAdapter = preset.name.rfind("connectx", 0) == 0 || preset.name == "bluefield3";
        EXPECT_EQ(preset.needsPfc, isAdapter) << preset.name;
    }
}

TEST(NicPresets, Connectx7AndBluefield3DifferFromConnectx6WhereASourceSaysSo)
{
    using Values = std::map<std::string, std::string>;
    const NicPreset& older = *FindNicPreset("connectx6");
    for (const char* name : {"connectx7", "bluefield3"})
    {
        const NicPreset& preset = *FindNicPreset(name);
        Values changes;
        // Later values replace earlier ones of the same name.
        for (const auto& [attribute, value] : preset.hardware)
        {
            changes[attribute] = value;
        }
        for (const auto& [attribute, value] : older.hardware)
        {
            if (changes[attribute] == value)
            {
                changes.erase(attribute);
            }
        }
        // One packet per 3 cycles of 1 ns: 333 million per second. PCIe 5.0 x16.
        EXPECT_EQ(changes,
                  (Values{{"ns3::rdma::NicHardware::PacketCycles", "3"},
                          {"ns3::rdma::PcieLink::Generation", "5"},
                          {"ns3::rdma::PcieLink::Lanes", "16"}}))
            << name;
    }
}

TEST(NicPresets, ConnectionStateLeavesRoomForFewerContexts)
{
    // 96,000 B: 256 contexts of 375 B. Ultra Ethernet adds 334 B, MRC 1,397 B.
    const auto get = [](const std::string& preset, const std::string& name) {
        std::string last; // The last value counts.
        for (const auto& [attribute, value] : FindNicPreset(preset)->hardware)
        {
            last = attribute == "ns3::rdma::ContextCache::" + name ? value : last;
        }
        return last;
    };
    EXPECT_EQ(get("connectx7", "Entries"), "256");
    EXPECT_EQ(get("uet", "EntryBytes"), "709");
    EXPECT_EQ(get("uet", "Entries"), "135");
    EXPECT_EQ(get("mrc", "EntryBytes"), "1772");
    EXPECT_EQ(get("mrc", "Entries"), "54");
}
