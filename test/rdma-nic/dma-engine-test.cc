// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dma-engine.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/host-memory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Pages of 4 KiB from 0 to 1 MiB; every second one takes time to find.
class EvenPages : public AddressTranslator
{
  public:
    DmaPieces Translate(Tick now, uint64_t address, uint32_t bytes) override
    {
        constexpr uint64_t PAGE{4096};
        constexpr uint64_t END{1 << 20};
        DmaPieces pieces;
        if (address + bytes > END)
        {
            return pieces;
        }
        while (bytes > 0)
        {
            const auto part =
                static_cast<uint32_t>(std::min<uint64_t>(bytes, PAGE - address % PAGE));
            pieces.push_back({address, part, address / PAGE % 2 == 1 ? now + LOOK_UP : now});
            address += part;
            bytes -= part;
        }
        return pieces;
    }

    static constexpr Tick LOOK_UP{10'000};
};

/// 64 Gb/s without overhead, 125 ps per byte; reads take 1 us beside, writes 400 ns.
class DmaEngineOnLink : public testing::Test, public DmaClient
{
  protected:
    DmaEngineOnLink()
    {
        for (const auto& [name, value] : {std::pair{"Generation", "2"},
                                          {"Lanes", "16"},
                                          {"TlpOverhead", "0"},
                                          {"ReadLatency", "1us"},
                                          {"WriteLatency", "400ns"}})
        {
            m_pcie->SetAttribute(name, StringValue(value));
        }
        m_pcie->Start(RandomStream(1, 1));
    }

    ~DmaEngineOnLink() override
    {
        Simulator::Destroy();
    }

    static std::shared_ptr<FabricEngine> MakeEngine()
    {
        UseFabricSimulator();
        return FabricEngine::Get();
    }

    void OnRead(uint64_t tag, std::vector<uint8_t> bytes) override
    {
        m_reads.push_back({tag, m_engine->Now(), std::move(bytes)});
    }

    void OnWritten(uint64_t tag) override
    {
        m_writes.push_back({tag, m_engine->Now(), {}});
    }

    struct Done
    {
        uint64_t tag;
        Tick at;
        std::vector<uint8_t> bytes;
    };

    std::shared_ptr<FabricEngine> m_engine{MakeEngine()};
    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
    Ptr<HostMemory> m_memory = Create<HostMemory>();
    EvenPages m_pages;
    DmaEngine m_dma{*m_engine, *m_pcie, m_pages, *m_memory, *this};
    std::vector<Done> m_reads;
    std::vector<Done> m_writes;
};
} // namespace

TEST_F(DmaEngineOnLink, AReadBringsTheBytesThatMemoryHasWhenTheyArrive)
{
    m_memory->Write64(64, 1);
    const Tick doneAt = m_dma.Read(64, 8, 5);
    m_memory->Write64(64, 2); // Software is faster.
    Simulator::Run();
    ASSERT_EQ(m_reads.size(), 1);
    EXPECT_EQ(m_reads[0].tag, 5);
    EXPECT_EQ(m_reads[0].at, doneAt);
    EXPECT_EQ(m_reads[0].bytes, (std::vector<uint8_t>{2, 0, 0, 0, 0, 0, 0, 0}));
    // The read itself: 1 us, and 8 bytes at 125 ps.
    EXPECT_EQ(doneAt, 1'000'000 + 8 * 125);
}

TEST_F(DmaEngineOnLink, AWriteIsSeenWhenItsLastByteIs)
{
    const Tick doneAt = m_dma.Write(64, {7}, 6);
    EXPECT_EQ(m_memory->Read64(64), 0);
    Simulator::Run();
    ASSERT_EQ(m_writes.size(), 1);
    EXPECT_EQ(m_writes[0].tag, 6);
    EXPECT_EQ(m_writes[0].at, doneAt);
    EXPECT_EQ(m_memory->Read64(64), 7);
    EXPECT_EQ(doneAt, 400'000 + 125);
}

TEST_F(DmaEngineOnLink, ACommandOverAPageBorderIsAsManyAsItHasPages)
{
    // 96 bytes before the border, 160 behind it. The second page is found 10 ns later, when the
    // data of the first (12 ns) are not there yet: both come one after the other, 1 us and 256
    // bytes.
    m_memory->Write64(4096 - 8, 0x11);
    m_memory->Write64(4096, 0x22);
    const Tick doneAt = m_dma.Read(4000, 256, 1);
    Simulator::Run();
    EXPECT_EQ(m_dma.GetStats().reads, 1);
    EXPECT_EQ(m_dma.GetStats().pieces, 2);
    ASSERT_EQ(m_reads[0].bytes.size(), 256);
    EXPECT_EQ(m_reads[0].bytes[88], 0x11);
    EXPECT_EQ(m_reads[0].bytes[96], 0x22);
    EXPECT_EQ(doneAt, 1'000'000 + 256 * 125);
}

TEST_F(DmaEngineOnLink, MemoryThatCannotBeReachedIsAFault)
{
    EXPECT_EQ(m_dma.Read((1 << 20) - 4, 8, 1), TICK_NEVER);
    EXPECT_EQ(m_dma.Write(1 << 20, {1}, 2), TICK_NEVER);
    Simulator::Run();
    EXPECT_EQ(m_dma.GetStats().faults, 2);
    EXPECT_TRUE(m_reads.empty());
    EXPECT_TRUE(m_writes.empty());
}
