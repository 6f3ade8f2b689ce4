// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/service-chain.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Says what it is told to say, and remembers what it sees.
class ToldService : public StreamService
{
  public:
    explicit ToldService(Placement placement)
        : m_placement(placement)
    {
    }

    uint64_t GetRpcCode() const override
    {
        return 1;
    }

    Placement GetPlacement() const override
    {
        return m_placement;
    }

    KernelStep OnPacket(const KernelInput&) override
    {
        return {};
    }

    StreamStep OnStream(const StreamInput& input) override
    {
        seen.push_back(input.bytes.Copy());
        seenAt.push_back(input.at);
        StreamStep step;
        step.isRejected = rejects;
        step.passedAt = delay > 0 ? input.at + delay : 0;
        step.readyAt = input.at + interval;
        if (adds > 0)
        {
            step.bytes = seen.back();
            std::for_each(step.bytes.begin(), step.bytes.end(), [this](uint8_t& byte) {
                byte = static_cast<uint8_t>(byte + adds);
            });
        }
        return step;
    }

    bool rejects{false};
    uint8_t adds{0}; ///< To each byte.
    Tick delay{0};
    Tick interval{0};
    std::vector<std::vector<uint8_t>> seen;
    std::vector<Tick> seenAt;

  private:
    Placement m_placement;
};

class ServiceChainTest : public testing::Test
{
  protected:
    using Placement = StreamService::Placement;

    Ptr<ToldService> Add(Placement placement)
    {
        auto service = CreateObject<ToldService>(placement);
        auto entry = std::make_shared<ServiceEntry>();
        entry->service = service;
        m_chain.Add(entry);
        return service;
    }

    ChainOutcome Pass(Tick at)
    {
        StreamInput input;
        input.bytes = ByteView(m_bytes);
        input.at = at;
        return m_chain.Pass(input);
    }

    std::vector<uint8_t> m_bytes{1, 2, 3};
    ServiceChain m_chain;
};
} // namespace

TEST_F(ServiceChainTest, DataGoFromOneServiceInTheStreamToTheNext)
{
    auto first = Add(Placement::ON_PATH);
    auto second = Add(Placement::ON_PATH);
    first->adds = 10;
    first->delay = 100;
    second->adds = 1;
    second->delay = 50;
    const ChainOutcome outcome = Pass(1000);
    EXPECT_TRUE(outcome.isChanged);
    EXPECT_EQ(outcome.bytes, (std::vector<uint8_t>{12, 13, 14}));
    EXPECT_EQ(outcome.passedAt, 1150);
    EXPECT_EQ(second->seen[0], (std::vector<uint8_t>{11, 12, 13}));
    EXPECT_EQ(second->seenAt[0], 1100);
}

TEST_F(ServiceChainTest, AVerdictOnACopyIsAwaited)
{
    auto inspector = Add(Placement::PARALLEL);
    auto cipher = Add(Placement::ON_PATH);
    inspector->delay = 500;
    cipher->adds = 1;
    cipher->delay = 100;
    EXPECT_EQ(Pass(1000).passedAt, 1500);
    EXPECT_EQ(cipher->seenAt[0], 1000); // The copy holds up nothing but the end.
    inspector->delay = 50;
    EXPECT_EQ(Pass(2000).passedAt, 2100);
    inspector->delay = 0; // It gives no verdict.
    EXPECT_EQ(Pass(3000).passedAt, 3100);
}

TEST_F(ServiceChainTest, RejectedDataReachNoServiceBehind)
{
    auto first = Add(Placement::ON_PATH);
    auto second = Add(Placement::ON_PATH);
    first->rejects = true;
    EXPECT_TRUE(Pass(0).isRejected);
    EXPECT_TRUE(second->seen.empty());
}

TEST_F(ServiceChainTest, ARejectionOnACopyLetsTheOthersSeeTheData)
{
    auto inspector = Add(Placement::PARALLEL);
    auto second = Add(Placement::ON_PATH);
    inspector->rejects = true;
    EXPECT_TRUE(Pass(0).isRejected);
    EXPECT_EQ(second->seen.size(), 1);
}

TEST_F(ServiceChainTest, PacketsWaitForABusyServiceUpToABound)
{
    auto service = Add(Placement::ON_PATH);
    service->interval = 100;
    service->delay = 10;
    EXPECT_EQ(Pass(1000).passedAt, 1010);
    EXPECT_EQ(Pass(1000).passedAt, 1110); // Waits until 1100,
    EXPECT_EQ(Pass(1000).passedAt, 1210); // and until 1200.
    EXPECT_TRUE(m_chain.HasRoom(1000, 3));
    EXPECT_FALSE(m_chain.HasRoom(1000, 2));
    EXPECT_FALSE(m_chain.HasRoom(1099, 2));
    EXPECT_TRUE(m_chain.HasRoom(1100, 2));
}

TEST_F(ServiceChainTest, ABusyCopyDoesNotHoldUpData)
{
    auto inspector = Add(Placement::PARALLEL);
    auto cipher = Add(Placement::ON_PATH);
    inspector->interval = 100;
    Pass(1000);
    EXPECT_EQ(Pass(1010).passedAt, 1010);
    EXPECT_EQ(inspector->seenAt[1], 1100);
    EXPECT_EQ(cipher->seenAt[1], 1010);
}
