// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-transmitter.h"

#include "nic-core-fixture.h"

#include "ns3/send-schedulers.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Records when there is something to pick, and picks nothing by itself.
class RecordingPath : public PacketPath
{
  public:
    void OnReady(Tick now, uint8_t) override
    {
        readyAt.push_back(now);
    }

    void AddClass(uint32_t, const Ptr<SendScheduler>&) override
    {
    }

    void Activate(QueuePair&) override
    {
    }

    void OnPosted(QueuePair&, uint32_t) override
    {
    }

    void OnPostedOnChip(QueuePair&) override
    {
    }

    void SendCredit(const QueuePair&, uint32_t) override
    {
    }

    void SendPorts(const QueuePair&, uint32_t) override
    {
    }

    void ActivateHere(QueuePair&, bool) override
    {
    }

    void SendProbe(const QueuePair&, const ReportProbe&, Tick) override
    {
    }

    void Forget(const QueuePair&) override
    {
    }

    void Leave(const QueuePair&) override
    {
    }

    void Enter(QueuePair&) override
    {
    }

    void ForgetDoorbells(const QueuePair&) override
    {
    }

    void SetTraces(QueuePairTraces&) override
    {
    }

    const FrameStyle& GetFrameStyle() const override
    {
        return style;
    }

    Ptr<FabricDevice> GetDevice() const override
    {
        return nullptr;
    }

    uint64_t GetDataFrames() const override
    {
        return 0;
    }

    void Receive(FrameIndex) override
    {
    }

    void OnDequeue(FabricPort&, Frame&) override
    {
    }

    PulledFrame Pull(FabricPort&, uint32_t) override
    {
        return {};
    }

    FrameStyle style;
    std::vector<Tick> readyAt;
};

class NicTransmitterTest : public NicCoreTest
{
  protected:
    NicTransmitterTest()
    {
        Start();
        m_port = std::make_unique<FabricPort>(m_fabric, 0);
        m_port->SetOwner(&m_path, 1U << 3);
        m_transmitter = std::make_unique<NicTransmitter>(m_fabric,
                                                         *m_nic,
                                                         *m_port,
                                                         0,
                                                         *m_frames,
                                                         m_path,
                                                         CreateObject<RoundRobinScheduler>());
    }

    ~NicTransmitterTest() override
    {
        m_transmitter = nullptr;
        m_port = nullptr;
    }

    /// @return a queue pair with packets to send. @param gbps its rate limit
    QueuePair& MakeSender(uint32_t packets, uint32_t gbps = 100)
    {
        QueuePair& queuePair = MakeQueuePair();
        QueuePairAttributes attributes;
        attributes.rateLimit = DataRate(uint64_t{gbps} * 1'000'000'000);
        queuePair.Apply(attributes, QpState::RTS);
        m_factory->GetRequester(queuePair).Post(queuePair.GetNumber(), uint64_t{packets} * MTU);
        m_transmitter->Activate(queuePair);
        return queuePair;
    }

    /// @return the packet of a queue pair whose turn it is, which is scheduled again.
    Frame Send(QueuePair& queuePair)
    {
        PayloadSource source;
        const Frame frame = Take(m_transmitter->Take(queuePair, m_fabric.engine->Now(), source));
        EXPECT_EQ(source.bytes, frame.payloadBytes);
        m_transmitter->Return(queuePair);
        return frame;
    }

    RecordingPath m_path;
    std::unique_ptr<FabricPort> m_port;
    std::unique_ptr<NicTransmitter> m_transmitter;
};
} // namespace

TEST_F(NicTransmitterTest, NotifiesItsPathWhenAQueuePairMaySend)
{
    EXPECT_EQ(m_transmitter->Pick(0), nullptr);
    QueuePair& queuePair = MakeSender(1);
    EXPECT_EQ(m_path.readyAt, std::vector<Tick>{0});
    EXPECT_EQ(m_transmitter->Pick(0), &queuePair);
    EXPECT_EQ(Send(queuePair).psn, 0);
    EXPECT_EQ(m_transmitter->Pick(0), nullptr); // All is sent.
    EXPECT_EQ(m_transmitter->GetDataFrames(), 1);
}

TEST_F(NicTransmitterTest, APacedQueuePairIsReadyWhenItsRateAllows)
{
    QueuePair& queuePair = MakeSender(2, 10);
    const uint32_t wireBytes = Send(*m_transmitter->Pick(0)).wireBytes + 24; // Preamble, FCS, gap.
    EXPECT_EQ(m_transmitter->Pick(0), nullptr);
    m_transmitter->WakeWhenReady(0);
    Simulator::Stop(MicroSeconds(10));
    Simulator::Run();
    // 10 Gb/s: 800 ps per byte.
    EXPECT_EQ(m_path.readyAt, (std::vector<Tick>{0, Tick{800} * wireBytes}));
    EXPECT_EQ(m_transmitter->GetReadyTime(queuePair), Tick{800} * wireBytes);
}

TEST_F(NicTransmitterTest, AQueuePairThatSendsByAnotherPortIsNotPicked)
{
    QueuePair& moved = MakeSender(1);
    QueuePair& stays = MakeSender(1);
    m_transmitter->Forget(moved);
    moved.MoveToPort(1, 1);
    EXPECT_FALSE(m_transmitter->Has(moved));
    EXPECT_EQ(m_transmitter->Pick(0), &stays);
    EXPECT_EQ(m_transmitter->Pick(0), nullptr);
}

TEST_F(NicTransmitterTest, AQueuePairWhoseTimerExpiresTooOftenFails)
{
    QueuePair& queuePair = MakeSender(1);
    Send(*m_transmitter->Pick(0));
    // Nobody sends it again: each expiry counts, and the eighth is one more than retry_cnt.
    Simulator::Run();
    ASSERT_EQ(m_ended.size(), 1);
    EXPECT_EQ(m_ended[0].status, WcStatus::RETRY_EXC_ERR);
    EXPECT_EQ(queuePair.GetState(), QpState::ERR);
    EXPECT_EQ(queuePair.GetRequester()->GetStats().timeouts, 8);
}
