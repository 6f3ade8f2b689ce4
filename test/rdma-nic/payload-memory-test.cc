// SPDX-License-Identifier: GPL-2.0-only

// Payload that is not placed in host memory.

#include "verbs-test-bench.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// What a kernel on the NIC might have: it takes bytes in the order in which they are placed, and
/// computes those that are read.
class StreamMemory : public PayloadMemory
{
  public:
    void Write(uint64_t address, const uint8_t* bytes, std::size_t count) override
    {
        EXPECT_EQ(address, VerbsEnd::BASE + taken.size()); // Without gaps and in order.
        taken.insert(taken.end(), bytes, bytes + count);
    }

    void Read(uint64_t address, uint8_t* bytes, std::size_t count) const override
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            bytes[i] = Compute(address + i);
        }
    }

    static uint8_t Compute(uint64_t address)
    {
        return static_cast<uint8_t>(address * 13 + (address >> 8));
    }

    std::vector<uint8_t> taken;
};

class PayloadMemories : public testing::TestWithParam<std::tuple<const char*, bool>>
{
  protected:
    PayloadMemories()
        : m_bench(std::get<0>(GetParam()), std::get<1>(GetParam()))
    {
        m_bench.ends[1].placement = m_stream;
        m_bench.Start();
    }

    Ptr<StreamMemory> m_stream = Create<StreamMemory>();
    VerbsTestBench m_bench;
};
} // namespace

TEST_P(PayloadMemories, AWriteIsPlacedWhereTheDomainSaysAndInOrder)
{
    m_bench.ends[0].Fill(0, 5000, 3);
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 5000));
    m_bench.Run();
    EXPECT_EQ(m_stream->taken, m_bench.ends[0].Read(0, 5000));
}

TEST_P(PayloadMemories, ASendIsPlacedThereToo)
{
    m_bench.ends[0].Fill(0, 2000, 5);
    m_bench.PostReceive(9, 0, 2000);
    m_bench.Post(m_bench.MakeRequest(WrOpcode::SEND, 1, 0, 2000));
    m_bench.Run();
    EXPECT_EQ(m_stream->taken, m_bench.ends[0].Read(0, 2000));
}

TEST_P(PayloadMemories, AReadTakesItsBytesFromThere)
{
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_READ, 1, 100, 3000, 700));
    m_bench.Run();
    const std::vector<uint8_t> found = m_bench.ends[0].Read(100, 3000);
    for (uint32_t i = 0; i < 3000; ++i)
    {
        ASSERT_EQ(found[i], StreamMemory::Compute(VerbsEnd::BASE + 700 + i)) << i;
    }
}

TEST_P(PayloadMemories, AnAtomicReadsAndWritesThere)
{
    SendWorkRequest add = m_bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8);
    add.compareAdd = 1;
    const uint64_t before = m_stream->Read64(VerbsEnd::BASE);
    m_bench.Post(add);
    m_bench.Run();
    EXPECT_EQ(m_bench.ends[0].memory->Read64(VerbsEnd::BASE), before); // The former value.
    ASSERT_EQ(m_stream->taken.size(), 8);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        sum |= uint64_t{m_stream->taken[i]} << (8 * i);
    }
    EXPECT_EQ(sum, before + 1);
}

INSTANTIATE_TEST_SUITE_P(Designs,
                         PayloadMemories,
                         testing::Combine(testing::Values("connectx6", "irn", "srnic"),
                                          testing::Bool()));
