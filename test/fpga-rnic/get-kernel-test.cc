// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-kernel.h"

#include "kernel-test-bench.h"

#include <random>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TARGET{0x2000};
} // namespace

TEST(GetKernel, FindsTheBucketWhoseKeyIsAskedFor)
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 1000; ++round)
    {
        KernelTestBench bench(CreateObject<GetKernel>());
        const uint64_t base = *bench.pinned.Allocate(1 << 20);
        GetEntry entry;
        std::vector<uint8_t> values[GetEntry::BUCKETS];
        for (uint32_t i = 0; i < GetEntry::BUCKETS; ++i)
        {
            values[i].resize(random() % 3000); // 0: an empty bucket.
            for (uint8_t& byte : values[i])
            {
                byte = static_cast<uint8_t>(random());
            }
            const uint64_t address = base + 4096 * (i + 1);
            bench.GetMemory().Write(address, values[i].data(), values[i].size());
            entry.buckets[i] = {i + 10, address, static_cast<uint32_t>(values[i].size())};
        }
        const std::vector<uint8_t> bytes = entry.Encode();
        bench.GetMemory().Write(base, bytes.data(), bytes.size());
        const uint64_t key = 9 + random() % 5; // 9 and 13 are absent.
        bench.Call(GetParameters{TARGET, base, key}.Encode());
        bench.Run();
        const bool isThere = key >= 10 && key < 13 && !values[key - 10].empty();
        ASSERT_EQ(bench.GetStatus(TARGET), isThere ? KernelStatus::OK : KernelStatus::NOT_FOUND);
        if (isThere)
        {
            ASSERT_EQ(bench.GetValue(TARGET), values[key - 10]);
            // The entry, and the value, whose bytes behind a first packet of 1408 are read apart.
            ASSERT_EQ(bench.reads, values[key - 10].size() > 1408 ? 3 : 2);
        }
    }
}

TEST(GetKernel, FaultsAndShortParametersAreAnswered)
{
    KernelTestBench bench(CreateObject<GetKernel>());
    const uint64_t base = *bench.pinned.Allocate(64);
    bench.Call(GetParameters{TARGET, 0, 1}.Encode());
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::FAULT);

    GetEntry entry;
    entry.buckets[1] = {1, 8, 8};
    const std::vector<uint8_t> bytes = entry.Encode();
    bench.GetMemory().Write(base, bytes.data(), bytes.size());
    bench.caller->Write64(TARGET, 0);
    bench.Call(GetParameters{TARGET, base, 1}.Encode());
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::FAULT);

    std::vector<uint8_t> parameters = GetParameters{TARGET, base, 1}.Encode();
    parameters.resize(23);
    bench.Call(parameters);
    bench.Run();
    EXPECT_EQ(bench.GetStatus(TARGET), KernelStatus::BAD_PARAMETERS);
}

TEST(KernelReply, AWordSaysStatusAndBytes)
{
    const uint64_t word = KernelReply::MakeWord(KernelStatus::NOT_FOUND, 0x12345678);
    EXPECT_EQ(word, 0x0000000212345678);
    EXPECT_EQ(KernelReply::GetStatus(word), KernelStatus::NOT_FOUND);
    EXPECT_EQ(KernelReply::GetBytes(word), 0x12345678);
    EXPECT_EQ(GetKernelStatusName(KernelStatus::NO_ROOM), std::string("NO_ROOM"));
}

TEST(KernelReply, TheWordOfALongValueIsWrittenAfterIt)
{
    KernelStep step;
    KernelReply{KernelStatus::OK, std::vector<uint8_t>(504)}.AddTo(step, {1, 100, 2}, 5);
    ASSERT_EQ(step.commands.size(), 1);
    EXPECT_EQ(step.commands[0].address, 100);
    EXPECT_EQ(step.commands[0].bytes.size(), 512);
    step.commands.clear();
    KernelReply{KernelStatus::OK, std::vector<uint8_t>(505)}.AddTo(step, {1, 100, 2}, 5);
    ASSERT_EQ(step.commands.size(), 2);
    EXPECT_EQ(step.commands[0].address, 108);
    EXPECT_EQ(step.commands[0].bytes.size(), 505);
    EXPECT_EQ(step.commands[1].address, 100);
    EXPECT_EQ(step.commands[1].bytes.size(), 8);
    EXPECT_EQ(step.commands[1].remoteKey, 2);
}
