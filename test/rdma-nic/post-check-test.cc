// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/post-check.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t BASE{0x10000};
constexpr uint32_t BYTES{4096};
constexpr uint32_t MTU{1024};

class PostCheck : public testing::Test
{
  protected:
    PostLimits GetLimits() const
    {
        return {service, capabilities, domain ? PeekPointer(domain) : nullptr, MTU, maxReads};
    }

    SendWorkRequest Make(WrOpcode opcode, uint32_t bytes) const
    {
        SendWorkRequest request;
        request.opcode = opcode;
        request.sgList = {{BASE, bytes, region.localKey}};
        return request;
    }

    bool IsOk(const SendWorkRequest& request) const
    {
        return IsPostable(request, GetLimits());
    }

    WcStatus Check(const SendWorkRequest& request) const
    {
        return CheckLocally(request, GetLimits());
    }

    Service service{Service::RC};
    QueuePairCapabilities capabilities;
    Ptr<ProtectionDomain> domain = Create<ProtectionDomain>();
    MemoryRegion region = domain->Register(BASE, BYTES, memory_access::LOCAL_WRITE);
    uint32_t maxReads{16};
};
} // namespace

TEST_F(PostCheck, AServiceHasItsOperationsOnly)
{
    EXPECT_TRUE(IsOk(Make(WrOpcode::RDMA_READ, 100)));
    service = Service::UC;
    EXPECT_FALSE(IsOk(Make(WrOpcode::RDMA_READ, 100)));
    EXPECT_FALSE(IsOk(Make(WrOpcode::ATOMIC_FETCH_AND_ADD, 8)));
    EXPECT_TRUE(IsOk(Make(WrOpcode::RDMA_WRITE_WITH_IMM, 100)));
    service = Service::UD;
    EXPECT_FALSE(IsOk(Make(WrOpcode::RDMA_WRITE_WITH_IMM, 100)));
    EXPECT_TRUE(IsOk(Make(WrOpcode::SEND_WITH_IMM, 100)));
}

TEST_F(PostCheck, PiecesAreLimited)
{
    capabilities.maxSendSge = 2;
    SendWorkRequest request = Make(WrOpcode::SEND, 10);
    request.sgList.push_back(request.sgList[0]);
    EXPECT_TRUE(IsOk(request));
    request.sgList.push_back(request.sgList[0]);
    EXPECT_FALSE(IsOk(request));
    request.sgList.clear(); // An empty message is one.
    EXPECT_TRUE(IsOk(request));
}

TEST_F(PostCheck, AMessageHasAtMostTwoGibibytes)
{
    EXPECT_TRUE(IsOk(Make(WrOpcode::RDMA_WRITE, 1U << 31)));
    EXPECT_FALSE(IsOk(Make(WrOpcode::RDMA_WRITE, (1U << 31) + 1)));
}

TEST_F(PostCheck, AMessageHasFewerPacketsThanHalfTheCircle)
{
    // Of 256 bytes each, 2^31 bytes are 2^23 packets: too many to tell old from new.
    PostLimits limits{service, capabilities, nullptr, 256, maxReads};
    EXPECT_FALSE(IsPostable(Make(WrOpcode::RDMA_WRITE, 1U << 31), limits));
    EXPECT_TRUE(IsPostable(Make(WrOpcode::RDMA_WRITE, (1U << 31) - 1024), limits));
}

TEST_F(PostCheck, AtomicsHaveEightBytes)
{
    EXPECT_TRUE(IsOk(Make(WrOpcode::ATOMIC_CMP_AND_SWP, 8)));
    EXPECT_FALSE(IsOk(Make(WrOpcode::ATOMIC_CMP_AND_SWP, 4)));
    EXPECT_FALSE(IsOk(Make(WrOpcode::ATOMIC_FETCH_AND_ADD, 16)));
}

TEST_F(PostCheck, InlineIsForShortMessagesThatGoOut)
{
    capabilities.maxInlineBytes = 64;
    SendWorkRequest request = Make(WrOpcode::SEND, 64);
    request.isInline = true;
    EXPECT_TRUE(IsOk(request));
    request.sgList[0].length = 65;
    EXPECT_FALSE(IsOk(request));
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList[0].length = 8;
    EXPECT_FALSE(IsOk(request));
}

TEST_F(PostCheck, LocalMemoryMustBeRegistered)
{
    EXPECT_EQ(Check(Make(WrOpcode::SEND, BYTES)), WcStatus::SUCCESS);
    EXPECT_EQ(Check(Make(WrOpcode::SEND, BYTES + 1)), WcStatus::LOC_PROT_ERR);
    SendWorkRequest request = Make(WrOpcode::SEND, 10);
    request.sgList[0].localKey = 0;
    EXPECT_EQ(Check(request), WcStatus::LOC_PROT_ERR);
    request.isInline = true; // Its bytes are copied: no key is needed.
    EXPECT_EQ(Check(request), WcStatus::SUCCESS);
    request.isInline = false;
    domain = nullptr;
    EXPECT_EQ(Check(request), WcStatus::SUCCESS);
}

TEST_F(PostCheck, WhatComesBackIsWritten)
{
    const MemoryRegion readOnly = domain->Register(BASE + BYTES, BYTES, 0);
    for (const WrOpcode code : {WrOpcode::SEND, WrOpcode::RDMA_READ, WrOpcode::ATOMIC_CMP_AND_SWP})
    {
        SendWorkRequest request = Make(code, 8);
        EXPECT_EQ(Check(request), WcStatus::SUCCESS);
        request.sgList[0] = {BASE + BYTES, 8, readOnly.localKey};
        EXPECT_EQ(Check(request),
                  code == WrOpcode::SEND ? WcStatus::SUCCESS : WcStatus::LOC_PROT_ERR);
    }
}

TEST_F(PostCheck, ADatagramIsOnePacket)
{
    EXPECT_EQ(Check(Make(WrOpcode::SEND, MTU + 1)), WcStatus::SUCCESS);
    service = Service::UD;
    EXPECT_EQ(Check(Make(WrOpcode::SEND, MTU)), WcStatus::SUCCESS);
    EXPECT_EQ(Check(Make(WrOpcode::SEND, MTU + 1)), WcStatus::LOC_LEN_ERR);
}

TEST_F(PostCheck, ReadsNeedResources)
{
    maxReads = 0;
    EXPECT_EQ(Check(Make(WrOpcode::RDMA_READ, 8)), WcStatus::LOC_QP_OP_ERR);
    EXPECT_EQ(Check(Make(WrOpcode::ATOMIC_FETCH_AND_ADD, 8)), WcStatus::LOC_QP_OP_ERR);
    EXPECT_EQ(Check(Make(WrOpcode::RDMA_WRITE, 8)), WcStatus::SUCCESS);
}
