// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/startup-accessor.h"

#include "ns3/object.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Has an attribute that it reads when it starts.
class Starter : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::test::Starter")
                .SetParent<Object>()
                .AddConstructor<Starter>()
                .AddAttribute("Size",
                              "Bytes",
                              UintegerValue(5),
                              Create<StartupAccessor>(
                                  MakeUintegerAccessor(&Starter::size),
                                  [](const ObjectBase& object) {
                                      return static_cast<const Starter&>(object).hasStarted;
                                  }),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    uint32_t size{0};
    bool hasStarted{false};
};
} // namespace

TEST(StartupAccessor, SetsUntilTheObjectStarts)
{
    auto starter = CreateObject<Starter>();
    EXPECT_EQ(starter->size, 5);
    starter->SetAttribute("Size", UintegerValue(6));
    EXPECT_EQ(starter->size, 6);
    UintegerValue value;
    starter->GetAttribute("Size", value);
    EXPECT_EQ(value.Get(), 6);
}

TEST(StartupAccessor, AChangeAfterTheStartIsAnErrorThatNamesTheAttribute)
{
    auto starter = CreateObject<Starter>();
    starter->hasStarted = true;
    try
    {
        starter->SetAttribute("Size", UintegerValue(7));
        FAIL() << "no error";
    }
    catch (const std::logic_error& error)
    {
        EXPECT_STREQ(
            error.what(),
            "ns3::rdma::test::Starter::Size is read when its object starts: set it before");
    }
    EXPECT_EQ(starter->size, 5);
}
