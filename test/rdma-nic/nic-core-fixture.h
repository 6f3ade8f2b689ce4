// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CORE_FIXTURE_H
#define RDMA_NIC_CORE_FIXTURE_H

#include "ns3/fabric-simulator-impl.h"
#include "ns3/go-back-n.h"
#include "ns3/nic-core.h"
#include "ns3/no-congestion-control.h"
#include "ns3/opcode.h"
#include "ns3/simulator.h"
#include "ns3/timeouts.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// What a NIC of endpoint 0 has once, without ports: frames are handed to its transport by the
/// test.
class NicCoreTest : public testing::Test
{
  protected:
    static constexpr uint32_t MTU{1024};

    NicCoreTest()
    {
        UseFabricSimulator();
        m_fabric.engine = FabricEngine::Get();
        m_defaults.congestionControl = CreateObject<NoCongestionControl>();
        m_defaults.lossDetector = CreateObject<GoBackN>();
        m_defaults.timeout = CreateObject<FixedTimeout>();
        m_defaults.path = {DataRate("100Gbps"), MicroSeconds(8), MTU};
    }

    ~NicCoreTest() override
    {
        m_nic = nullptr;
        EXPECT_EQ(m_fabric.pool.GetInUse(), 0);
        m_factory = nullptr;
        Simulator::Destroy();
    }

    /// @param cnpInterval as of NicTransport
    void Start(Tick cnpInterval = 0)
    {
        m_factory = std::make_unique<TransportFactory>(m_defaults, m_fabric.engine);
        m_nic = std::make_unique<NicCore>(m_fabric, *m_factory, cnpInterval);
        m_frames = std::make_unique<FrameMaker>(m_fabric.pool, FrameStyle{});
        m_nic->reporter.SetCompletionHandler(
            [this](const WorkCompletion& completion) { m_ended.push_back(completion); });
    }

    /// @return a queue pair in RTS whose peer is queue pair 9 of endpoint 1.
    QueuePair& MakeQueuePair(Service service = Service::RC)
    {
        QueuePair& queuePair = m_nic->table.Create();
        QueuePairInit init;
        init.service = service;
        queuePair.Open(init);
        QueuePairAttributes attributes;
        attributes.connection = Connection{1, 9, 1, 0};
        queuePair.Apply(attributes, QpState::RTR);
        queuePair.EnterState(QpState::RTS);
        return queuePair;
    }

    /// @return a packet of a WRITE from the peer. @param code without the service's bits
    static Frame MakeWrite(const QueuePair& queuePair, uint32_t psn, uint8_t code)
    {
        Frame frame{};
        frame.src = 1;
        frame.srcQp = 9;
        frame.dstQp = queuePair.GetNumber();
        frame.opcode = opcode::Make(queuePair.GetService(), code);
        frame.psn = psn;
        frame.payloadBytes = MTU;
        frame.wireBytes = 1100;
        return frame;
    }

    static Frame MakeAck(const QueuePair& queuePair, uint32_t psn)
    {
        Frame frame{};
        frame.src = 1;
        frame.srcQp = 9;
        frame.dstQp = queuePair.GetNumber();
        frame.opcode = opcode::ACK;
        frame.syndrome = syndrome::ACK;
        frame.psn = psn;
        return frame;
    }

    PacketOutcome Receive(QueuePair& queuePair, const Frame& frame)
    {
        return m_nic->transport.OnPacket(queuePair, frame, nullptr, *m_frames);
    }

    /// @return the frame of an outcome, which goes back to the pool.
    Frame Take(FrameIndex index)
    {
        const Frame frame = m_fabric.pool[index];
        m_fabric.pool.Free(index);
        return frame;
    }

    FabricCore m_fabric;
    TransportDefaults m_defaults; ///< To be changed before Start().
    std::unique_ptr<TransportFactory> m_factory;
    std::unique_ptr<NicCore> m_nic;
    std::unique_ptr<FrameMaker> m_frames;
    std::vector<WorkCompletion> m_ended;
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CORE_FIXTURE_H
