// SPDX-License-Identifier: GPL-2.0-only

// Captures of what NICs say to each other, for test/python/test_traffic_captures.py, which sets the
// folder: FOLDER/DESIGN-IP-SCENE.pcap, and .txt with what its packets must say.

#include "packet-description.h"
#include "verbs-outcome.h"

#include "ns3/object-factory.h"
#include "ns3/pcap-sniffer.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint32_t PATTERN_BYTES{1 << 17};
constexpr uint32_t KEY{0x11223344};

/// Payload lengths: nothing, each pad count, one packet exactly, two, three, four of 1024 bytes.
constexpr uint32_t LENGTHS[]{0, 1, 2, 3, 1024, 1025, 2500, 3999};

/// What a capture needs to know of the NICs.
struct Design
{
    const char* preset;
    const char* format; ///< Class of its wire format.
    IpVersion version;

    std::string GetName() const
    {
        return std::string(preset) + (version == IpVersion::V4 ? "-ipv4" : "-ipv6");
    }

    /// Before the NICs are made.
    void SetVersion() const
    {
        NicTestBench::Set("RdmaNic::Ipv6", version == IpVersion::V6 ? "true" : "false");
    }
};

/// Captures the port of a node, and describes its frames as the fabric has them.
class TrafficTap
{
  public:
    /// @param stem of the files, FOLDER/DESIGN-IP-SCENE
    TrafficTap(NicTestBench& bench, uint32_t node, const Design& design, const std::string& stem)
        : m_core(bench.GetCore()),
          m_format(ObjectFactory(design.format).Create<WireFormat>()),
          m_text(stem + ".txt"),
          m_sniffer(m_core,
                    bench.GetFabric().GetServerDevice(node).GetPort(),
                    RoceCodec(*m_format, design.version),
                    stem + ".pcap")
    {
        FabricPort& port = bench.GetFabric().GetServerDevice(node).GetPort();
        const auto tap = MakeCallback(&TrafficTap::OnFrame, this);
        port.GetTransmitTrace().ConnectWithoutContext(tap);
        port.GetReceiveTrace().ConnectWithoutContext(tap);
    }

    TrafficTap(const TrafficTap&) = delete;
    TrafficTap& operator=(const TrafficTap&) = delete;

    void Close()
    {
        m_sniffer.Close();
    }

    std::set<uint32_t> opcodes;
    std::set<uint32_t> naks; ///< Their syndromes.
    uint32_t marked{0};      ///< Frames that a switch marked.

  private:
    void OnFrame(const Frame& frame)
    {
        const FrameDetail* const detail = m_core.pool.FindDetail(frame);
        DescribePacket(m_text,
                       frame,
                       detail ? *detail : FrameDetail{},
                       m_format->GetHeaders(frame.opcode));
        opcodes.insert(frame.opcode);
        marked += (frame.flags & frame_flag::CE) != 0;
        if (frame.opcode == opcode::ACK && frame.syndrome != syndrome::ACK)
        {
            naks.insert(frame.syndrome);
        }
    }

    FabricCore& m_core;
    Ptr<WireFormat> m_format; ///< Of the sniffer's codec.
    std::ofstream m_text;
    PcapSniffer m_sniffer;
};

/// Something that two NICs do.
struct Scene
{
    const char* name;
    Service service;
    void (*act)(VerbsTestBench&);
    std::set<uint32_t> opcodes; ///< All that its capture has, with plain RoCE v2.
    std::set<uint32_t> naks;
};

/// Requests of an operation with all lengths, and receive requests where it needs some.
void
PostAll(VerbsTestBench& bench, Service service, WrOpcode opcode)
{
    constexpr uint32_t GRH{40};
    const bool isDatagram = service == Service::UD;
    uint64_t wrId = 0;
    for (const uint32_t length : IsAtomic(opcode) ? std::vector<uint32_t>{8} : GetLengths(opcode))
    {
        if (isDatagram && length > 1024)
        {
            continue;
        }
        if (ConsumesReceive(opcode))
        {
            bench.PostReceive(wrId, 0, length + (isDatagram ? GRH : 0));
        }
        SendWorkRequest request = bench.MakeRequest(opcode, wrId, 8 * wrId, length, 24);
        request.immediate = 0xa0b0c0d0 + static_cast<uint32_t>(wrId);
        request.isSolicited = wrId % 2 != 0 && opcode != WrOpcode::RDMA_WRITE && !HasResponse(opcode);
        request.compareAdd = 0xf5f5f5f5f5f5f5f5;
        request.swap = 0x0102030405060708;
        request.remoteQueueKey = QUEUE_KEY;
        EXPECT_EQ(bench.Post(request), PostResult::OK);
        ++wrId;
    }
}

/// All operations of a service; each request succeeds.
void
DoAllOperations(VerbsTestBench& bench, Service service)
{
    uint32_t requests = 0;
    for (const WrOpcode opcode : {WrOpcode::SEND,
                                  WrOpcode::SEND_WITH_IMM,
                                  WrOpcode::RDMA_WRITE,
                                  WrOpcode::RDMA_WRITE_WITH_IMM,
                                  WrOpcode::RDMA_READ,
                                  WrOpcode::ATOMIC_CMP_AND_SWP,
                                  WrOpcode::ATOMIC_FETCH_AND_ADD})
    {
        if (IsOperationAllowed(service, opcode))
        {
            PostAll(bench, service, opcode);
            bench.Run();
            for (const WorkCompletion& completion : bench.ends[0].PollSends())
            {
                EXPECT_EQ(completion.status, WcStatus::SUCCESS);
                ++requests;
            }
        }
    }
    // Eight lengths; READs without the empty one; five fit a datagram.
    EXPECT_EQ(requests, service == Service::RC ? 4 * 8 + 7 + 2 : service == Service::UC ? 32 : 10);
}
