// SPDX-License-Identifier: GPL-2.0-only

// Captures of what NICs say to each other, for test/python/test_traffic_captures.py, which sets the
// folder: FOLDER/DESIGN-IP-SCENE.pcap, and .txt with what its packets must say.

#include "capture-folder.h"
#include "traffic-tap.h"
#include "verbs-outcome.h"

#include <filesystem>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint32_t PATTERN_BYTES{1 << 17};
constexpr uint32_t MTU{1024}; ///< The default of NICs.
constexpr uint32_t QUEUE_KEY{0x11223344};

constexpr uint8_t RNR_CODE{1}; ///< 10 us.
const std::string PLAIN{"ns3::rdma::IbtaFormat"};

/// Payload lengths: nothing, each pad count, one packet exactly, two, three, four of 1024 bytes.
const std::vector<uint32_t> LENGTHS{0, 1, 2, 3, 1024, 1025, 2500, 3999};

/// What a capture needs to know of the NICs.
struct Design
{
    const char* preset;
    std::string format; ///< Class of its wire format.
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
    for (const uint32_t length : IsAtomic(opcode) ? std::vector<uint32_t>{8} : LENGTHS)
    {
        if ((isDatagram && length > MTU) || (opcode == WrOpcode::RDMA_READ && length == 0))
        {
            continue;
        }
        if (ConsumesReceive(opcode))
        {
            bench.PostReceive(wrId, 0, length + (isDatagram ? GRH : 0));
        }
        SendWorkRequest request = bench.MakeRequest(opcode, wrId, 8 * wrId, length, 24);
        request.immediate = 0xa0b0c0d0 + static_cast<uint32_t>(wrId);
        request.isSolicited =
            wrId % 2 != 0 && opcode != WrOpcode::RDMA_WRITE && !HasResponse(opcode);
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

/// The receive request comes during the wait that the RNR NAK asks for.
void
SendTooEarly(VerbsTestBench& bench)
{
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 2000));
    Simulator::Schedule(MicroSeconds(5), [&bench] { bench.PostReceive(1, 0, 2000); });
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
}

void
LoseAPacket(VerbsTestBench& bench)
{
    bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) { return number == 1; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 5000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
}

void
WriteWithAWrongKey(VerbsTestBench& bench)
{
    SendWorkRequest request = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 500);
    request.remoteKey ^= 0xff00;
    bench.Post(request);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 REM_ACCESS_ERR");
}

void
SendTooMuch(VerbsTestBench& bench)
{
    bench.PostReceive(1, 0, 99);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 REM_INV_REQ_ERR");
}

/// @return all opcodes of a service from the first to the last operation.
std::set<uint32_t>
GetOpcodes(Service service, uint8_t first, uint8_t last)
{
    std::set<uint32_t> codes;
    for (uint8_t operation = first; operation <= last; ++operation)
    {
        codes.insert(opcode::Make(service, operation));
    }
    return codes;
}

const Scene SCENES[] = {
    {"rc",
     Service::RC,
     [](VerbsTestBench& bench) { DoAllOperations(bench, Service::RC); },
     GetOpcodes(Service::RC, opcode::SEND_FIRST, opcode::FETCH_ADD),
     {}},
    {"uc",
     Service::UC,
     [](VerbsTestBench& bench) { DoAllOperations(bench, Service::UC); },
     GetOpcodes(Service::UC, opcode::SEND_FIRST, opcode::WRITE_ONLY_IMM),
     {}},
    {"ud",
     Service::UD,
     [](VerbsTestBench& bench) { DoAllOperations(bench, Service::UD); },
     GetOpcodes(Service::UD, opcode::SEND_ONLY, opcode::SEND_ONLY_IMM),
     {}},
    {"rnr",
     Service::RC,
     SendTooEarly,
     {opcode::SEND_FIRST, opcode::SEND_LAST, opcode::ACK},
     {syndrome::RNR_NAK | RNR_CODE}},
    {"sequence",
     Service::RC,
     LoseAPacket,
     {opcode::WRITE_FIRST, opcode::WRITE_MIDDLE, opcode::WRITE_LAST, opcode::ACK},
     {syndrome::NAK_PSN_SEQUENCE}},
    {"access",
     Service::RC,
     WriteWithAWrongKey,
     {opcode::WRITE_ONLY, opcode::ACK},
     {syndrome::NAK_REMOTE_ACCESS}},
    {"invalid",
     Service::RC,
     SendTooMuch,
     {opcode::SEND_ONLY, opcode::ACK},
     {syndrome::NAK_INVALID_REQUEST}},
};

void
CaptureScene(const Scene& scene, const Design& design, const std::filesystem::path& folder)
{
    SCOPED_TRACE(design.GetName() + " " + scene.name);
    VerbsTestBench bench(design.preset);
    design.SetVersion();
    QueuePairInit init;
    init.service = scene.service;
    QueuePairAttributes attributes;
    attributes.queueKey = QUEUE_KEY;
    attributes.minRnrTimer = RNR_CODE;
    bench.SetInitialPsn(0xfffffe); // Wraps at the third packet.
    bench.Start(init, attributes);
    // Other bytes could be taken for this or that protocol by dissectors that guess.
    const std::vector<uint8_t> pattern(PATTERN_BYTES, 0xf5);
    for (const VerbsEnd& end : bench.ends)
    {
        end.memory->Write(end.region.address, pattern.data(), PATTERN_BYTES);
    }
    TrafficTap tap(bench.GetBench(),
                   0,
                   design.format,
                   design.version,
                   folder / (design.GetName() + "-" + scene.name));
    scene.act(bench);
    tap.Close();
    if (design.format == PLAIN)
    {
        EXPECT_EQ(tap.opcodes, scene.opcodes);
        EXPECT_EQ(tap.naks, scene.naks);
    }
}

/// A bottleneck marks, and the receiver, whose port is captured, answers with CNPs.
void
CaptureCnps(const Design& design, const std::filesystem::path& folder)
{
    SCOPED_TRACE(design.GetName());
    NicTestBench bench(design.preset);
    design.SetVersion();
    FabricConfig config;
    config.ecn[50'000'000'000] = {0, 1, 1};
    const Time delay = MicroSeconds(1);
    bench.Build(MakeDumbbell({1, DataRate("100Gbps"), DataRate("50Gbps"), delay}), config);
    TrafficTap tap(bench, 1, design.format, design.version, folder / (design.GetName() + "-cnp"));
    bench.Post(bench.Connect(0, 1), 1, 20 * MTU);
    bench.Run();
    tap.Close();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_GT(tap.marked, 0);
    EXPECT_EQ(tap.opcodes,
              (std::set<uint32_t>{opcode::WRITE_FIRST,
                                  opcode::WRITE_MIDDLE,
                                  opcode::WRITE_LAST,
                                  opcode::ACK,
                                  opcode::CNP}));
}

const Design DESIGNS[] = {
    {"connectx6", PLAIN, IpVersion::V4},
    {"connectx6", PLAIN, IpVersion::V6},
    {"irn", "ns3::rdma::IrnFormat", IpVersion::V4},
    {"srnic", "ns3::rdma::SrnicFormat", IpVersion::V4},
};
} // namespace

TEST(TrafficCapture, HoldsWhatNicsSayToEachOther)
{
    const CaptureFolder captures;
    const std::filesystem::path& folder = captures.GetPath();
    for (const Design& design : DESIGNS)
    {
        for (const Scene& scene : SCENES)
        {
            CaptureScene(scene, design, folder);
        }
        if (design.format == PLAIN)
        {
            CaptureCnps(design, folder);
        }
    }
}
