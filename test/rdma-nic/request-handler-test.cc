// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-handler.h"

#include "verbs-test-bench.h"

#include "ns3/opcode-table.h"
#include "ns3/request-executor.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Takes WRITEs for itself, in whose place a kernel might be; the rest is memory's.
class Collector : public RequestHandler
{
  public:
    struct Log
    {
        std::vector<uint32_t> sizes; ///< Of the packets, in their order.
        uint32_t refusals{0};        ///< Packets still to be dropped.
    };

    Collector(const RequestContext& context, Log& log)
        : m_memory(context),
          m_log(log)
    {
    }

    Execution Execute(const Frame& frame, const FrameDetail* detail) override
    {
        if (opcode::GetKind(frame.opcode) != OpcodeKind::WRITE)
        {
            return m_memory.Execute(frame, detail);
        }
        Execution done;
        if (m_log.refusals > 0)
        {
            --m_log.refusals;
            done.isDropped = true;
            return done;
        }
        m_log.sizes.push_back(frame.payloadBytes);
        done.endsMessage = opcode::IsLast(frame.opcode);
        return done;
    }

    Execution CheckRead(const Frame& frame, const FrameDetail* detail) const override
    {
        return m_memory.CheckRead(frame, detail);
    }

    void SetAccess(uint8_t access) override
    {
        m_memory.SetAccess(access);
    }

    std::vector<WorkCompletion> Flush() override
    {
        return m_memory.Flush();
    }

  private:
    RequestExecutor m_memory;
    Log& m_log;
};

class CollectorFactory : public RequestHandlerFactory
{
  public:
    explicit CollectorFactory(Collector::Log& log)
        : m_log(log)
    {
    }

    std::unique_ptr<RequestHandler> Make(const RequestContext& context) const override
    {
        return std::make_unique<Collector>(context, m_log);
    }

  private:
    Collector::Log& m_log;
};

class RequestHandlerOnBench : public EachNicDesign
{
  protected:
    /// Writes 2.5 packets from end 0 to end 1. @param refusals packets that find no room
    void Write(uint32_t refusals)
    {
        m_log.refusals = refusals;
        QueuePairInit init;
        init.handlers = Create<CollectorFactory>(m_log);
        m_bench.Start(init);
        m_bench.ends[0].Fill(0, 2560, 3);
        const SendWorkRequest request = m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 2560, 4096);
        EXPECT_EQ(m_bench.Post(request), PostResult::OK);
        m_bench.Run();
        const auto ended = m_bench.ends[0].PollSends();
        ASSERT_EQ(ended.size(), 1);
        EXPECT_EQ(ended[0].status, WcStatus::SUCCESS);
        EXPECT_EQ(m_log.sizes, (std::vector<uint32_t>{1024, 1024, 512}));
        // Nothing went to memory.
        EXPECT_EQ(m_bench.ends[1].Read(4096, 2560), std::vector<uint8_t>(2560));
    }

    Collector::Log m_log;
    VerbsTestBench m_bench{GetParam()};
};
} // namespace

TEST_P(RequestHandlerOnBench, CarriesOutWhatItsQueuePairReceivesInOrder)
{
    Write(0);
}

TEST_P(RequestHandlerOnBench, APacketThatItHasNoRoomForComesAgain)
{
    Write(1);
    EXPECT_EQ(m_bench.GetBench().GetDrops(DropReason::KERNEL_BUSY), 1);
}

RDMA_FOR_EACH_NIC_DESIGN(RequestHandlerOnBench);

TEST(OpcodeTable, ModulesRegisterTheirOwn)
{
    // Reserved by IBTA for reliable connections (Vol. 1, Table 38).
    OpcodeTable::Register(
        Service::RC,
        {{0x1e, "Test First", OpcodeKind::KERNEL, PacketPlace::FIRST, {HeaderKind::RETH}},
         {0x1f, "Test Last", OpcodeKind::KERNEL, PacketPlace::LAST, {}}});
    EXPECT_EQ(OpcodeTable::GetName(0x1e), "RC Test First");
    EXPECT_TRUE(opcode::IsRequest(0x1e));
    EXPECT_FALSE(opcode::IsLast(0x1e));
    EXPECT_EQ(opcode::GetByPlace(0x1e, true, false), 0x1e);
    EXPECT_EQ(opcode::GetByPlace(0x1e, false, true), 0x1f);
    EXPECT_THROW(
        OpcodeTable::Register(Service::RC,
                              {{0x06, "Test Only", OpcodeKind::KERNEL, PacketPlace::ONLY, {}}}),
        std::invalid_argument);
}

TEST(OpcodeTable, AnUnregisteredOpcodeIsAnUnknownRequest)
{
    EXPECT_EQ(opcode::GetKind(0x17), OpcodeKind::UNKNOWN);
    EXPECT_TRUE(opcode::IsRequest(0x17));
}
