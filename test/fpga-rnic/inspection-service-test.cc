// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/inspection-service.h"

#include "../expect-error.h"
#include "../test-files.h"
#include "inspection-bench.h"
#include "two-kernel-hosts.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <functional>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick CYCLE{4'000}; ///< 250 MHz.

std::vector<uint8_t>
DrawBytes(std::mt19937_64& random, std::size_t count)
{
    std::vector<uint8_t> bytes(count);
    // Beats of many kinds: all bits alike often, few often, most often.
    const uint64_t kind = random() % 3;
    for (uint8_t& byte : bytes)
    {
        const uint64_t bits = random();
        byte = static_cast<uint8_t>(kind == 0   ? bits
                                    : kind == 1 ? bits & bits >> 8 & bits >> 16
                                                : bits | bits >> 8 | bits >> 16);
    }
    return bytes;
}

Ptr<InspectionService>
MakeService(const TemporaryFile& weights)
{
    auto service = CreateObject<InspectionService>();
    service->SetAttribute("Weights", StringValue(weights.GetPath()));
    service->SetClock(ClockDomain(250'000'000, 64));
    return service;
}

/// A service with random weights whose threshold is the median of random beats' scores.
struct HalfBad
{
    explicit HalfBad(uint64_t seed)
        : network(seed),
          random(seed)
    {
        std::vector<int> scores;
        for (int i = 0; i < 501; ++i)
        {
            scores.push_back(network.GetScore(DrawBytes(random, 64).data()));
        }
        std::nth_element(scores.begin(), scores.begin() + 250, scores.end());
        network.threshold = scores[250];
        file.Write(network.GetText());
        service = MakeService(file);
    }

    StreamStep Pass(const std::vector<uint8_t>& bytes, Tick at = 0)
    {
        StreamInput input;
        input.queuePair = 5;
        input.address = 0x1000;
        input.bytes = ByteView(bytes);
        input.at = at;
        return service->OnStream(input);
    }

    /// A beat that is bad, or one that is not.
    std::vector<uint8_t> DrawBeat(bool isBad)
    {
        while (true)
        {
            std::vector<uint8_t> beat = DrawBytes(random, 64);
            if ((network.GetScore(beat.data()) >= network.threshold) == isBad)
            {
                return beat;
            }
        }
    }

    std::vector<uint8_t> DrawPacket(const std::vector<bool>& bad)
    {
        std::vector<uint8_t> packet;
        for (const bool isBad : bad)
        {
            const std::vector<uint8_t> beat = DrawBeat(isBad);
            packet.insert(packet.end(), beat.begin(), beat.end());
        }
        return packet;
    }

    RandomNetwork network;
    std::mt19937_64 random;
    TemporaryFile file{""};
    Ptr<InspectionService> service;
};
} // namespace

TEST(InspectionNetwork, HasTheIntegersOfPlainLoopsOver5000Beats)
{
    for (uint64_t seed = 0; seed < 5; ++seed)
    {
        const RandomNetwork plain(seed);
        const InspectionNetwork network(TemporaryFile(plain.GetText()).GetPath());
        std::mt19937_64 random(seed);
        for (int i = 0; i < 1000; ++i)
        {
            const std::vector<uint8_t> beat = DrawBytes(random, 64);
            ASSERT_EQ(network.GetScore(beat.data()), plain.GetScore(beat.data()));
        }
    }
}

TEST(InspectionNetwork, RefusesAFileThatIsNotOneWithItsLine)
{
    // Lines: 1 comment, 2 magic, 3 layer, 4 to 35 rows, 36 layer, 37 to 100, 101 layer, 102 to 165,
    // 166 output, 167 weights, 168 bias, 169 threshold.
    const std::string good = RandomNetwork(1).GetText();
    const auto replace = [&good](const std::string& what, const std::string& by) {
        std::string text = good;
        return text.replace(text.find(what), what.size(), by);
    };
    const std::string row = good.substr(good.find('\n', good.find("layer 512")) + 1, 512);
    const std::pair<std::string, std::string> cases[]{
        {replace("rocelab-inspection 1", "rocelab-inspection 2"), ":2: expected"},
        {replace("layer 512 32", "layer 512 16"), ":3: expected \"layer 512 32\""},
        {replace("layer 32 64", "layer 64 64"), ":36: expected \"layer 32 64\""},
        {replace(row, row.substr(1)), ":4: expected 512 weights"},
        {replace(row, "x" + row.substr(1)), ":4: expected 512 weights"},
        {replace("output 64", "output 63"), ":166: expected"},
        {replace("bias ", "bias x"), ":168: expected a whole number"},
        {replace("threshold 0", "threshold 999999999"), ":169: expected a whole number"},
        {good.substr(0, good.find("bias")), "end of the file"},
        {good + "more\n", "expected the end of the file"}};
    for (const auto& [text, part] : cases)
    {
        const TemporaryFile file(text);
        ExpectError<InputError>([&file] { InspectionNetwork network(file.GetPath()); }, part);
    }
    ExpectError<InputError>([] { InspectionNetwork network("/no/such/file"); }, "/no/such/file");
}

TEST(InspectionService, IsNotDeployedWithoutWeights)
{
    auto host = CreateObject<KernelHost>();
    ExpectError<VerbsError>([&] { host->Deploy("ns3::rdma::InspectionService"); },
                            "InspectionService: expected a file of weights");
    host->Dispose();
}

TEST(InspectionService, RejectsAPacketWithOneBadBeatAndTellsTheHost)
{
    HalfBad bench(1);
    EXPECT_FALSE(bench.Pass(bench.DrawPacket({false, false, false})).isRejected);
    const StreamStep step = bench.Pass(bench.DrawPacket({false, true, false}));
    EXPECT_TRUE(step.isRejected);
    ASSERT_EQ(step.step.commands.size(), 1);
    EXPECT_EQ(step.step.commands[0].kind, KernelCommand::Kind::INTERRUPT);
    EXPECT_EQ(step.step.commands[0].tag, 0x1000);
    EXPECT_EQ(step.step.commands[0].queuePair, 5);
    EXPECT_EQ(bench.service->GetStats().packets, 2);
    EXPECT_EQ(bench.service->GetStats().badPackets, 1);
    EXPECT_EQ(bench.service->GetStats().beats, 6);
    EXPECT_EQ(bench.service->GetStats().badBeats, 1);
}

TEST(InspectionService, DoesNotInspectABeatThatIsNotFull)
{
    HalfBad bench(2);
    std::vector<uint8_t> packet = bench.DrawPacket({false, true});
    packet.pop_back();
    EXPECT_FALSE(bench.Pass(packet).isRejected);
    EXPECT_EQ(bench.service->GetStats().beats, 1);
    EXPECT_FALSE(bench.Pass({1, 2, 3}).isRejected);
}

TEST(InspectionService, HasAMarginANumberOfBadBeatsAndAMilderAction)
{
    HalfBad bench(3);
    const std::vector<uint8_t> packet = bench.DrawPacket({true, false, true});
    bench.service->SetAttribute("BadBeats", UintegerValue(3));
    EXPECT_FALSE(bench.Pass(packet).isRejected);
    bench.service->SetAttribute("BadBeats", UintegerValue(2));
    EXPECT_TRUE(bench.Pass(packet).isRejected);
    bench.service->SetAttribute("Drop", BooleanValue(false));
    const StreamStep flagged = bench.Pass(packet);
    EXPECT_FALSE(flagged.isRejected);
    EXPECT_EQ(flagged.step.commands.size(), 1);
    // A margin above the worst beat makes all of them good.
    const int worst = bench.network.GetWorst(packet);
    bench.service->SetAttribute("BadBeats", UintegerValue(1));
    bench.service->SetAttribute("Margin", IntegerValue(worst - bench.network.threshold));
    EXPECT_EQ(bench.Pass(packet).step.commands.size(), 1);
    bench.service->SetAttribute("Margin", IntegerValue(worst - bench.network.threshold + 1));
    EXPECT_TRUE(bench.Pass(packet).step.commands.empty());
}

TEST(InspectionService, HasAVerdict44NsAfterABeat)
{
    HalfBad bench(4);
    const std::vector<uint8_t> packet = bench.DrawPacket({false, false});
    // 11 cycles of 4 ns, less than the 51 of the pipeline beside it. On its way in a packet is
    // there with its last beat.
    EXPECT_EQ(bench.service->GetHidden(), 51 * CYCLE);
    EXPECT_EQ(bench.Pass(packet, 10 * CYCLE + 1).passedAt, 22 * CYCLE);
    EXPECT_EQ(bench.Pass(packet, 20 * CYCLE).readyAt, 20 * CYCLE);
    // A beat per cycle: two packets of two beats at one time.
    EXPECT_EQ(bench.Pass(packet, 20 * CYCLE).readyAt, 22 * CYCLE);
}

TEST(InspectionService, DelaysWhatThePipelineDoesNotHideOnceInAnySlot)
{
    HalfBad bench(6);
    const std::vector<uint8_t> packet = bench.DrawPacket({false, false});
    bench.service->SetAttribute("Latency", UintegerValue(60));
    Tick now = 0;
    const auto pass = [&](bool isInSlot, uint32_t cycles) {
        now += 1000 * CYCLE; // The service is free again.
        bench.service->SetAttribute("PipelineCycles", UintegerValue(cycles));
        const auto entry = std::make_shared<ServiceEntry>();
        entry->service = bench.service;
        ServiceChain chain;
        if (isInSlot)
        {
            chain.Add(entry, StreamService::Placement::PARALLEL, 51 * CYCLE);
        }
        else
        {
            chain.Add(entry);
        }
        StreamInput input;
        input.bytes = ByteView(packet);
        input.at = now;
        return chain.Pass(input).passedAt - input.at;
    };
    EXPECT_EQ(pass(false, 51), 9 * CYCLE);
    EXPECT_EQ(pass(false, 0), 60 * CYCLE);
    EXPECT_EQ(pass(false, 70), 0);
    EXPECT_EQ(pass(true, 51), 9 * CYCLE); // Once: 102 cycles would hide all of it.
}

TEST(InspectionService, AnswersWithItsCounts)
{
    HalfBad bench(5);
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy(bench.service);
    hosts.Start();
    hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, InspectionService::RPC_CODE);
    hosts.Put(0, 0, bench.DrawPacket({true, false}));
    hosts.bench.Post(hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 128, 1 << 20));
    hosts.bench.Run();
    std::vector<uint8_t> target(8);
    boost::endian::store_little_u64(target.data(), TwoKernelHosts::GetTarget());
    hosts.Call(InspectionService::RPC_CODE, target);
    hosts.bench.Run();
    ASSERT_EQ(hosts.GetStatus(), KernelStatus::OK);
    const std::vector<uint8_t> value = hosts.GetValue();
    ASSERT_EQ(value.size(), 32);
    const uint64_t expected[]{1, 1, 2, 1}; // Packets, bad packets, beats, bad beats.
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(ByteView(value).Get64(8 * i), expected[i]);
    }
}

TEST(InspectionService, JudgesEachOfHundredsOfPacketsOnceUnderLossDuplicatesAndReordering)
{
    HalfBad bench(6);
    // About half of the packets are bad: thresholds near the median of the worst of many beats.
    std::vector<int> worst;
    for (int i = 0; i < 101; ++i)
    {
        worst.push_back(bench.network.GetWorst(DrawBytes(bench.random, 1024)));
    }
    std::nth_element(worst.begin(), worst.begin() + 50, worst.end());
    bench.service->SetAttribute("Margin", IntegerValue(worst[50] - bench.network.threshold));
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy(bench.service);
    hosts.Start();
    hosts.Impair(6);
    hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, InspectionService::RPC_CODE);
    std::map<uint64_t, uint32_t> seen;
    const std::function<void(const InspectionVerdict&)> tap = [&seen](const auto& verdict) {
        ++seen[verdict.address];
    };
    bench.service->TraceConnectWithoutContext("Verdict",
                                              Callback<void, const InspectionVerdict&>(tap));
    uint64_t interrupts = 0;
    hosts.hosts[1]->SetListener([&interrupts](const KernelCommand&, Tick) { ++interrupts; });
    const auto mtu = static_cast<uint32_t>(hosts.bench.GetNic(0).GetPathMtu());
    uint64_t packets = 0;
    uint64_t bad = 0;
    for (uint32_t write = 0; packets < 300; ++write)
    {
        const auto size = static_cast<uint32_t>(1 + bench.random() % 20'000);
        const std::vector<uint8_t> bytes = DrawBytes(bench.random, size);
        hosts.Put(0, 0, bytes);
        hosts.Put(1, 1 << 20, std::vector<uint8_t>(size, 0x55));
        hosts.bench.Post(hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, write, 0, size, 1 << 20));
        hosts.bench.Run();
        std::vector<uint8_t> expected;
        for (uint32_t at = 0; at < size; at += mtu)
        {
            const std::vector<uint8_t> packet(bytes.begin() + at,
                                              bytes.begin() + std::min(at + mtu, size));
            const bool isBad = bench.network.GetWorst(packet) >= worst[50];
            const std::vector<uint8_t> old(packet.size(), 0x55);
            const std::vector<uint8_t>& kept = isBad ? old : packet;
            expected.insert(expected.end(), kept.begin(), kept.end());
            bad += isBad;
            ++packets;
        }
        ASSERT_EQ(hosts.bench.ends[1].Read(1 << 20, size), expected);
    }
    uint64_t verdicts = 0;
    for (const auto& [address, count] : seen)
    {
        verdicts += count;
    }
    EXPECT_EQ(verdicts, packets);
    EXPECT_EQ(bench.service->GetStats().packets, packets);
    EXPECT_EQ(bench.service->GetStats().badPackets, bad);
    EXPECT_EQ(interrupts, bad);
    EXPECT_GT(bad, packets / 10);
    EXPECT_LT(bad, packets * 9 / 10);
}
