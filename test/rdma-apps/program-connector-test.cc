// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/program-connector.h"

#include "../rdma-nic/nic-test-bench.h"
#include "../test-files.h"

#include "ns3/flow-path.h"
#include "ns3/queue-pair-table.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Three servers at a switch; this rank has server 0 and 1.
class ProgramConnectorTest : public testing::Test
{
  protected:
    ProgramConnectorTest()
    {
        m_bench.Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)));
        m_nics.resize(m_bench.GetFabric().GetGraph().GetIdCount());
        for (uint32_t server = 0; server < 3; ++server)
        {
            m_nics[server] = &m_bench.GetNic(server);
        }
        m_context.fabric = &m_bench.GetFabric();
        m_context.nics = &m_nics;
        m_context.isHere = [](uint32_t id) { return id < 2; };
    }

    NicTestBench m_bench{"srnic"};
    std::vector<Ptr<RdmaNic>> m_nics;
    TrafficContext m_context{};
};

} // namespace

TEST_F(ProgramConnectorTest, NumbersQueuePairsPerServerAndPathsPerConnection)
{
    ProgramConnector connector(m_context, first_connection::REQUESTS);
    const ProgramConnection first = connector.Add(0, 1);
    const ProgramConnection second = connector.Add(2, 1);
    EXPECT_EQ(first.src.queuePair, QueuePairTable::GetNumber(0));
    EXPECT_EQ(first.dst.queuePair, QueuePairTable::GetNumber(0));
    EXPECT_EQ(second.src.queuePair, QueuePairTable::GetNumber(0));
    EXPECT_EQ(second.dst.queuePair, QueuePairTable::GetNumber(1)); // The second one of server 1.
    const std::vector<uint32_t>& counts = connector.CountQueuePairs();
    EXPECT_EQ(std::vector<uint32_t>(counts.begin(), counts.begin() + 3),
              (std::vector<uint32_t>{1, 2, 1}));
    EXPECT_EQ(second.src.connection.entropy,
              FlowPath::MakeEntropy(first_connection::REQUESTS + 1, true));
    EXPECT_EQ(second.dst.connection.entropy,
              FlowPath::MakeEntropy(first_connection::REQUESTS + 1, false));
    EXPECT_FALSE(second.src.isHere);
    EXPECT_TRUE(second.dst.isHere);
}

TEST_F(ProgramConnectorTest, AConnectionCarriesAWrite)
{
    ProgramConnector connector(m_context, first_connection::STREAMS);
    const ProgramConnection made = connector.Add(0, 1);
    connector.Make(made.src, {});
    connector.Make(made.dst, {});
    made.src.nic->PostWrite(made.src.queuePair, 9, 3000);
    m_bench.Run();
    ASSERT_EQ(m_bench.GetEnded().size(), 1U);
    EXPECT_EQ(m_bench.GetEnded()[0].completion.status, WcStatus::SUCCESS);
    EXPECT_EQ(m_bench.GetEnded()[0].completion.wrId, 9U);
}

TEST_F(ProgramConnectorTest, RefusesQueuePairsForWhichNoMachineHasRoom)
{
    ProgramConnector::CheckRoom(1000);
    // 2^40 x 3.4 kB is 3.7 PB.
    const std::string fault = GetInputError([] { ProgramConnector::CheckRoom(uint64_t{1} << 40); });
    EXPECT_NE(fault.find("queue pairs, for which this machine's "), std::string::npos) << fault;
    EXPECT_NE(fault.find(", got 1099511627776"), std::string::npos) << fault;
}
