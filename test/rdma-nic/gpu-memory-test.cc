// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-memory.h"

#include "../expect-error.h"

#include "ns3/protection-domain.h"
#include "ns3/ptr.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;
using namespace ns3::rdma::memory_access;

namespace
{
constexpr uint64_t PAGE{65536};
constexpr uint64_t BAR{256 << 20}; ///< Of an A4000: 4096 pages.
constexpr uint64_t BASE{0x7f0000000000};
constexpr uint32_t NONE{GpuMemory::NO_PAGE};
} // namespace

TEST(GpuMemory, PinsWholePages)
{
    GpuMemory gpu(BAR, PAGE);
    gpu.Pin(BASE + PAGE - 1, 2); // The last byte of a page and the first of the next.
    EXPECT_EQ(gpu.GetPinnedBytes(), 2 * PAGE);
    EXPECT_EQ(gpu.FindPage(BASE), 0);
    EXPECT_EQ(gpu.FindPage(BASE + 2 * PAGE - 1), 1);
    EXPECT_EQ(gpu.FindPage(BASE - 1), NONE);
    EXPECT_EQ(gpu.FindPage(BASE + 2 * PAGE), NONE);
}

TEST(GpuMemory, RefusesMoreThanTheBar)
{
    GpuMemory gpu(BAR, PAGE);
    gpu.Pin(BASE, BAR - PAGE);
    ExpectError<VerbsError>([&] { gpu.Pin(2 * BASE, PAGE + 1); },
                            "a region of 65537 bytes of GPU memory needs 2 pages of 65536 bytes; "
                            "of the BAR's 268435456 bytes 1 pages are free");
    EXPECT_EQ(gpu.GetPinnedBytes(), BAR - PAGE); // Nothing of it was pinned.
    gpu.Pin(2 * BASE, PAGE);
    ExpectError<VerbsError>([&] { gpu.Pin(3 * BASE, 1); }, "0 pages are free");
    gpu.Unpin(2 * BASE, PAGE);
    gpu.Pin(3 * BASE, 1);
}

TEST(GpuMemory, NumbersPagesOverGapsAndOverlaps)
{
    GpuMemory gpu(BAR, PAGE);
    gpu.Pin(BASE + 10 * PAGE, 2 * PAGE);
    gpu.Pin(BASE, 3 * PAGE);
    gpu.Pin(BASE + PAGE, 4 * PAGE); // Of which two are pinned already.
    // Pages 0 to 4, then 10 and 11.
    EXPECT_EQ(gpu.CountPages(), 7);
    EXPECT_EQ(gpu.FindPage(BASE + 4 * PAGE), 4);
    EXPECT_EQ(gpu.FindPage(BASE + 5 * PAGE), NONE);
    EXPECT_EQ(gpu.FindPage(BASE + 11 * PAGE), 6);
    // Each registration has pages of its own in the BAR: 2 + 3 + 4.
    EXPECT_EQ(gpu.GetPinnedBytes(), 9 * PAGE);
    gpu.Unpin(BASE, 3 * PAGE);
    EXPECT_EQ(gpu.FindPage(BASE), NONE);
    EXPECT_EQ(gpu.FindPage(BASE + PAGE), 0);
}

TEST(GpuMemory, ThatIsRegisteredTwiceStaysUntilBothAreGone)
{
    GpuMemory gpu(BAR, PAGE);
    gpu.Pin(BASE, PAGE);
    gpu.Pin(BASE, PAGE);
    gpu.Unpin(BASE, PAGE);
    EXPECT_EQ(gpu.FindPage(BASE), 0);
    gpu.Unpin(BASE, PAGE);
    EXPECT_EQ(gpu.FindPage(BASE), NONE);
    EXPECT_EQ(gpu.GetPinnedBytes(), 0);
}

TEST(GpuMemory, IsRegisteredInAProtectionDomain)
{
    const auto gpu = Create<GpuMemory>(BAR, PAGE);
    const auto domain = Create<ProtectionDomain>();
    const auto registerGpu = [&](uint64_t bytes) {
        return domain->Register(BASE, bytes, LOCAL_WRITE | REMOTE_WRITE, MemoryKind::GPU);
    };
    ExpectError<VerbsError>([&] { registerGpu(PAGE); }, "GPU memory needs a NIC");
    domain->SetGpuMemory(gpu);
    ExpectError<VerbsError>([&] { registerGpu(BAR + 1); }, "pages are free");
    ExpectError<VerbsError>([&] { registerGpu(0); }, "at least 1 byte");
    const MemoryRegion region = registerGpu(PAGE);
    EXPECT_EQ(region.kind, MemoryKind::GPU);
    EXPECT_TRUE(domain->CheckRemote(region.remoteKey, BASE, PAGE, REMOTE_WRITE));
    EXPECT_FALSE(domain->CheckRemote(region.remoteKey, BASE, PAGE + 1, REMOTE_WRITE));
    domain->Register(0, PAGE, LOCAL_WRITE);
    EXPECT_EQ(gpu->GetPinnedBytes(), PAGE); // Host memory needs no BAR.
    domain->Deregister(region);
    domain->Deregister(region); // Once is enough.
    EXPECT_EQ(gpu->GetPinnedBytes(), 0);
    EXPECT_FALSE(domain->CheckRemote(region.remoteKey, BASE, PAGE, REMOTE_WRITE));
}
