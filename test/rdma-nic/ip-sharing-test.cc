// SPDX-License-Identifier: GPL-2.0-only
#include "../rdma-fabric/internet-test-bench.h"
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <utility>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t WRITE_BYTES{10'240'000};
constexpr uint64_t TCP_BYTES{4'344'000};
/// On 10 Gb/s: 10,000 packets of 1024 bytes of payload with 58 of headers and 24 around them.
constexpr Tick WRITE_TIME{10'000 * (1024 + 58 + 24) * Tick{800}};
/// 3000 packets of 1448 bytes with 66 of headers (12 of them TCP timestamps) and 24 around them.
constexpr Tick TCP_TIME{3000 * (1448 + 66 + 24) * Tick{800}};
/// One packet of TCP, which a packet of RDMA does not interrupt.
constexpr Tick TCP_PACKET{(1448 + 66 + 24) * Tick{800}};

const DataRate RATE("10Gbps");
const Time DELAY = MicroSeconds(1);

TopologyGraph
MakeNarrowDumbbell()
{
    DumbbellParameters parameters;
    parameters.hostRate = RATE;
    parameters.bottleneckRate = RATE;
    parameters.linkDelay = DELAY;
    return MakeDumbbell(parameters);
}

/// When each of the two was done.
struct Ends
{
    Tick write{0};
    Tick tcp{0};
};

/// Expects that TCP cost RDMA nearly nothing, and got all of the link once RDMA was done.
void
ExpectStrictPriority(const Ends& ends)
{
    // Alone it takes a round trip over at most three links more: 6 us of propagation, and a packet
    // and an acknowledgment on two further links, 2 us.
    EXPECT_GT(ends.write, WRITE_TIME);
    EXPECT_LT(ends.write, WRITE_TIME + 8'100'000 + 3 * TCP_PACKET);
    EXPECT_GT(ends.tcp, WRITE_TIME + TCP_TIME);
    EXPECT_LT(ends.tcp, (WRITE_TIME + TCP_TIME) * 101 / 100);
}

/// TCP and RDMA on links of 10 Gb/s and 1 us, RDMA with its priority 3 above that of IP, 0.
class IpSharing : public testing::Test
{
  protected:
    IpSharing()
        : m_bench("connectx6")
    {
        NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
        UseDataCenterTcp();
    }

    void Build(const TopologyGraph& graph)
    {
        m_bench.Build(graph);
        FabricInternet().Install(m_bench.GetFabric(), graph.GetServers());
    }

    /// Both start at once, both must end. @param tcp, write source and destination of each
    Ends Run(std::pair<uint32_t, uint32_t> tcp, std::pair<uint32_t, uint32_t> write)
    {
        const NicTestBench::Pair pair = m_bench.Connect(write.first, write.second);
        m_bench.Post(pair, 1, WRITE_BYTES);
        TcpFlow flow(m_bench.GetFabric(), tcp.first, tcp.second, TCP_BYTES);
        NicTestBench::Run();
        EXPECT_TRUE(flow.IsFinished());
        EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1);
        EXPECT_EQ(m_bench.GetPlacedBytes(pair), WRITE_BYTES);
        m_bench.ExpectEmpty();
        return {m_bench.GetEnded().at(0).at, flow.GetEnd()};
    }

    NicTestBench m_bench;
};

} // namespace

TEST_F(IpSharing, GivesTcpOfOtherServersWhatRdmaLeavesOfALink)
{
    Build(MakeNarrowDumbbell());
    ExpectStrictPriority(Run({0, 2}, {1, 3}));
}

TEST_F(IpSharing, GivesTcpOfTheSameServerWhatRdmaLeavesOfItsLink)
{
    Build(MakeStar(2, RATE, DELAY));
    ExpectStrictPriority(Run({0, 1}, {0, 1}));
}

TEST_F(IpSharing, InOnePriorityServesBothAtOnce)
{
    NicTestBench::Set("FabricDevice::IpPriority", "3");
    Build(MakeNarrowDumbbell());
    const Ends ends = Run({0, 2}, {1, 3});
    // One queue for both: while the WRITE lasts, TCP gets a tenth of its bytes through or more.
    EXPECT_GT(ends.write, WRITE_TIME + TCP_TIME / 10);
    EXPECT_GT(ends.tcp, ends.write);
    EXPECT_LT(ends.tcp, (WRITE_TIME + TCP_TIME) * 101 / 100);
}

TEST_F(IpSharing, InAHigherPriorityLetsTcpGoFirst)
{
    NicTestBench::Set("FabricDevice::IpPriority", "4");
    // While TCP goes first, the WRITE waits for longer than adaptive timeouts.
    NicTestBench::Set("RdmaNic::RetransmissionTimeout", "ns3::rdma::FixedTimeout");
    Build(MakeNarrowDumbbell());
    const Ends ends = Run({0, 2}, {1, 3});
    EXPECT_GT(ends.tcp, TCP_TIME);
    EXPECT_LT(ends.tcp, TCP_TIME * 102 / 100); // Slow start.
    EXPECT_GT(ends.write, (WRITE_TIME + TCP_TIME) * 99 / 100);
    EXPECT_LT(ends.write, (WRITE_TIME + TCP_TIME) * 101 / 100);
}
