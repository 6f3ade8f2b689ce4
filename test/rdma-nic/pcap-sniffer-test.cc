// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcap-sniffer.h"

#include "../rdma-fabric/fabric-test-bench.h"
#include "../test-files.h"
#include "pcap-reader.h"

#include "ns3/loss-models.h"
#include "ns3/opcode.h"
#include "ns3/packet-cargo.h"
#include "ns3/payload-cargo.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick DELAY{1'000'000};

/// Two servers on one link of 100 Gb/s (80 ps per byte) and 1 us; server 0's port is sniffed.
class PcapSnifferTest : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        Build(MakeBackToBack(DataRate("100Gbps"), PicoSeconds(DELAY)));
    }

    /// Sniffs what the action does and what follows from it. @return the records.
    std::vector<PcapRecord> Sniff(const std::function<void()>& action,
                                  const PcapFilter& filter = {})
    {
        PcapSniffer sniffer(Core(), Server(0).GetPort(), m_codec, m_file.GetPath(), filter);
        action();
        Simulator::Run();
        sniffer.Close();
        return ReadPcap(m_file.GetPath());
    }

    /// @return a frame between the servers. @param src 0 or 1
    Frame MakeRoceFrame(uint32_t src, uint8_t code, uint16_t payloadBytes = 0)
    {
        Frame frame{};
        frame.src = src;
        frame.dst = 1 - src;
        frame.srcQp = 0x10 + frame.src;
        frame.dstQp = 0x10 + frame.dst;
        frame.opcode = code;
        frame.priority = 3;
        frame.payloadBytes = payloadBytes;
        frame.wireBytes = HeaderSizes().GetFrame(code, payloadBytes);
        return frame;
    }

    Ptr<IbtaFormat> m_format{CreateObject<IbtaFormat>()};
    RoceCodec m_codec{*m_format, IpVersion::V4};
    TemporaryFile m_file{""};
};
} // namespace

TEST_F(PcapSnifferTest, StampsWhatLeavesWithItsFirstBitAndWhatComesWithItsLast)
{
    const Frame out = MakeRoceFrame(0, opcode::WRITE_ONLY, 1024);
    const Frame in = MakeRoceFrame(1, opcode::ACK);
    const auto records = Sniff([&] {
        At(5'000'000, [&] { Server(0).Send(out); });
        At(5'000'000, [&] { Server(1).Send(in); });
    });
    ASSERT_EQ(records.size(), 2);
    EXPECT_EQ(records[0].nanoseconds, 5'000);
    EXPECT_EQ(records[0].bytes, m_codec.EncodeBytes(out, nullptr));
    EXPECT_EQ(records[0].originalBytes, 74 + 1024); // 58 + 16.
    // 62 + 24 bytes at 80 ps are 6,880 ps; and 1 us.
    EXPECT_EQ(records[1].nanoseconds, 6'006);
    EXPECT_EQ(records[1].bytes, m_codec.EncodeBytes(in, nullptr));
}

TEST_F(PcapSnifferTest, WritesThePayloadThatAFrameCarries)
{
    const auto records = Sniff([&] {
        const FrameIndex index = Core().pool.Allocate();
        Core().pool[index] = MakeRoceFrame(0, opcode::SEND_ONLY_IMM, 3);
        Core().pool.AddDetail(index).immediate = 0x01020304;
        Core().pool.SetCargo(index, std::make_unique<PayloadCargo>(std::vector<uint8_t>{7, 8, 9}));
        Server(0).GetPort().Enqueue(index);
    });
    ASSERT_EQ(records.size(), 1);
    // Immediate data from 54 on (14 + 20 + 8 + 12), payload, one byte of padding.
    EXPECT_EQ(std::vector<uint8_t>(records[0].bytes.begin() + 54, records[0].bytes.end() - 4),
              (std::vector<uint8_t>{1, 2, 3, 4, 7, 8, 9, 0}));
}

TEST_F(PcapSnifferTest, WithoutPayloadRecordsEndBehindTheHeaders)
{
    PcapFilter filter;
    filter.hasPayload = false;
    const Frame frame = MakeRoceFrame(0, opcode::WRITE_ONLY, 1024);
    const auto records = Sniff([&] { Server(0).Send(frame); }, filter);
    ASSERT_EQ(records.size(), 1);
    EXPECT_EQ(records[0].bytes.size(), 70); // Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16.
    EXPECT_EQ(records[0].originalBytes, 74 + 1024);
}

TEST_F(PcapSnifferTest, FiltersByHostQueuePairAndOpcode)
{
    const auto count = [&](const PcapFilter& filter) {
        return Sniff(
                   [&] {
                       Server(0).Send(MakeRoceFrame(0, opcode::WRITE_ONLY, 64));
                       Server(1).Send(MakeRoceFrame(1, opcode::ACK));
                       Frame stranger = MakeRoceFrame(1, opcode::CNP);
                       stranger.src = 7;
                       stranger.srcQp = stranger.dstQp = 0x77;
                       Server(1).Send(stranger);
                       Server(0).GetPort().SendPause(3, 0);
                   },
                   filter)
            .size();
    };
    EXPECT_EQ(count({}), 4);
    EXPECT_EQ(count({{7}, {}, {}, true}), 1);
    EXPECT_EQ(count({{1}, {}, {}, true}), 2);
    EXPECT_EQ(count({{0}, {}, {}, true}), 3);
    EXPECT_EQ(count({{}, {0x10}, {}, true}), 2); // Source of the one, destination of the other.
    EXPECT_EQ(count({{}, {0x77}, {}, true}), 1);
    EXPECT_EQ(count({{}, {}, {opcode::ACK, opcode::CNP}, true}), 2);
    EXPECT_EQ(count({{1}, {0x11}, {opcode::ACK}, true}), 1);
    EXPECT_EQ(count({{7}, {0x11}, {}, true}), 0);
}

TEST_F(PcapSnifferTest, WritesPfcAsMacControlFrames)
{
    const auto records = Sniff([&] { Server(1).GetPort().SendPause(4, 0x1234); });
    ASSERT_EQ(records.size(), 1);
    std::vector<uint8_t> expected{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0x01, 0x00, 0x00,
                                  0x00, 0x00,                         // Port 0.
                                  0x88, 0x08, 0x01, 0x01, 0x00, 0x10, // Class 4.
                                  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12, 0x34};
    expected.resize(60, 0);
    EXPECT_EQ(records[0].bytes, expected);
}

TEST_F(PcapSnifferTest, WritesPacketsOfOtherProtocolsWithTheirEthernetHeader)
{
    const auto send = [&] {
        auto cargo = std::make_unique<PacketCargo>();
        const std::vector<uint8_t> bytes(200, 0x5a);
        cargo->packet = Create<Packet>(bytes.data(), 200);
        cargo->protocol = 0x0800;
        cargo->source = Mac48Address("02:00:00:00:00:00");
        cargo->destination = Mac48Address("02:00:00:00:00:01");
        const FrameIndex index = Core().pool.Allocate();
        Core().pool[index] = MakeRoceFrame(0, OPAQUE_OPCODE);
        Core().pool[index].wireBytes = 214;
        Core().pool.SetCargo(index, std::move(cargo));
        Server(0).GetPort().Enqueue(index);
    };
    auto records = Sniff(send);
    ASSERT_EQ(records.size(), 1);
    std::vector<uint8_t> expected{0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 0, 0x08, 0x00};
    expected.resize(214, 0x5a);
    EXPECT_EQ(records[0].bytes, expected);

    PcapFilter filter;
    filter.hasPayload = false;
    records = Sniff(send, filter);
    ASSERT_EQ(records.size(), 1);
    EXPECT_EQ(records[0].bytes.size(), 94);
    EXPECT_EQ(records[0].originalBytes, 214);
    filter.queuePairs = {0x10}; // What has no queue pair is none of these.
    EXPECT_EQ(Sniff(send, filter).size(), 0);
}

TEST_F(PcapSnifferTest, ShowsALostFrameWhereItLeavesOnly)
{
    auto loss = CreateObject<ScriptedLoss>();
    loss->SetScript([](const Frame&, uint64_t) { return true; });
    Server(0).GetPort().SetLossModel(loss);
    Server(1).GetPort().SetLossModel(loss);
    const auto records = Sniff([&] {
        Server(0).Send(MakeRoceFrame(0, opcode::WRITE_ONLY, 64));
        Server(1).Send(MakeRoceFrame(1, opcode::ACK));
    });
    ASSERT_EQ(records.size(), 1);
    EXPECT_EQ(records[0].bytes[42], opcode::WRITE_ONLY);
}

TEST_F(PcapSnifferTest, ListensUntilItIsClosed)
{
    PcapSniffer sniffer(Core(), Server(0).GetPort(), m_codec, m_file.GetPath());
    Server(0).Send(MakeRoceFrame(0, opcode::ACK));
    Simulator::Run();
    sniffer.Close();
    Server(0).Send(MakeRoceFrame(0, opcode::ACK));
    Simulator::Run();
    EXPECT_EQ(ReadPcap(m_file.GetPath()).size(), 1);
}
