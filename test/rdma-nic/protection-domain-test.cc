// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/protection-domain.h"

#include "../expect-error.h"

#include "ns3/host-memory.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

using namespace ns3::rdma;
using namespace ns3::rdma::memory_access;

namespace
{

constexpr uint64_t BASE{0x10000};
constexpr uint64_t LENGTH{0x1000};
constexpr uint64_t MAX{std::numeric_limits<uint64_t>::max()};
constexpr uint8_t ALL_ACCESS{LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC};

using Bytes = std::vector<uint8_t>;

struct AccessCase
{
    uint8_t granted;
    bool isLocalWrite;
    bool isRemoteWrite;
    bool isRemoteRead;
    bool isRemoteAtomic;
};

// Each bit alone as far as it may be, and all of them.
const AccessCase ACCESS_CASES[] = {
    {LOCAL_READ, false, false, false, false},
    {LOCAL_WRITE, true, false, false, false},
    {LOCAL_WRITE | REMOTE_WRITE, true, true, false, false},
    {REMOTE_READ, false, false, true, false},
    {LOCAL_WRITE | REMOTE_ATOMIC, true, false, false, true},
    {ALL_ACCESS, true, true, true, true},
};

struct RangeCase
{
    const char* name;
    uint64_t regionAddress;
    uint64_t regionLength;
    uint64_t address;
    uint64_t length;
    bool isAllowed;
};

const RangeCase RANGE_CASES[] = {
    {"Whole", BASE, LENGTH, BASE, LENGTH, true},
    {"FirstByte", BASE, LENGTH, BASE, 1, true},
    {"LastByte", BASE, LENGTH, BASE + LENGTH - 1, 1, true},
    {"OneBefore", BASE, LENGTH, BASE - 1, 1, false},
    {"OnePast", BASE, LENGTH, BASE + LENGTH, 1, false},
    {"EndsOnePast", BASE, LENGTH, BASE + 1, LENGTH, false},
    {"BeginsOneBefore", BASE, LENGTH, BASE - 1, LENGTH, false},
    {"OneTooLong", BASE, LENGTH, BASE, LENGTH + 1, false},
    {"ZeroInside", BASE, LENGTH, BASE + 1, 0, true},
    {"ZeroFarAway", BASE, LENGTH, 0, 0, true},
    // BASE + 2^64 - 1 and BASE + 2^64 - BASE wrap to before and to the first byte.
    {"LengthWraps", BASE, LENGTH, BASE, MAX, false},
    {"LengthWrapsToZero", BASE, LENGTH, BASE, MAX - BASE + 1, false},
    {"AddressWraps", BASE, LENGTH, MAX, BASE + 2, false},
    {"NothingInEmpty", BASE, 0, BASE, 1, false},
    {"ZeroInEmpty", BASE, 0, BASE, 0, true},
    {"TopByte", MAX - 15, 16, MAX, 1, true},
    {"TopRegion", MAX - 15, 16, MAX - 15, 16, true},
    {"TopWraps", MAX - 15, 16, MAX, 2, false},
    {"AllMemory", 0, MAX, 0, MAX, true},
    {"ByteThatAllMemoryLacks", 0, MAX, MAX, 1, false},
};

Bytes
Read(const HostMemory& memory, uint64_t address, std::size_t count)
{
    Bytes bytes(count, 0xee);
    memory.Read(address, bytes.data(), count);
    return bytes;
}

/// Three pieces that are neither in order nor adjacent: 3 + 0 + 2 + 4 bytes.
const SgeList PIECES{{0x300, 3, 1}, {0x900, 0, 1}, {0x100, 2, 1}, {0x200, 4, 1}};

} // namespace

TEST(ProtectionDomain, AllowsWhatWasGranted)
{
    for (const AccessCase& test : ACCESS_CASES)
    {
        SCOPED_TRACE(static_cast<unsigned>(test.granted));
        ProtectionDomain domain;
        const MemoryRegion region = domain.Register(BASE, LENGTH, test.granted);
        const auto checkLocal = [&](uint8_t access) {
            return domain.CheckLocal(region.localKey, BASE, LENGTH, access);
        };
        const auto checkRemote = [&](uint8_t access) {
            return domain.CheckRemote(region.remoteKey, BASE, LENGTH, access);
        };
        EXPECT_TRUE(checkLocal(LOCAL_READ));
        EXPECT_EQ(checkLocal(LOCAL_WRITE), test.isLocalWrite);
        EXPECT_EQ(checkRemote(REMOTE_WRITE), test.isRemoteWrite);
        EXPECT_EQ(checkRemote(REMOTE_READ), test.isRemoteRead);
        EXPECT_EQ(checkRemote(REMOTE_ATOMIC), test.isRemoteAtomic);
    }
}

TEST(ProtectionDomain, AllowsOnlyWhatLiesInside)
{
    for (const RangeCase& test : RANGE_CASES)
    {
        SCOPED_TRACE(test.name);
        ProtectionDomain domain;
        const MemoryRegion region =
            domain.Register(test.regionAddress, test.regionLength, ALL_ACCESS);
        EXPECT_EQ(domain.CheckLocal(region.localKey, test.address, test.length, LOCAL_WRITE),
                  test.isAllowed);
        EXPECT_EQ(domain.CheckRemote(region.remoteKey, test.address, test.length, REMOTE_READ),
                  test.isAllowed);
    }
}

TEST(ProtectionDomain, MakesKeysOfIndexAndVariant)
{
    ProtectionDomain domain(nullptr, 0xabc);
    const MemoryRegion first = domain.Register(BASE, LENGTH, ALL_ACCESS);
    const MemoryRegion second = domain.Register(BASE, LENGTH, ALL_ACCESS);
    EXPECT_EQ(first.localKey >> 8, 0xabc);
    EXPECT_EQ(first.remoteKey >> 8, 0xabc);
    EXPECT_EQ(second.localKey >> 8, 0xabd);
    const std::set<uint32_t> keys{0, // Never a key.
                                  first.localKey,
                                  first.remoteKey,
                                  second.localKey,
                                  second.remoteKey};
    EXPECT_EQ(keys.size(), 5);
}

TEST(ProtectionDomain, TakesEachKeyForItsOwnUseOnly)
{
    ProtectionDomain domain;
    const MemoryRegion region = domain.Register(BASE, LENGTH, ALL_ACCESS);
    EXPECT_FALSE(domain.CheckRemote(region.localKey, BASE, 1, REMOTE_READ));
    EXPECT_FALSE(domain.CheckLocal(region.remoteKey, BASE, 1, LOCAL_READ));
    EXPECT_FALSE(domain.CheckLocal(0, BASE, 1, LOCAL_READ));
    // Another variant of the same index, and an index that is not taken.
    EXPECT_FALSE(domain.CheckLocal(region.localKey ^ 0x80, BASE, 1, LOCAL_READ));
    EXPECT_FALSE(domain.CheckRemote(region.remoteKey + 0x100, BASE, 1, REMOTE_READ));
}

TEST(ProtectionDomain, RejectsKeysOfAnotherDomain)
{
    ProtectionDomain one(nullptr, 1);
    ProtectionDomain other(nullptr, 1000);
    const MemoryRegion region = one.Register(BASE, LENGTH, ALL_ACCESS);
    other.Register(BASE, LENGTH, ALL_ACCESS);
    EXPECT_TRUE(one.CheckRemote(region.remoteKey, BASE, 1, REMOTE_READ));
    EXPECT_FALSE(other.CheckRemote(region.remoteKey, BASE, 1, REMOTE_READ));
}

TEST(ProtectionDomain, ForgetsARegionForGood)
{
    ProtectionDomain domain;
    const MemoryRegion first = domain.Register(BASE, LENGTH, ALL_ACCESS);
    const MemoryRegion second = domain.Register(BASE, LENGTH, ALL_ACCESS);
    domain.Deregister(first);
    EXPECT_FALSE(domain.CheckLocal(first.localKey, BASE, 1, LOCAL_READ));
    EXPECT_FALSE(domain.CheckRemote(first.remoteKey, BASE, 1, REMOTE_READ));
    EXPECT_TRUE(domain.CheckRemote(second.remoteKey, BASE, 1, REMOTE_READ));
    EXPECT_TRUE(domain.CheckRemote(first.remoteKey, BASE, 0, REMOTE_READ)); // Zero bytes.
    const MemoryRegion third = domain.Register(BASE, LENGTH, ALL_ACCESS);
    EXPECT_NE(third.localKey, first.localKey); // Else old keys would work again.
    EXPECT_FALSE(domain.CheckLocal(first.localKey, BASE, 1, LOCAL_READ));
}

TEST(ProtectionDomain, ChecksEachPieceOfAList)
{
    ProtectionDomain domain;
    const MemoryRegion low = domain.Register(BASE, LENGTH, LOCAL_WRITE);
    const MemoryRegion high = domain.Register(4 * BASE, LENGTH, LOCAL_READ);
    const Sge good{BASE, 64, low.localKey};
    const Sge readOnly{4 * BASE, 64, high.localKey};
    const Sge wrongKey{4 * BASE, 64, low.localKey};
    EXPECT_TRUE(domain.CheckLocal(SgeList{}, LOCAL_WRITE));
    EXPECT_TRUE(domain.CheckLocal(SgeList{good, good}, LOCAL_WRITE));
    EXPECT_TRUE(domain.CheckLocal(SgeList{good, readOnly}, LOCAL_READ));
    EXPECT_FALSE(domain.CheckLocal(SgeList{good, readOnly}, LOCAL_WRITE));
    EXPECT_FALSE(domain.CheckLocal(SgeList{wrongKey, good}, LOCAL_READ));
    EXPECT_FALSE(domain.CheckLocal(SgeList{good, wrongKey}, LOCAL_READ));
}

TEST(ProtectionDomain, ScattersOverThePiecesFromAnOffsetOn)
{
    const auto memory = ns3::Create<HostMemory>();
    const ProtectionDomain domain(memory);
    // Bytes 2 to 6 of the list: the last of the first piece, both of the third, two of the fourth.
    const Bytes bytes{11, 12, 13, 14, 15};
    domain.Scatter(PIECES, 2, bytes.data(), bytes.size());
    EXPECT_EQ(Read(*memory, 0x300, 4), (Bytes{0, 0, 11, 0}));
    EXPECT_EQ(Read(*memory, 0x100, 3), (Bytes{12, 13, 0}));
    EXPECT_EQ(Read(*memory, 0x200, 4), (Bytes{14, 15, 0, 0}));
    EXPECT_EQ(Read(*memory, 0x900, 1), Bytes{0});
}

TEST(ProtectionDomain, GathersWhatItScattered)
{
    const auto memory = ns3::Create<HostMemory>();
    const ProtectionDomain domain(memory);
    const Bytes bytes{1, 2, 3, 4, 5, 6, 7, 8, 9};
    domain.Scatter(PIECES, 0, bytes.data(), bytes.size());
    for (std::size_t offset = 0; offset <= bytes.size(); ++offset)
    {
        for (std::size_t count = 0; offset + count <= bytes.size(); ++count)
        {
            Bytes gathered(count);
            domain.Gather(PIECES, offset, gathered.data(), count);
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
            EXPECT_EQ(gathered, Bytes(begin, begin + static_cast<std::ptrdiff_t>(count)));
        }
    }
}

TEST(ProtectionDomain, MovesNothingWithoutMemory)
{
    const ProtectionDomain domain;
    EXPECT_EQ(domain.GetMemory(), nullptr);
    const uint8_t byte = 1;
    domain.Scatter(PIECES, 0, &byte, 1); // No crash is what there is to see.
    const auto memory = ns3::Create<HostMemory>();
    EXPECT_EQ(ProtectionDomain(memory).GetMemory(), ns3::PeekPointer(memory));
}

TEST(ProtectionDomain, RefusesWhatNoHostRegisters)
{
    ProtectionDomain domain;
    ExpectError<VerbsError>([&] { domain.Register(BASE, LENGTH, REMOTE_WRITE); },
                            "need local writing");
    ExpectError<VerbsError>([&] { domain.Register(BASE, LENGTH, REMOTE_ATOMIC); },
                            "need local writing");
    ExpectError<VerbsError>([&] { domain.Register(MAX, 2, LOCAL_READ); },
                            "beyond the address space");
    ExpectError<VerbsError>([&] { ProtectionDomain(nullptr, 0); }, "index 0 is reserved");
    ProtectionDomain last(nullptr, 0xffffff); // 24 bits.
    EXPECT_EQ(last.Register(BASE, LENGTH, LOCAL_READ).localKey >> 8, 0xffffff);
    ExpectError<VerbsError>([&] { last.Register(BASE, LENGTH, LOCAL_READ); },
                            "indices of memory regions are taken");
}
