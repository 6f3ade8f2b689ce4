// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-fault.h"
#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Three servers with NICs at a switch, which is node 3.
class AttributesOfABuiltNic : public testing::Test
{
  protected:
    AttributesOfABuiltNic()
        : m_fabric(FabricHelper(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1))).Create())
    {
        m_nics = RdmaNicHelper(NicDesign::FromPreset("connectx6")).Install(*m_fabric);
    }

    ~AttributesOfABuiltNic() override
    {
        Simulator::Destroy();
    }

    /// @return what() of the error; empty: there is none.
    static std::string Set(const std::string& path, const AttributeValue& value)
    {
        try
        {
            Config::Set(path, value);
        }
        catch (const std::logic_error& error)
        {
            return error.what();
        }
        return "";
    }

    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics;
};
} // namespace

TEST_F(AttributesOfABuiltNic, TheCnpIntervalTakesEffect)
{
    EXPECT_EQ(Set("/NodeList/*/$ns3::rdma::RdmaNic/CnpInterval", TimeValue(MicroSeconds(7))), "");
    TimeValue value;
    m_nics[0]->GetAttribute("CnpInterval", value);
    EXPECT_EQ(value.Get(), MicroSeconds(7));
}

TEST_F(AttributesOfABuiltNic, TheAckIntervalIsOneClearError)
{
    EXPECT_EQ(Set("/NodeList/*/$ns3::rdma::RdmaNic/AckInterval", UintegerValue(8)),
              "ns3::rdma::RdmaNic::AckInterval is read when its object starts: set it before");
    EXPECT_EQ(m_nics[0]->GetAckInterval(), 1);
}

TEST_F(AttributesOfABuiltNic, TheBufferOfASwitchIsOneClearError)
{
    try
    {
        m_fabric->GetSwitch(3)->SetAttribute("BufferSize", UintegerValue(1 << 20));
        FAIL() << "no error";
    }
    catch (const std::logic_error& error)
    {
        EXPECT_STREQ(
            error.what(),
            "ns3::rdma::FabricSwitch::BufferSize is read when its object starts: set it before");
    }
    m_fabric->GetSwitch(3)->SetAttribute("PauseQuanta", UintegerValue(100)); // Takes effect.
}

TEST(NicAttributes, ADefaultMayBeNamedEvenIfItIsAnAbstractClass)
{
    // The base class says that none is used: a scenario may say so, too.
    const std::string nic = "ns3::rdma::RdmaNic::";
    EXPECT_FALSE(FindAttributeFault(nic + "ReceiverControl", "ns3::rdma::ReceiverControl"));
    EXPECT_FALSE(FindAttributeFault(nic + "EntropySelector", "ns3::rdma::EntropySelector"));
    EXPECT_TRUE(FindAttributeFault(nic + "CongestionControl", "ns3::rdma::CongestionControl"));
}
