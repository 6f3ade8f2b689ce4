// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t GPU_BASE{0x7f0000000000};
constexpr uint32_t MTU{1024};

/// Two NICs; the second has a GPU with a region of 64 MiB.
class GpuPlacement : public testing::Test
{
  protected:
    void Start(Service service = Service::RC)
    {
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("GpuPath::BarBytes", "60000000000");
        NicTestBench::Set("GpuPath::MissTime", "800ns");
        QueuePairInit init;
        init.service = service;
        m_bench.Start(init);
        VerbsEnd& end = m_bench.ends[1];
        end.domain->SetGpuMemory(m_bench.GetNic(1).GetGpuMemory());
        m_gpu =
            end.domain->Register(GPU_BASE, 64 << 20, VerbsTestBench::ALL_ACCESS, MemoryKind::GPU);
        m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
            [this](const Frame&, Time at) { m_placed.push_back(ToTick(at)); }));
    }

    SendWorkRequest MakeWrite(uint32_t bytes, bool isGpu)
    {
        SendWorkRequest request = m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, bytes);
        if (isGpu)
        {
            request.remoteAddress = GPU_BASE;
            request.remoteKey = m_gpu.remoteKey;
        }
        return request;
    }

    /// @return when a WRITE of a packet is visible.
    Tick Write(bool isGpu)
    {
        m_bench.Post(MakeWrite(MTU, isGpu));
        VerbsTestBench::Run();
        return m_placed.back();
    }

    VerbsTestBench m_bench{"connectx6"};
    MemoryRegion m_gpu{};
    std::vector<Tick> m_placed;
};
} // namespace

TEST_F(GpuPlacement, AWriteWaitsForItsPageAndGoesOn)
{
    Start();
    m_bench.ends[0].Fill(0, MTU, 3);
    const Tick startGpu = m_bench.GetBench().Now();
    const Tick gpu = Write(true) - startGpu;
    const Tick startKnown = m_bench.GetBench().Now();
    const Tick known = Write(true) - startKnown;
    const Tick startHost = m_bench.GetBench().Now();
    const Tick host = Write(false) - startHost;
    EXPECT_EQ(known, host);          // The same PCIe link, and no latency beyond it.
    EXPECT_EQ(gpu, known + 800'000); // The miss.
    std::vector<uint8_t> written(MTU);
    m_bench.ends[1].memory->Read(GPU_BASE, written.data(), MTU);
    EXPECT_EQ(written, m_bench.ends[0].Read(0, MTU));
}

TEST_F(GpuPlacement, ItsLatencyComesOnTop)
{
    NicTestBench::Set("GpuPath::Latency", "300ns");
    Start();
    Write(true); // The miss.
    const Tick startKnown = m_bench.GetBench().Now();
    const Tick known = Write(true) - startKnown;
    const Tick startHost = m_bench.GetBench().Now();
    EXPECT_EQ(known, Write(false) - startHost + 300'000);
}

TEST_F(GpuPlacement, ItsBandwidthIsTheLimitAndAcknowledgmentsDoNotWait)
{
    NicTestBench::Set("GpuPath::Bandwidth", "10Gbps");
    Start();
    m_bench.Post(MakeWrite(100 * MTU, true));
    VerbsTestBench::Run();
    ASSERT_EQ(m_placed.size(), 100);
    // 8192 bits at 10 Gb/s: 819.2 ns a packet, 99 of them behind the first. The second page begins
    // with the 65th packet, whose miss has passed by then.
    EXPECT_NEAR(m_placed.back() - m_placed.front(), 99 * 819'200, 99);
    EXPECT_EQ(m_bench.GetNic(1).GetHardware()->GetGpuPath().GetWaitingBytes(), 0);
}

TEST_F(GpuPlacement, ASendGoesWhereItsReceiveRequestLies)
{
    Start();
    ReceiveWorkRequest receive;
    receive.sgList = {{GPU_BASE + 65536, 4096, m_gpu.localKey}};
    ASSERT_EQ(m_bench.GetNic(1).PostReceive(m_bench.ends[1].qp, receive), PostResult::OK);
    m_bench.Post(m_bench.MakeRequest(WrOpcode::SEND, 1, 0, 4096));
    VerbsTestBench::Run();
    const GpuPath& path = m_bench.GetNic(1).GetHardware()->GetGpuPath();
    EXPECT_EQ(path.GetStats().writtenBytes, 4096);
    EXPECT_EQ(path.GetCacheStats().misses, 1);
    EXPECT_EQ(m_bench.ends[1].PollReceives().size(), 1);
}

TEST_F(GpuPlacement, AReadIsAnsweredFromIt)
{
    Start();
    SendWorkRequest request = MakeWrite(8 * MTU, true);
    request.opcode = WrOpcode::RDMA_READ;
    m_bench.Post(request);
    VerbsTestBench::Run();
    const GpuPath& path = m_bench.GetNic(1).GetHardware()->GetGpuPath();
    EXPECT_EQ(path.GetStats().readBytes, 8 * MTU);
    EXPECT_EQ(m_bench.ends[0].PollSends().at(0).status, WcStatus::SUCCESS);
}

TEST_F(GpuPlacement, AReadMayBringItsDataThere)
{
    Start();
    m_bench.ends[1].Fill(0, 8 * MTU, 5);
    // End 0 has no GPU: end 1 reads from it.
    SendWorkRequest request = m_bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 8 * MTU, 0, 1);
    request.sgList = {{GPU_BASE + 4096, 8 * MTU, m_gpu.localKey}};
    m_bench.Post(request, 1);
    VerbsTestBench::Run();
    const GpuPath& path = m_bench.GetNic(1).GetHardware()->GetGpuPath();
    EXPECT_EQ(path.GetStats().writtenBytes, 8 * MTU);
    EXPECT_EQ(path.GetCacheStats().misses, 1);
    EXPECT_EQ(m_bench.ends[1].PollSends().at(0).status, WcStatus::SUCCESS);
}

TEST_F(GpuPlacement, AccessBeyondTheRegionIsRefused)
{
    Start();
    SendWorkRequest request = MakeWrite(MTU, true);
    request.remoteAddress = GPU_BASE + (64 << 20) - MTU + 1;
    m_bench.Post(request);
    VerbsTestBench::Run();
    EXPECT_EQ(m_bench.ends[0].PollSends().at(0).status, WcStatus::REM_ACCESS_ERR);
    EXPECT_EQ(m_bench.GetNic(1).GetHardware()->GetGpuPath().GetStats().writtenBytes, 0);
}

TEST_F(GpuPlacement, ASlowPathDropsWithoutPausesAndNotWithThem)
{
    // UC at 64 Gb/s, what PCIe brings at the sender, into 10 Gb/s: the buffer of 614 KiB fills
    // after 4 MB x 10 / 64.
    for (const bool pauses : {false, true})
    {
        VerbsTestBench bench("connectx6");
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("GpuPath::BarBytes", "60000000000");
        NicTestBench::Set("GpuPath::Bandwidth", "10Gbps");
        if (pauses)
        {
            NicTestBench::Set("ReceiveBuffer::PauseAt", "131072");
            NicTestBench::Set("ReceiveBuffer::ResumeAt", "65536");
        }
        QueuePairInit init;
        init.service = Service::UC;
        bench.Start(init);
        bench.ends[1].domain->SetGpuMemory(bench.GetNic(1).GetGpuMemory());
        const MemoryRegion gpu = bench.ends[1].domain->Register(GPU_BASE,
                                                                4 << 20,
                                                                VerbsTestBench::ALL_ACCESS,
                                                                MemoryKind::GPU);
        SendWorkRequest request = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 4 << 20);
        request.remoteAddress = GPU_BASE;
        request.remoteKey = gpu.remoteKey;
        bench.Post(request);
        VerbsTestBench::Run();
        const NicHardware& hardware = *bench.GetNic(1).GetHardware();
        const uint64_t written = hardware.GetGpuPath().GetStats().writtenBytes;
        const uint64_t drops = bench.GetBench().GetDrops(DropReason::RECEIVE_BUFFER_FULL);
        EXPECT_EQ(drops > 0, !pauses);
        EXPECT_EQ(written == 4 << 20, pauses);
        EXPECT_EQ(bench.GetBench().GetCore().pfcPauses > 0, pauses);
        if (pauses)
        {
            // What the sender sends until a pause reaches it: 1 us of wire and of its frame under
            // way, below 16 KB.
            EXPECT_LT(hardware.GetGpuPath().GetStats().peakBytes, 131072 + 16384);
        }
        bench.GetBench().ExpectEmpty();
    }
}
