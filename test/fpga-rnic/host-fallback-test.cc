// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-fallback.h"

#include "two-kernel-hosts.h"

#include "ns3/get-kernel.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t NS{1000};

/// Reads as many words one after the other as its parameters have bytes behind the target.
class Walker : public OffloadKernel
{
  public:
    static constexpr uint64_t CODE{91};

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        starts.push_back(input.at);
        left = static_cast<uint32_t>(input.bytes.GetSize() - sizeof(uint64_t));
        return Read();
    }

    KernelStep OnData(uint64_t, ByteView, Tick now) override
    {
        end = now;
        return left > 0 && --left > 0 ? Read() : KernelStep{};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        ++faults;
        return {};
    }

    std::vector<Tick> starts;
    Tick end{0};
    uint32_t left{0};
    uint32_t faults{0};
    uint64_t address{VerbsEnd::BASE};

  private:
    KernelStep Read() const
    {
        return {{{KernelCommand::Kind::READ_HOST, 0, address, 8, {}, 1}}};
    }
};

class HostFallbackTest : public testing::Test
{
  protected:
    HostFallbackTest()
        : m_hosts(false)
    {
        m_hosts.Start();
        m_pcie->Start(RandomStream(1, 0));
        RdmaNic& nic = m_hosts.bench.GetNic(0);
        m_fallback->Start({*nic.GetCore().engine,
                           nic,
                           *m_pcie,
                           *m_hosts.bench.ends[0].memory,
                           *m_hosts.hosts[0]->GetTlb()});
        EXPECT_TRUE(m_fallback->Deploy(m_kernel));
    }

    ~HostFallbackTest() override
    {
        m_fallback->Dispose();
    }

    bool Accept(uint64_t code, std::size_t loads)
    {
        const std::vector<uint8_t> bytes(sizeof(uint64_t) + loads);
        KernelInput input;
        input.bytes = ByteView(bytes);
        return m_fallback->Accept(code, input);
    }

    TwoKernelHosts m_hosts;
    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
    Ptr<HostFallback> m_fallback = CreateObject<HostFallback>();
    Ptr<Walker> m_kernel = CreateObject<Walker>();
};
} // namespace

TEST_F(HostFallbackTest, EachReadIsACacheMissOfTheCore)
{
    EXPECT_TRUE(Accept(Walker::CODE, 5));
    m_hosts.bench.Run();
    ASSERT_EQ(m_kernel->starts.size(), 1U);
    EXPECT_EQ(m_kernel->end - m_kernel->starts[0], 5 * 80 * static_cast<Tick>(NS));
    EXPECT_EQ(m_fallback->GetCalls(), 1U);
}

TEST_F(HostFallbackTest, OneCoreDoesOneThingAfterTheOther)
{
    EXPECT_TRUE(Accept(Walker::CODE, 1));
    EXPECT_TRUE(Accept(Walker::CODE, 1));
    m_hosts.bench.Run();
    ASSERT_EQ(m_kernel->starts.size(), 2U);
    EXPECT_GE(m_kernel->starts[1] - m_kernel->starts[0], 100 * static_cast<Tick>(NS)); // A poll.
}

TEST_F(HostFallbackTest, MemoryThatIsNotPinnedIsAFault)
{
    m_kernel->address = VerbsEnd::BASE + 2 * TwoKernelHosts::PINNED;
    EXPECT_TRUE(Accept(Walker::CODE, 1));
    m_hosts.bench.Run();
    EXPECT_EQ(m_kernel->faults, 1U);
}

TEST_F(HostFallbackTest, TakesOnlyTheCodesOfItsKernelsAndEachOnce)
{
    EXPECT_FALSE(Accept(Walker::CODE + 1, 1));
    EXPECT_FALSE(m_fallback->Deploy(CreateObject<Walker>()));
    EXPECT_TRUE(m_fallback->Deploy(CreateObject<GetKernel>()));
    m_hosts.bench.Run();
    EXPECT_EQ(m_fallback->GetCalls(), 0U);
}
