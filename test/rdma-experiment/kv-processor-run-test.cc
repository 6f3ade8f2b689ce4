// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-processor-run.h"

#include "../expect-error.h"

#include "ns3/input-error.h"
#include "ns3/kv-dma-run.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/// A small store, few operations.
KvProcessorRequest
MakeRequest()
{
    KvProcessorRequest request;
    request.memoryBytes = 1 << 20;
    request.operations = 20'000;
    request.warmup = 2'000;
    return request;
}

double
GetMops(const KvProcessorResult& result)
{
    return static_cast<double>(result.operations) * 1e6 / static_cast<double>(result.duration);
}

TEST(KvProcessorRun, AtomicsOnOneKeyTakeACycleEach)
{
    KvProcessorRequest request = MakeRequest();
    request.atomics = 1;
    const KvProcessorResult result = KvProcessorRun(request).Run();
    EXPECT_EQ(result.operations, 20'000U);
    EXPECT_EQ(result.failures, 0U);
    // 180, less a microsecond or two at both ends of 111.
    EXPECT_NEAR(GetMops(result), 178, 3);
}

TEST(KvProcessorRun, ARateBelowTheLimitIsKeptAndItsLatencyIsThatOfMemory)
{
    KvProcessorRequest request = MakeRequest();
    request.rate = 10e6;
    request.cacheRatio = 0;
    const KvProcessorResult result = KvProcessorRun(request).Run();
    EXPECT_NEAR(GetMops(result), 10, 0.2);
    // 20 cycles and one read of 1,050 ns on average, and half a cycle until an edge: 1.18 us. A key
    // in a chained bucket takes two reads, which moves the median up a little.
    EXPECT_GT(result.latency.typical, 1.18);
    EXPECT_LT(result.latency.typical, 1.18 + 0.05);
}

TEST(KvProcessorRun, BadRequestsAreOneLine)
{
    const auto expect = [](void (*change)(KvProcessorRequest&), const std::string& part) {
        KvProcessorRequest request = MakeRequest();
        change(request);
        ExpectError<InputError>([&] { KvProcessorRun(request).Run(); }, part);
    };
    expect([](auto& request) { request.ycsb = "e"; }, "--ycsb: expected a, b, c, d or f (e scans");
    expect([](auto& request) { request.pairBytes = 3; }, "--pair: expected at least the key's 4");
    expect([](auto& request) { request.atomics = 1 << 20; }, "--atomics: expected at most the");
    expect([](auto& request) { request.utilization = 0.95; }, "the store is full at a utilization");
    expect([](auto& request) { request.indexRatio = 0.0; }, "kv-processor: ");
}

TEST(KvDmaRun, SmallReadsAreBoundByTagsAndWritesByTheLink)
{
    KvDmaRequest request;
    request.accesses = 100'000;
    const auto getMops = [&request] {
        const KvDmaResult result = KvDmaRun(request).Run();
        return static_cast<double>(result.accesses) * 1e6 / static_cast<double>(result.duration);
    };
    // 64 tags for 1,050 ns and the time of the TLPs, 14.7 ns: 60.1.
    EXPECT_NEAR(getMops(), 60, 1);
    request.isCached = true; // 64 / (800 + 14.7 ns).
    EXPECT_NEAR(getMops(), 78.5, 1);
    request.isCached = false;
    request.isWrite = true; // 90 bytes at 7.88 GB/s.
    EXPECT_NEAR(getMops(), 87.5, 1);
}

TEST(KvDmaRun, CoresThatGatherReadsAreTheLimitUntilTheLinkIs)
{
    KvDmaRequest request;
    request.accesses = 256 * 400;
    const auto getMops = [&request](uint32_t cores) {
        request.cores = cores;
        const KvDmaResult result = KvDmaRun(request).Run();
        return static_cast<double>(result.accesses) * 1e6 / static_cast<double>(result.duration);
    };
    EXPECT_NEAR(getMops(1), 29.3, 0.3); // Section 2.2: random accesses of a core.
    EXPECT_NEAR(getMops(2), 58.6, 0.6);
    // 256 bytes in a TLP of 282: 64 bytes take 70.5 at 7.88 GB/s, 111.7.
    EXPECT_NEAR(getMops(8), 111, 2);
}

} // namespace
} // namespace ns3::rdma
