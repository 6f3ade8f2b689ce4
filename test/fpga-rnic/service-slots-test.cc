// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/service-slots.h"

#include "../expect-error.h"
#include "two-service-hosts.h"

#include "ns3/boolean.h"
#include "ns3/get-kernel.h"
#include "ns3/hyper-log-log-kernel.h"
#include "ns3/pass-through-service.h"
#include "ns3/traversal-kernel.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024}; ///< Of the bench.

Ptr<PassThroughService>
MakePassThrough(uint32_t latency, uint32_t interval, bool isParallel, uint32_t code = 32)
{
    auto service = CreateObject<PassThroughService>();
    service->SetAttribute("Latency", UintegerValue(latency));
    service->SetAttribute("Interval", UintegerValue(interval));
    service->SetAttribute("Parallel", BooleanValue(isParallel));
    service->SetAttribute("Code", UintegerValue(code));
    return service;
}

/// Writes each byte twice.
class DoublingService : public StreamService
{
  public:
    static constexpr uint64_t CODE{91};

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    Placement GetPlacement() const override
    {
        return Placement::ON_PATH;
    }

    KernelStep OnPacket(const KernelInput&) override
    {
        return {};
    }

    uint32_t GetBytesBehind(uint32_t bytes) const override
    {
        return 2 * bytes;
    }

    StreamStep OnStream(const StreamInput& input) override
    {
        StreamStep step;
        for (const uint8_t byte : input.bytes.Copy())
        {
            step.bytes.insert(step.bytes.end(), 2, byte);
        }
        return step;
    }
};

/// Keeps what it is given.
class NotingKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t CODE{92};

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        const auto given = input.bytes.Copy();
        bytes.insert(bytes.end(), given.begin(), given.end());
        return {};
    }

    KernelStep OnData(uint64_t, ByteView, Tick) override
    {
        return {};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        return {};
    }

    std::vector<uint8_t> bytes;
};

std::vector<WcStatus>
GetStatuses(const VerbsEnd& end)
{
    std::vector<WcStatus> statuses;
    for (const WorkCompletion& completion : end.PollSends())
    {
        statuses.push_back(completion.status);
    }
    return statuses;
}

const std::vector<WcStatus> SUCCEEDED{WcStatus::SUCCESS};

/// What 4 MiB of WRITEs of 64 KiB with 4096 bytes per packet come to.
struct Throughput
{
    double gbps;       ///< From the first word to the last byte in memory.
    uint64_t drops;    ///< For want of credits, at the receiver.
    uint64_t resent;   ///< Packets.
    uint64_t timeouts; ///< Of the sender.
    uint64_t packets;  ///< That the receiver's service has seen.
};

Throughput
Measure(uint32_t interval, bool isSent, uint32_t budget = 1 << 20)
{
    constexpr uint32_t WRITES{64};
    constexpr uint32_t BYTES{65536};
    TwoServiceHosts ends(true);
    NicTestBench::Set("RdmaNic::PathMtu", "4096");
    NicTestBench::Set("AckClockedCredits::Budget", std::to_string(budget));
    const auto service = MakePassThrough(10, std::max(interval, 1U), false);
    const uint32_t end = isSent ? 0 : 1;
    Throughput measured{};
    if (interval > 0)
    {
        ends.slots[end]->Install(service);
    }
    ends.Start();
    if (interval > 0)
    {
        ends.Attach(end, service->GetRpcCode(), isSent);
    }
    Tick last = 0;
    Tick first = 0;
    ends.hosts.bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(
        Callback<void, const Frame&, Time>([&](const Frame&, Time at) {
            first = first == 0 ? ToTick(at) : first;
            last = ToTick(at);
        }));
    for (uint32_t i = 0; i < WRITES; ++i)
    {
        ends.Write(uint64_t{i} * BYTES, BYTES, i);
    }
    ends.hosts.bench.Run();
    EXPECT_EQ(GetStatuses(ends.GetEnd(0)).size(), WRITES);
    const double seconds = static_cast<double>(last - first) * 1e-12;
    measured.gbps = (uint64_t{WRITES} * BYTES - 4096) * 8 / seconds / 1e9;
    measured.drops = ends.hosts.bench.GetBench().GetDrops(DropReason::NO_RECEIVE_CREDITS);
    measured.resent = ends.hosts.bench.GetNic(0)
                          .FindQueuePair(ends.GetEnd(0).qp)
                          ->requester->GetStats()
                          .retransmitted;
    measured.timeouts =
        ends.hosts.bench.GetNic(0).FindQueuePair(ends.GetEnd(0).qp)->requester->GetStats().timeouts;
    measured.packets = service->GetReceived().packets;
    return measured;
}
} // namespace

TEST(ServiceThroughput, OneWordPerCycleCostsNothing)
{
    const Throughput without = Measure(0, false);
    for (const bool isSent : {false, true})
    {
        const Throughput with = Measure(1, isSent);
        EXPECT_GT(with.gbps, 0.999 * without.gbps) << (isSent ? "transmit" : "receive");
        EXPECT_EQ(with.drops, 0U);
        EXPECT_EQ(with.resent, 0U);
    }
}

TEST(ServiceThroughput, HalfTheWordsOnTransmitHoldTheSenderBack)
{
    // 64 bytes in two cycles of 4 ns are 64 Gb/s; what waits is in the sender: nothing is dropped.
    const Throughput half = Measure(2, true);
    EXPECT_NEAR(half.gbps, 64, 0.7);
    EXPECT_EQ(half.drops, 0U);
    EXPECT_EQ(half.resent, 0U);
}

TEST(ServiceThroughput, HalfTheWordsOnReceiveDropForWantOfCreditsAndComeAgain)
{
    // The ACKs are of the packet pipeline, before the service: the sender goes on at line rate
    // until 128 KiB of credits are held, and what is dropped then comes again (BALBOA section 4.3).
    // With more under way than credits the service never runs dry.
    const Throughput half = Measure(2, false);
    EXPECT_NEAR(half.gbps, 64, 0.7);
    EXPECT_GT(half.drops, 10U);
    EXPECT_GT(half.resent, half.drops); // Go-back-N: what came behind a dropped packet, too.
    EXPECT_EQ(half.timeouts, 0U);
    EXPECT_EQ(half.packets, 64U * 16); // Each once.
}

TEST(ServiceThroughput, WithThePresetsBudgetTheServiceDoesNotRunDryEither)
{
    // 64 KiB per queue pair: what is dropped comes again before the service has worked off the 128
    // KiB that it holds.
    const Throughput half = Measure(2, false, 65536);
    EXPECT_NEAR(half.gbps, 64, 0.7);
    EXPECT_GT(half.drops, 10U);
    EXPECT_GT(half.resent, half.drops);
    EXPECT_EQ(half.timeouts, 0U);
    EXPECT_EQ(half.packets, 64U * 16); // Each once.
}

TEST(ServiceSlots, AParallelServiceIsHiddenAsLongAsTheStacksPipelineTakes)
{
    const auto measure = [](uint32_t cycles, bool isParallel) {
        TwoServiceHosts ends(true);
        NicTestBench::Set("TranslationCache::CacheEntries", "0"); // A miss would hide more.
        ends.slots[1]->Install(MakePassThrough(cycles, 1, isParallel));
        ends.Start();
        ends.Attach(1, PassThroughService::RPC_CODE, false, isParallel);
        Tick placed = 0;
        ends.hosts.bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(
            Callback<void, const Frame&, Time>(
                [&](const Frame&, Time at) { placed = ToTick(at); }));
        ends.Write(0, 64);
        ends.hosts.bench.Run();
        return placed;
    };
    const Tick none = measure(0, true);
    EXPECT_EQ(measure(11, true), none);           // 44 ns of the inspection, under 204 ns.
    EXPECT_LE(measure(50, true), none + 4'000);   // Not yet; an edge at most.
    EXPECT_GE(measure(75, true), none + 96'000);  // 300 ns: 96 ns too many.
    EXPECT_GE(measure(11, false), none + 44'000); // In the stream it is not hidden.
}

TEST(ServiceSlots, ACountingServiceSeesEachPacketOnceUnderLossAndReplay)
{
    TwoServiceHosts ends(false);
    const auto sender = MakePassThrough(1, 1, false);
    const auto receiver = MakePassThrough(1, 1, true);
    ends.slots[0]->Install(sender);
    ends.slots[1]->Install(receiver);
    ends.Start();
    ends.Attach(0, PassThroughService::RPC_CODE, true);
    ends.Attach(0, PassThroughService::RPC_CODE, false);
    ends.Attach(1, PassThroughService::RPC_CODE, false, true);
    ends.Attach(1, PassThroughService::RPC_CODE, true);
    ends.hosts.Impair(11);
    std::mt19937_64 random(11);
    uint64_t packets[2]{0, 0}; // WRITEs, READ responses.
    for (uint32_t i = 0; i < 300; ++i)
    {
        const auto size = static_cast<uint32_t>(1 + random() % 20'000);
        i % 2 == 0 ? ends.Write(0, size, i) : ends.Read(0, size, i);
        packets[i % 2] += (size - 1) / MTU + 1;
        ends.hosts.bench.Run();
        ASSERT_EQ(GetStatuses(ends.GetEnd(0)), SUCCEEDED);
    }
    EXPECT_EQ(sender->GetSent().packets, packets[0]);
    EXPECT_EQ(receiver->GetReceived().packets, packets[0]);
    EXPECT_EQ(receiver->GetSent().packets, packets[1]);
    EXPECT_EQ(sender->GetReceived().packets, packets[1]);
    EXPECT_GT(ends.GetStats(0).resent, 0U);
    EXPECT_GT(ends.GetStats(1).resent, 0U);
}

TEST(ServiceSlots, AServiceOnTransmitMayMakeAPacketLonger)
{
    TwoServiceHosts ends(true);
    ends.slots[0]->Install(CreateObject<DoublingService>());
    ends.Start();
    ends.Attach(0, DoublingService::CODE, true);
    ends.GetEnd(0).Fill(0, 500, 1);
    ends.Write(0, 500);
    ends.hosts.bench.Run();
    EXPECT_EQ(GetStatuses(ends.GetEnd(0)), SUCCEEDED);
    const auto plain = ends.GetEnd(0).Read(0, 500);
    const auto arrived = ends.GetEnd(1).Read(TwoServiceHosts::TO, 1000);
    for (uint32_t i = 0; i < 500; ++i)
    {
        ASSERT_EQ(arrived[2 * i], plain[i]);
        ASSERT_EQ(arrived[2 * i + 1], plain[i]);
    }
}

TEST(ServiceSlots, AServiceOnReceiveMayMakeAMessageLonger)
{
    TwoServiceHosts ends(true);
    ends.slots[1]->Install(CreateObject<DoublingService>());
    ends.Start();
    ends.Attach(1, DoublingService::CODE, false);
    ends.GetEnd(0).Fill(0, 3000, 1);
    ends.Write(0, 3000);
    ends.hosts.bench.Run();
    EXPECT_EQ(GetStatuses(ends.GetEnd(0)), SUCCEEDED);
    const auto plain = ends.GetEnd(0).Read(0, 3000);
    const auto arrived = ends.GetEnd(1).Read(TwoServiceHosts::TO, 6000);
    for (uint32_t i = 0; i < 3000; ++i)
    {
        ASSERT_EQ(arrived[2 * i + 1], plain[i]) << i;
    }
}

TEST(ServiceSlots, BeyondTheMtuIsOneErrorOfTheRequest)
{
    {
        TwoServiceHosts ends(true);
        ends.slots[0]->Install(CreateObject<DoublingService>());
        ends.Start();
        ends.Attach(0, DoublingService::CODE, true);
        ends.Write(0, 600); // 1200 bytes in a packet of 1024.
        ends.hosts.bench.Run();
        EXPECT_EQ(GetStatuses(ends.GetEnd(0)), std::vector<WcStatus>{WcStatus::LOC_LEN_ERR});
        EXPECT_EQ(ends.CountFaults(0, StreamFault::TOO_LONG), 1U);
    }
    {
        TwoServiceHosts ends(true);
        ends.hosts.hosts[1]->SetAttribute("MaxPacketBytes", UintegerValue(1024));
        ends.slots[1]->Install(CreateObject<DoublingService>());
        ends.Start();
        ends.Attach(1, DoublingService::CODE, false);
        ends.Write(0, 600);
        ends.hosts.bench.Run();
        EXPECT_EQ(GetStatuses(ends.GetEnd(0)), std::vector<WcStatus>{WcStatus::REM_OP_ERR});
        EXPECT_EQ(ends.CountFaults(1, StreamFault::TOO_LONG), 1U);
    }
}

TEST(ServiceSlots, TheCardHasFifteenRegions)
{
    TwoServiceHosts ends(false);
    for (uint32_t i = 0; i < 15; ++i)
    {
        ends.slots[0]->Install(MakePassThrough(1, 1, true, 100 + i));
    }
    EXPECT_EQ(ends.slots[0]->GetRegions(), 15U);
    ExpectError<VerbsError>([&] { ends.slots[0]->Install(CreateObject<GetKernel>()); },
                            "the card has 15 user regions, all in use: there is none for a "
                            "ns3::rdma::GetKernel");
}

TEST(ServiceSlots, AKernelThatIsNoServiceGetsACopyOrTheStreamItself)
{
    for (const bool isParallel : {true, false})
    {
        TwoServiceHosts ends(true);
        const auto kernel = CreateObject<NotingKernel>();
        ends.slots[1]->Install(kernel);
        ends.Start();
        ends.Attach(1, NotingKernel::CODE, false, isParallel);
        ends.GetEnd(0).Fill(0, 5000, 1);
        ends.Write(0, 5000);
        ends.hosts.bench.Run();
        EXPECT_EQ(GetStatuses(ends.GetEnd(0)), SUCCEEDED);
        const auto plain = ends.GetEnd(0).Read(0, 5000);
        EXPECT_EQ(kernel->bytes, plain);
        const auto arrived = ends.GetEnd(1).Read(TwoServiceHosts::TO, 5000);
        EXPECT_EQ(arrived == plain, isParallel);
        ExpectError<VerbsError>([&] { ends.Attach(1, NotingKernel::CODE, true); },
                                "lets no data through: it cannot be on the transmit path");
        ExpectError<VerbsError>([&] { ends.Attach(1, 12345, true); },
                                "no kernel has the code 12345");
    }
}

TEST(ServiceSlots, KernelsOfStromRunBehindBalboasStackAsTheyAre)
{
    TwoServiceHosts ends(true);
    const auto sketch = CreateObject<HyperLogLogKernel>();
    sketch->SetAttribute("WideItems", BooleanValue(true));
    ends.slots[1]->Install(sketch);
    ends.slots[1]->Install(CreateObject<TraversalKernel>());
    ends.slots[1]->Install(CreateObject<GetKernel>());
    ends.Start();
    ends.Attach(1, HyperLogLogKernel::RPC_CODE, false, true);
    TwoKernelHosts& hosts = ends.hosts;

    // GET: an entry and its value.
    const std::vector<uint8_t> value(3000, 42);
    hosts.Put(1, 64, value);
    GetEntry entry;
    entry.buckets[1] = {77, VerbsEnd::BASE + 64, 3000};
    hosts.Put(1, 0, entry.Encode());
    hosts.Call(GetKernel::RPC_CODE,
               GetParameters{TwoKernelHosts::GetTarget(0), VerbsEnd::BASE, 77}.Encode());
    hosts.bench.Run();
    EXPECT_EQ(hosts.GetStatus(0), KernelStatus::OK);
    EXPECT_EQ(hosts.GetValue(0), value);

    // Traversal: the second element of a list.
    HostMemory& memory = *ends.GetEnd(1).memory;
    const uint64_t list = VerbsEnd::BASE + 8192;
    memory.Write64(list, 1);
    memory.Write64(list + 8, list + 64);
    memory.Write64(list + 64, 2);
    memory.Write64(list + 64 + 16, VerbsEnd::BASE + 64);
    TraversalParameters parameters;
    parameters.target = TwoKernelHosts::GetTarget(1);
    parameters.remoteAddress = list;
    parameters.key = 2;
    parameters.valueSize = 512;
    parameters.valuePtrPosition = 4;
    parameters.nextElementPtrPosition = 2;
    parameters.nextElementPtrValid = true;
    hosts.Call(TraversalKernel::RPC_CODE, parameters.Encode());
    hosts.bench.Run();
    EXPECT_EQ(hosts.GetStatus(1), KernelStatus::OK);
    EXPECT_EQ(hosts.GetValue(1), std::vector<uint8_t>(512, 42));

    // HyperLogLog: sees the WRITE that goes to memory.
    for (uint32_t i = 0; i < 1000; ++i)
    {
        ends.GetEnd(0).memory->Write64(VerbsEnd::BASE + 8 * i, i % 100);
    }
    ends.Write(0, 8000);
    hosts.bench.Run();
    EXPECT_EQ(ends.GetEnd(1).Read(TwoServiceHosts::TO, 8000), ends.GetEnd(0).Read(0, 8000));
    hosts.Call(HyperLogLogKernel::RPC_CODE,
               HyperLogLogParameters{TwoKernelHosts::GetTarget(2)}.Encode());
    hosts.bench.Run();
    EXPECT_EQ(ByteView(hosts.GetValue(2)).Get64(8), 1000U);
    EXPECT_NEAR(static_cast<double>(ByteView(hosts.GetValue(2)).Get64(0)), 100, 5);
}
