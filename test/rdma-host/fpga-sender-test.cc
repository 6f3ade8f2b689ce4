// SPDX-License-Identifier: GPL-2.0-only
#include "../rdma-nic/verbs-test-bench.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{4096};
/// On the wire: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, preamble, FCS and gap 24.
constexpr uint32_t OVERHEAD{58 + 24};
constexpr uint32_t RETH{16};
constexpr uint32_t IMMEDIATE{4};

/// A packet at the other end of the link.
struct Arrival
{
    Tick at;
    uint32_t queuePair;
    uint32_t payload;
};

/// An FPGA that sends on several queue pairs to a NIC of the same design.
class FpgaSender : public testing::Test
{
  protected:
    FpgaSender()
    {
        NicTestBench::Set("RdmaNic::PathMtu", std::to_string(MTU));
        NicTestBench::Set("RdmaNic::PortRateLimit", "3Gbps"); // LOFAR's stations.
    }

    /// Posts so many messages to each of so many queue pairs, and runs.
    void Send(uint32_t queuePairs, uint32_t messages, uint32_t bytes)
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        m_bench.GetNic(1).GetDevice()->GetPort().GetArrivalTraces().receive.ConnectWithoutContext(
            Callback<void, const Frame&>([this](const Frame& frame) {
                m_arrivals.push_back({m_bench.Now(), frame.srcQp, frame.payloadBytes});
            }));
        QueuePairInit init;
        init.service = Service::UC;
        init.receiveCompletions = Create<CompletionQueue>(1 << 16);
        std::vector<uint32_t> senders;
        for (uint32_t i = 0; i < queuePairs; ++i)
        {
            senders.push_back(m_bench.GetNic(0).CreateQueuePair(init));
            const uint32_t receiver = m_bench.GetNic(1).CreateQueuePair(init);
            m_bench.GetNic(0).Connect(senders.back(), {1, receiver, i});
            m_bench.GetNic(1).Connect(receiver, {0, senders.back(), i});
            for (uint32_t message = 0; message < messages; ++message)
            {
                m_bench.GetNic(1).PostReceive(receiver, {});
            }
        }
        for (uint32_t message = 0; message < messages; ++message)
        {
            for (const uint32_t sender : senders)
            {
                SendWorkRequest request;
                request.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
                request.sgList = {{0, bytes, 0}};
                request.immediate = message;
                m_bench.GetNic(0).PostSend(sender, request);
            }
        }
        NicTestBench::Run();
        std::vector<WorkCompletion> completions;
        init.receiveCompletions->Poll(UINT32_MAX, completions);
        EXPECT_EQ(completions.size(), queuePairs * messages);
    }

    /// @return how long a frame takes at 3 Gb/s. @param headers beyond OVERHEAD
    static Tick GetGap(uint32_t payload, uint32_t headers)
    {
        return (payload + OVERHEAD + headers) * 8 * Tick{1000} / 3;
    }

    /// @return how long it takes on a link of 100 Gb/s, in which it arrives later than it leaves.
    static Tick GetWireTime(uint32_t payload, uint32_t headers)
    {
        return (payload + OVERHEAD + headers) * Tick{80};
    }

    NicTestBench m_bench{"fpga-sender", true};
    std::vector<Arrival> m_arrivals;
};
} // namespace

TEST_F(FpgaSender, SpacesPacketsToThePicosecond)
{
    Send(5, 20, MTU);
    ASSERT_EQ(m_arrivals.size(), 100);
    const uint32_t headers = RETH + IMMEDIATE;
    for (std::size_t i = 1; i < m_arrivals.size(); ++i)
    {
        EXPECT_NEAR(m_arrivals[i].at - m_arrivals[i - 1].at, GetGap(MTU, headers), 1) << i;
    }
    // The mean is exact: 99 gaps are off by their rounding at most.
    EXPECT_NEAR(m_arrivals.back().at - m_arrivals.front().at, 99 * GetGap(MTU, headers), 99);
}

TEST_F(FpgaSender, TakesItsQueuePairsInTurnMessageByMessage)
{
    Send(4, 10, 2 * MTU + 100); // Three packets each.
    ASSERT_EQ(m_arrivals.size(), 120);
    for (std::size_t i = 0; i < m_arrivals.size(); ++i)
    {
        EXPECT_EQ(m_arrivals[i].queuePair, m_arrivals[(i / 3) % 4 * 3].queuePair) << i;
        EXPECT_EQ(m_arrivals[i].payload, i % 3 == 2 ? 100 : MTU) << i;
    }
}

TEST_F(FpgaSender, EachPacketWaitsForTheOneBefore)
{
    Send(4, 10, 2 * MTU + 100);
    const uint32_t headers[] = {RETH, 0, IMMEDIATE};
    for (std::size_t i = 1; i < m_arrivals.size(); ++i)
    {
        // From the start of a frame to the start of the next; they arrive with their last bit.
        const auto before = (i - 1) % 3;
        const auto leave = [&](std::size_t at) {
            return m_arrivals[at].at - GetWireTime(m_arrivals[at].payload, headers[at % 3]);
        };
        EXPECT_NEAR(leave(i) - leave(i - 1), GetGap(m_arrivals[i - 1].payload, headers[before]), 2)
            << i;
    }
}
