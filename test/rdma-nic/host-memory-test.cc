// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-memory.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

constexpr uint64_t PAGE{HostMemory::PAGE_BYTES};

using Bytes = std::vector<uint8_t>;

Bytes
Read(const HostMemory& memory, uint64_t address, std::size_t count)
{
    Bytes bytes(count, 0xee); // What Read() leaves alone shows.
    memory.Read(address, bytes.data(), count);
    return bytes;
}

/// Bytes that differ from those a page before and after: 4096 is no multiple of 251.
Bytes
MakePattern(std::size_t count)
{
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        bytes[i] = static_cast<uint8_t>(1 + i % 251);
    }
    return bytes;
}

} // namespace

TEST(HostMemory, ReadsAsZeroAtFirst)
{
    HostMemory memory;
    EXPECT_EQ(Read(memory, PAGE - 2, 4), Bytes(4, 0));
    EXPECT_EQ(memory.Read64(0x123456789), 0);
}

TEST(HostMemory, KeepsWhatIsWritten)
{
    HostMemory memory;
    const Bytes pattern = MakePattern(100);
    memory.Write(3 * PAGE + 7, pattern.data(), pattern.size());
    EXPECT_EQ(Read(memory, 3 * PAGE + 7, 100), pattern);
    EXPECT_EQ(Read(memory, 3 * PAGE + 6, 2), (Bytes{0, 1}));
    EXPECT_EQ(Read(memory, 3 * PAGE + 106, 2), (Bytes{100, 0}));
}

TEST(HostMemory, CrossesPages)
{
    HostMemory memory;
    // 1 byte in page 0, pages 1 and 2, 5 bytes in page 3.
    const Bytes pattern = MakePattern(1 + 2 * PAGE + 5);
    memory.Write(PAGE - 1, pattern.data(), pattern.size());
    EXPECT_EQ(Read(memory, PAGE - 1, pattern.size()), pattern);
    EXPECT_EQ(Read(memory, 3 * PAGE + 4, 2), (Bytes{pattern.back(), 0}));
}

TEST(HostMemory, ReadsHolesBetweenPagesAsZero)
{
    HostMemory memory;
    const Bytes ones(2, 1);
    memory.Write(PAGE - 2, ones.data(), 2);
    memory.Write(2 * PAGE, ones.data(), 2);
    Bytes expected(PAGE + 4, 0);
    expected[0] = expected[1] = expected[PAGE + 2] = expected[PAGE + 3] = 1;
    EXPECT_EQ(Read(memory, PAGE - 2, PAGE + 4), expected);
}

TEST(HostMemory, OverwritesOnlyTheRange)
{
    HostMemory memory;
    const Bytes old{1, 2, 3, 4};
    const Bytes late{9, 8};
    memory.Write(PAGE - 2, old.data(), 4);
    memory.Write(PAGE - 1, late.data(), 2);
    EXPECT_EQ(Read(memory, PAGE - 2, 4), (Bytes{1, 9, 8, 4}));
}

TEST(HostMemory, DoesNothingForZeroBytes)
{
    HostMemory memory;
    memory.Write(PAGE, nullptr, 0);
    memory.Read(PAGE, nullptr, 0);
    EXPECT_EQ(Read(memory, PAGE, 4), Bytes(4, 0));
}

TEST(HostMemory, ReachesTheLastByteOfTheAddressSpace)
{
    HostMemory memory;
    const Bytes bytes{1, 2};
    memory.Write(~uint64_t{0} - 1, bytes.data(), 2);
    EXPECT_EQ(Read(memory, ~uint64_t{0} - 1, 2), bytes);
    EXPECT_EQ(Read(memory, 0, 2), Bytes(2, 0));
}

TEST(HostMemory, KeepsFarApartAddressesApart)
{
    // Tables span 2 MiB; that of one address in 64 takes the place of another's among those that
    // are remembered.
    constexpr uint64_t STEP{64 * 512 * PAGE};
    HostMemory memory;
    for (uint64_t i = 1; i < 100; i += 2)
    {
        memory.Write64(i * STEP, i);
        memory.Write64(i * STEP + 8 * PAGE, 1000 + i);
        EXPECT_EQ(memory.Read64((i - 1) * STEP), 0); // Never written.
    }
    for (uint64_t i = 1; i < 100; i += 2)
    {
        EXPECT_EQ(memory.Read64(i * STEP), i);
        EXPECT_EQ(memory.Read64((i + 1) * STEP), 0);
        EXPECT_EQ(memory.Read64(i * STEP + 8 * PAGE), 1000 + i);
        EXPECT_EQ(memory.Read64(i * STEP + 4 * PAGE), 0);
    }
}

TEST(HostMemory, StoresIntegersLittleEndian)
{
    HostMemory memory;
    memory.Write64(PAGE - 4, 0x1122334455667788); // Across pages.
    EXPECT_EQ(Read(memory, PAGE - 4, 8), (Bytes{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}));
    EXPECT_EQ(memory.Read64(PAGE - 4), 0x1122334455667788);
    EXPECT_EQ(memory.Read64(PAGE - 3), 0x0011223344556677);
}
