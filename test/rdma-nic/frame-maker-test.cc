// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-maker.h"

#include "ns3/host-memory.h"
#include "ns3/payload-cargo.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1000};
constexpr uint64_t BASE{0x10000};
constexpr uint64_t PEER_ADDRESS{0x900000};

/// A frame maker of node 3 for a queue pair 5 that is connected to 7 of node 4.
class FrameMaking : public testing::Test
{
  protected:
    FrameMaking()
    {
        Open(Service::RC, domain);
        QueuePairAttributes attributes;
        attributes.connection = Connection{4, 7, 99, 0};
        queuePair.Apply(attributes, QpState::RTR);
        for (uint32_t place = 0; place < 3 * MTU; ++place)
        {
            const auto byte = static_cast<uint8_t>(place / 7);
            memory->Write(BASE + place, &byte, 1);
        }
    }

    void Open(Service service, Ptr<ProtectionDomain> memory)
    {
        QueuePairInit init;
        init.service = service;
        init.domain = memory;
        queuePair.Open(init);
    }

    ~FrameMaking() override
    {
        for (const FrameIndex index : m_made)
        {
            m_pool.Free(index);
        }
        EXPECT_EQ(m_pool.GetInUse(), 0);
    }

    FrameMaker MakeMaker(const WireFormat& format)
    {
        return {m_pool,
                {HeaderSizes(format),
                 3,
                 {1},
                 {2},
                 {6},
                 FrameStyle::AS_ACK,
                 FrameStyle::AS_ACK,
                 format.HasPsnOffset(),
                 {}}};
    }

    SendWorkRequest MakeRequest(WrOpcode opcode, uint32_t bytes) const
    {
        SendWorkRequest request;
        request.opcode = opcode;
        request.sgList = {{BASE, bytes, 0}};
        request.remoteAddress = PEER_ADDRESS;
        request.remoteKey = 0x1234;
        request.immediate = 0xabcd;
        return request;
    }

    const Frame& Keep(FrameIndex index)
    {
        m_made.push_back(index);
        return m_pool[index];
    }

    /// @return packet "place" of the message posted last, as sent at 10 ns.
    const Frame& MakePacket(uint64_t place, bool isRetransmission = false)
    {
        const OutgoingPacket packet{queue.Plan(place), Psn(place), isRetransmission};
        return Keep(MakeMaker(*format).MakeData(queuePair, packet, 10'000));
    }

    /// @return how many bytes of memory, from an offset on, a frame carries; 0 if others.
    std::size_t CountBytes(const Frame& frame, uint64_t offset) const
    {
        const FrameDetail* detail = m_pool.FindDetail(frame);
        const auto* payload = detail ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
        if (!payload)
        {
            return 0;
        }
        std::vector<uint8_t> expected(payload->bytes.size());
        memory->Read(BASE + offset, expected.data(), expected.size());
        return payload->bytes == expected ? expected.size() : 0;
    }

    const FrameDetail& GetDetail(const Frame& frame) const
    {
        return *m_pool.FindDetail(frame);
    }

    Ptr<HostMemory> memory = Create<HostMemory>();
    Ptr<ProtectionDomain> domain = Create<ProtectionDomain>(memory);
    Ptr<WireFormat> format = CreateObject<IbtaFormat>();
    QueuePair queuePair{5};
    SendQueue queue{MTU, 0};

    FramePool m_pool;

  private:
    std::vector<FrameIndex> m_made;
};
} // namespace

TEST_F(FrameMaking, APacketSaysWhereItComesFromAndWhereItBelongs)
{
    queue.Post(MakeRequest(WrOpcode::RDMA_WRITE, 2500));
    const Frame& first = MakePacket(0);
    EXPECT_EQ(first.src, 3);
    EXPECT_EQ(first.dst, 4);
    EXPECT_EQ(first.entropy, 99);
    EXPECT_EQ(first.srcQp, 5);
    EXPECT_EQ(first.dstQp, 7);
    EXPECT_EQ(first.priority, 1);
    EXPECT_EQ(first.sendTime, 10'000);
    EXPECT_EQ(first.opcode, opcode::WRITE_FIRST);
    EXPECT_EQ(first.wireBytes, 58 + 16 + 1000);
    EXPECT_EQ(first.messageBytes, 2500);
    EXPECT_EQ(first.remoteAddress, PEER_ADDRESS);
    EXPECT_EQ(first.flags,
              frame_flag::ECN_CAPABLE | frame_flag::ACK_REQUEST | frame_flag::DETAILED);
    EXPECT_EQ(GetDetail(first).remoteKey, 0x1234);
    EXPECT_EQ(CountBytes(first, 0), 1000);
    const Frame& last = MakePacket(2, true);
    EXPECT_EQ(last.opcode, opcode::WRITE_LAST);
    EXPECT_EQ(last.psn, 2);
    EXPECT_EQ(last.payloadBytes, 500);
    EXPECT_EQ(last.wireBytes, 58 + 500);
    EXPECT_EQ(last.remoteAddress, PEER_ADDRESS + 2000);
    EXPECT_NE(last.flags & frame_flag::RETRANSMISSION, 0);
    EXPECT_EQ(CountBytes(last, 2000), 500);
}

TEST_F(FrameMaking, APlainWriteHasNoDetail)
{
    queue.Post(1, 500);
    const Frame& frame = MakePacket(0);
    EXPECT_EQ(m_pool.FindDetail(frame), nullptr);
    EXPECT_EQ(frame.opcode, opcode::WRITE_ONLY);
}

TEST_F(FrameMaking, OnlyTheLastPacketIsSolicitedAndHasImmediateData)
{
    SendWorkRequest request = MakeRequest(WrOpcode::SEND_WITH_IMM, 1500);
    request.isSolicited = true;
    queue.Post(request);
    const Frame& first = MakePacket(0);
    EXPECT_FALSE(GetDetail(first).isSolicited);
    EXPECT_EQ(GetDetail(first).immediate, 0);
    const Frame& last = MakePacket(1);
    EXPECT_EQ(last.opcode, opcode::SEND_LAST_IMM);
    EXPECT_TRUE(GetDetail(last).isSolicited);
    EXPECT_EQ(GetDetail(last).immediate, 0xabcd);
    EXPECT_EQ(last.wireBytes, 58 + 4 + 500);
}

TEST_F(FrameMaking, AReadRequestAsksForWhatIsLeft)
{
    queue.Post(MakeRequest(WrOpcode::RDMA_READ, 2500));
    const Frame& whole = MakePacket(0);
    EXPECT_EQ(whole.opcode, opcode::READ_REQUEST);
    EXPECT_EQ(whole.payloadBytes, 0);
    EXPECT_EQ(whole.messageBytes, 2500);
    const Frame& rest = MakePacket(2, true);
    EXPECT_EQ(rest.messageBytes, 500);
    EXPECT_EQ(rest.remoteAddress, PEER_ADDRESS + 2000);
    EXPECT_EQ(CountBytes(rest, 0), 0);
}

TEST_F(FrameMaking, AtomicsCarryTheirOperands)
{
    SendWorkRequest request = MakeRequest(WrOpcode::ATOMIC_CMP_AND_SWP, 8);
    request.compareAdd = 11;
    request.swap = 22;
    queue.Post(request);
    request.opcode = WrOpcode::ATOMIC_FETCH_AND_ADD;
    queue.Post(request);
    const Frame& swap = MakePacket(0);
    EXPECT_EQ(swap.opcode, opcode::CMP_SWAP);
    EXPECT_EQ(swap.wireBytes, 58 + 28);
    EXPECT_EQ(GetDetail(swap).compare, 11);
    EXPECT_EQ(GetDetail(swap).swapAdd, 22);
    const Frame& add = MakePacket(1);
    EXPECT_EQ(add.opcode, opcode::FETCH_ADD);
    EXPECT_EQ(GetDetail(add).swapAdd, 11); // What is added; there is nothing to compare with.
    EXPECT_EQ(GetDetail(add).compare, 0);
}

TEST_F(FrameMaking, SrnicSaysThePlaceInTheMessageAndTheReceiveRequestsBeforeIt)
{
    format = CreateObject<SrnicFormat>();
    queue.Post(MakeRequest(WrOpcode::SEND, 100));
    queue.Post(MakeRequest(WrOpcode::RDMA_WRITE, 2500));
    const Frame& middle = MakePacket(2);
    EXPECT_EQ(middle.psnOffset, 1);
    EXPECT_EQ(middle.ssn, 1);
    EXPECT_EQ(middle.wireBytes, 78 + 1000);
}

TEST_F(FrameMaking, ADatagramGoesWhereItsRequestSays)
{
    Open(Service::UD, domain);
    SendWorkRequest request = MakeRequest(WrOpcode::SEND, 100);
    request.destination = {8, 77};
    request.remoteQp = 66;
    request.remoteQueueKey = 55;
    queue.Post(request);
    const Frame& frame = MakePacket(0);
    EXPECT_EQ(frame.dst, 8);
    EXPECT_EQ(frame.entropy, 77);
    EXPECT_EQ(frame.dstQp, 66);
    EXPECT_EQ(frame.opcode, opcode::Make(Service::UD, opcode::SEND_ONLY));
    EXPECT_EQ(GetDetail(frame).queueKey, 55);
    EXPECT_EQ(frame.flags & frame_flag::ACK_REQUEST, 0); // There is no acknowledgment.
    EXPECT_EQ(frame.wireBytes, 58 + 8 + 100);
}

TEST_F(FrameMaking, InlineBytesComeFromTheRequestNotFromMemory)
{
    queue.Post(MakeRequest(WrOpcode::SEND, 1500));
    std::vector<uint8_t> copied(1500);
    memory->Read(BASE + 100, copied.data(), copied.size()); // To tell them from those at 0.
    queue.SetInlineBytes(copied);
    const Frame& last = MakePacket(1);
    EXPECT_EQ(CountBytes(last, 1100), 500);
}

TEST_F(FrameMaking, WithoutMemoryNothingIsCarried)
{
    Open(Service::RC, Create<ProtectionDomain>());
    queue.Post(MakeRequest(WrOpcode::SEND, 100));
    EXPECT_EQ(GetDetail(MakePacket(0)).cargo, nullptr);
}

TEST_F(FrameMaking, AReadResponseCarriesBytesAndMsn)
{
    const ReadResponsePlan plan{opcode::READ_RESPONSE_LAST, Psn(44), 12, BASE + 30, 200};
    const Frame& frame = Keep(MakeMaker(*format).MakeReadResponse(queuePair, plan, 77));
    EXPECT_EQ(frame.opcode, opcode::READ_RESPONSE_LAST);
    EXPECT_EQ(frame.psn, 44);
    EXPECT_EQ(frame.ack.msn, 12);
    EXPECT_EQ(frame.syndrome, syndrome::ACK);
    EXPECT_EQ(frame.priority, 1); // It is data.
    EXPECT_EQ(frame.wireBytes, 58 + 4 + 200);
    EXPECT_EQ(frame.sendTime, 77);
    EXPECT_EQ(CountBytes(frame, 30), 200);
}

TEST_F(FrameMaking, AResponseOfAnAcknowledgedReadNamesItsReadAndPlace)
{
    queue.PostResponse(BASE + 30, 1500, 8);
    const Frame& first = MakePacket(0);
    EXPECT_EQ(first.opcode, opcode::READ_RESPONSE_FIRST);
    EXPECT_EQ(first.ssn, 8);
    EXPECT_EQ(first.psnOffset, 0);
    EXPECT_EQ(first.ack.msn, 8);
    EXPECT_EQ(CountBytes(first, 30), 1000);
    const Frame& last = MakePacket(1);
    EXPECT_EQ(last.psnOffset, 1);
    EXPECT_EQ(last.ack.msn, 9); // This READ is complete with it.
    EXPECT_EQ(CountBytes(last, 1030), 500);
}

TEST_F(FrameMaking, AnAcknowledgmentEchoesWhatItAnswers)
{
    Acknowledgment answer{};
    answer.operation = opcode::ACK;
    answer.syndrome = syndrome::NAK_PSN_SEQUENCE;
    answer.psn = Psn(3);
    answer.msn = 9;
    answer.isSelective = true;
    answer.selective = Psn(6);
    answer.isCeEchoed = true;
    answer.echoedOffset = 5;
    answer.sendTime = 1234;
    answer.entropy = 0xabcd1234;
    const Frame& plain = Keep(MakeMaker(*format).MakeAcknowledgment(queuePair, answer));
    EXPECT_EQ(plain.priority, 2);
    EXPECT_EQ(plain.wireBytes, 62);
    EXPECT_EQ(plain.psn, 3);
    EXPECT_EQ(plain.ack.msn, 9);
    EXPECT_EQ(plain.ack.selectivePsn, 6);
    EXPECT_EQ(plain.syndrome, syndrome::NAK_PSN_SEQUENCE);
    EXPECT_EQ(plain.sendTime, 1234);
    EXPECT_EQ(plain.echoedEntropy, 0xabcd1234);
    EXPECT_EQ(plain.entropy, queuePair.GetConnection().entropy);
    EXPECT_EQ(plain.flags, frame_flag::CE_ECHO | frame_flag::SELECTIVE); // Not ECN-capable.
    EXPECT_EQ(plain.psnOffset, 0);
    format = CreateObject<SrnicFormat>();
    const Frame& echo = Keep(MakeMaker(*format).MakeAcknowledgment(queuePair, answer));
    EXPECT_EQ(echo.psnOffset, 5);
    EXPECT_EQ(echo.wireBytes, 70);
}

TEST_F(FrameMaking, AnAtomicAckCarriesTheOriginalValue)
{
    Acknowledgment answer{};
    answer.operation = opcode::ATOMIC_ACK;
    answer.syndrome = syndrome::ACK;
    answer.psn = Psn(3);
    answer.msn = 9;
    answer.originalValue = 0x123456789abcdef0;
    const Frame& frame = Keep(MakeMaker(*format).MakeAcknowledgment(queuePair, answer));
    EXPECT_EQ(GetDetail(frame).swapAdd, 0x123456789abcdef0);
    EXPECT_EQ(frame.wireBytes, 58 + 4 + 8);
}

TEST_F(FrameMaking, ACnpReturnsToTheSenderOfTheMarkedFrame)
{
    Frame marked{};
    marked.src = 21; // A datagram queue pair has many peers.
    marked.srcQp = 22;
    marked.entropy = 23;
    const Frame& cnp = Keep(MakeMaker(*format).MakeCnp(queuePair, marked));
    EXPECT_EQ(cnp.opcode, opcode::CNP);
    EXPECT_EQ(cnp.dst, 21);
    EXPECT_EQ(cnp.dstQp, 22);
    EXPECT_EQ(cnp.echoedEntropy, 23);
    EXPECT_EQ(cnp.priority, 6);
    EXPECT_EQ(cnp.wireBytes, 74);
}
