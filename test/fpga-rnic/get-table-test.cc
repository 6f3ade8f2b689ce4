// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-table.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t BASE{1 << 20};

std::vector<uint8_t>
MakeValue(uint64_t key, uint32_t bytes)
{
    return std::vector<uint8_t>(bytes, static_cast<uint8_t>(key * 31));
}

GetEntry
ReadEntry(const HostMemory& memory, uint64_t address)
{
    std::vector<uint8_t> bytes(GetEntry::BYTES);
    memory.Read(address, bytes.data(), bytes.size());
    return GetEntry::Decode(ByteView(bytes));
}

/// Looks for a key as a client does. @return entries looked at; 0: it is nowhere
uint32_t
Probe(const GetTable& table, const HostMemory& memory, uint64_t key, std::vector<uint8_t>& value)
{
    for (uint32_t probe = 0; probe < table.GetMaxProbes(); ++probe)
    {
        const GetEntry entry = ReadEntry(memory, table.GetEntryAddress(key, probe));
        if (const GetBucket* bucket = GetTable::Find(entry, key))
        {
            value.resize(bucket->valueLen);
            memory.Read(bucket->valuePtr, value.data(), value.size());
            return probe + 1;
        }
    }
    return 0;
}
} // namespace

TEST(GetTable, EveryKeyIsFoundWithItsBytesAndNoOtherIs)
{
    for (const double occupancy : {0.1, 0.5, 0.9, 1.0})
    {
        constexpr uint64_t KEYS{2000};
        GetTable table(BASE, KEYS, occupancy, 100);
        HostMemory memory;
        for (uint64_t key = 1; key <= KEYS; ++key)
        {
            ASSERT_GT(table.Insert(&memory, key, MakeValue(key, 1 + key % 100)), 0U);
        }
        uint64_t probes = 0;
        for (uint64_t key = 1; key <= KEYS; ++key)
        {
            std::vector<uint8_t> value;
            const uint32_t looked = Probe(table, memory, key, value);
            ASSERT_GT(looked, 0U);
            ASSERT_EQ(value, MakeValue(key, 1 + key % 100));
            probes += looked;
        }
        EXPECT_DOUBLE_EQ(table.GetMeanProbes(), static_cast<double>(probes) / KEYS);
        std::vector<uint8_t> none;
        EXPECT_EQ(Probe(table, memory, KEYS + 1, none), 0U);
        EXPECT_EQ(Probe(table, memory, 0, none), 0U); // The key of an empty bucket.
    }
}

TEST(GetTable, TheShareOfUsedBucketsIsTheOccupancy)
{
    // 300 keys / (3 x 0.5) = 200 entries of 64 bytes, and 300 values of 100 bytes at steps of 128.
    const GetTable table(BASE, 300, 0.5, 100);
    EXPECT_EQ(table.GetEntryCount(), 200U);
    EXPECT_EQ(table.GetBytes(), 200U * 64 + 300 * 128);
    EXPECT_EQ(GetTable(BASE, 1, 1, 1).GetEntryCount(), 1U);
}

TEST(GetTable, AFullTableTakesNoMore)
{
    GetTable table(BASE, 3, 1, 64);
    HostMemory memory;
    for (uint64_t key = 1; key <= 3; ++key)
    {
        EXPECT_EQ(table.Insert(&memory, key, MakeValue(key, 64)), BASE + 64 + (key - 1) * 64);
    }
    EXPECT_EQ(table.Insert(&memory, 4, MakeValue(4, 64)), 0U);
    EXPECT_EQ(table.GetMaxProbes(), 1U);
}

TEST(GetTable, PlacesAreTheSameWithoutMemory)
{
    GetTable real(BASE, 500, 0.8, 8);
    GetTable places(BASE, 500, 0.8, 8);
    HostMemory memory;
    for (uint64_t key = 1; key <= 500; ++key)
    {
        EXPECT_EQ(real.Insert(&memory, key, MakeValue(key, 8)),
                  places.Insert(nullptr, key, MakeValue(key, 8)));
    }
    EXPECT_EQ(real.GetMaxProbes(), places.GetMaxProbes());
    EXPECT_EQ(real.GetMeanProbes(), places.GetMeanProbes());
}
