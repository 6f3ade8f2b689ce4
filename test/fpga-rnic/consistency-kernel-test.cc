// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/consistency-kernel.h"

#include "kernel-test-bench.h"

#include "ns3/crc64.h"
#include "ns3/uinteger.h"

#include <random>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TARGET{0x3000};

/// @return random bytes and their checksum.
std::vector<uint8_t>
MakeObject(std::mt19937_64& random, uint32_t bytes)
{
    std::vector<uint8_t> object(bytes);
    for (uint8_t& byte : object)
    {
        byte = static_cast<uint8_t>(random());
    }
    const std::size_t checked = bytes - ConsistencyKernel::CRC_BYTES;
    const uint64_t crc = ComputeCrc64(ByteView(object.data(), checked));
    boost::endian::store_little_u64(object.data() + checked, crc);
    return object;
}
} // namespace

TEST(Crc64, HasTheCheckValueOfItsPolynomial)
{
    const std::string text = "123456789";
    const std::vector<uint8_t> bytes(text.begin(), text.end());
    EXPECT_EQ(ComputeCrc64(ByteView(bytes)), 0xe9c6d914c4b8d9ca);
    // Entry 1 of the table of fpgasystems/davos.
    const std::vector<uint8_t> one{1};
    EXPECT_EQ(ComputeCrc64(ByteView(one)), 0x7ad870c830358979);
}

TEST(ConsistencyKernel, NeverSendsAnObjectThatIsTorn)
{
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        std::mt19937_64 random(seed);
        auto kernel = CreateObject<ConsistencyKernel>();
        kernel->SetAttribute("MaxReads", UintegerValue(5));
        KernelTestBench bench(kernel);
        const uint64_t base = *bench.pinned.Allocate(8192);
        const auto bytes = static_cast<uint32_t>(9 + random() % 4000);
        const uint64_t address = base + random() % 100;
        // An update is under way during so many reads: at each, a part of the object is the new
        // one's.
        const auto torn = static_cast<uint32_t>(random() % 8);
        const std::vector<uint8_t> before = MakeObject(random, bytes);
        const std::vector<uint8_t> after = MakeObject(random, bytes);
        bench.GetMemory().Write(address, before.data(), bytes);
        uint32_t reads = 0;
        bench.onRead = [&](uint64_t) {
            const bool isTorn = reads++ < torn;
            bench.GetMemory().Write(address, before.data(), bytes);
            bench.GetMemory().Write(address, after.data(), isTorn ? 1 + random() % 8 : bytes);
        };
        bench.Call(ConsistencyParameters{TARGET, address, bytes}.Encode());
        bench.Run();
        const bool ends = torn < 5;
        ASSERT_EQ(bench.GetStatus(TARGET), ends ? KernelStatus::OK : KernelStatus::TOO_MANY_STEPS)
            << "seed " << seed;
        ASSERT_EQ(bench.reads, std::min(torn + 1, 5U));
        ASSERT_EQ(kernel->GetRepeatedReads(), bench.reads - 1);
        if (ends)
        {
            ASSERT_EQ(bench.GetValue(TARGET), after);
        }
    }
}

TEST(ConsistencyKernel, FaultsAndBadParametersAreAnswered)
{
    KernelTestBench bench(CreateObject<ConsistencyKernel>());
    const uint64_t base = *bench.pinned.Allocate(64);
    const auto call = [&bench](const std::vector<uint8_t>& parameters) {
        bench.caller->Write64(TARGET, 0);
        bench.Call(parameters);
        bench.Run();
        return bench.GetStatus(TARGET);
    };
    EXPECT_EQ(call(ConsistencyParameters{TARGET, 0, 64}.Encode()), KernelStatus::FAULT);
    EXPECT_EQ(call(ConsistencyParameters{TARGET, base + (2 << 20) - 8, 16}.Encode()),
              KernelStatus::FAULT);
    EXPECT_EQ(call(ConsistencyParameters{TARGET, base, 8}.Encode()), KernelStatus::BAD_PARAMETERS);
    std::vector<uint8_t> cut = ConsistencyParameters{TARGET, base, 64}.Encode();
    cut.resize(19);
    EXPECT_EQ(call(cut), KernelStatus::BAD_PARAMETERS);
}

TEST(ConsistencyKernel, ARepeatedReadCostsAReadAndNoRoundTrip)
{
    std::mt19937_64 random(1);
    KernelTestBench bench(CreateObject<ConsistencyKernel>());
    const uint64_t base = *bench.pinned.Allocate(4096);
    const std::vector<uint8_t> object = MakeObject(random, 640);
    bool isTorn = true;
    bench.GetMemory().Write(base, object.data(), 100);
    bench.onRead = [&](uint64_t) {
        bench.GetMemory().Write(base, object.data(), isTorn ? 600 : 640);
        isTorn = false;
    };
    bench.Call(ConsistencyParameters{TARGET, base, 640}.Encode());
    // 10 cycles, 1.5 us, edge 245 and 10 cycles, 1.5 us: edge 490, 10 cycles and 10 words: 510
    // x 6.4 ns.
    EXPECT_EQ(bench.Run(), 3'264'000);
    EXPECT_EQ(bench.GetValue(TARGET), object);
}
