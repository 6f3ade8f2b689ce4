// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traversal-kernel.h"

#include "kernel-test-bench.h"

#include "ns3/uinteger.h"

#include <map>
#include <optional>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Random = std::mt19937_64;
constexpr uint64_t TARGET{0x1000};
constexpr uint32_t ELEMENT{TraversalParameters::ELEMENT_BYTES};

uint32_t
Draw(Random& random, uint32_t least, uint32_t most)
{
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
}

/// A kernel, and random structures in its host's memory.
struct Structures
{
    explicit Structures(uint64_t seed)
        : random(seed),
          kernel(CreateObject<TraversalKernel>()),
          bench(kernel),
          base(*bench.pinned.Allocate(4 << 20))
    {
    }

    /// @return a place for so many bytes, apart from all others; often not aligned to elements.
    uint64_t Place(uint32_t bytes)
    {
        used += Draw(random, 0, 5) * 4;
        const uint64_t address = base + used;
        used += bytes;
        return address;
    }

    std::vector<uint8_t> DrawValue(uint32_t bytes)
    {
        std::vector<uint8_t> value(bytes);
        for (uint8_t& byte : value)
        {
            byte = static_cast<uint8_t>(random());
        }
        return value;
    }

    uint64_t PlaceValue(const std::vector<uint8_t>& value)
    {
        const uint64_t address = Place(static_cast<uint32_t>(value.size()));
        bench.GetMemory().Write(address, value.data(), value.size());
        return address;
    }

    void Put(uint64_t element, uint32_t word, uint64_t field)
    {
        bench.GetMemory().Write64(element + word * 4, field);
    }

    KernelStatus Call(TraversalParameters parameters)
    {
        parameters.target = TARGET;
        bench.caller->Write64(TARGET, 0);
        bench.Call(parameters.Encode());
        bench.Run();
        return bench.GetStatus(TARGET);
    }

    Random random;
    Ptr<TraversalKernel> kernel;
    KernelTestBench bench;
    uint64_t base;
    uint64_t used{0};
};

/// The list of the paper's Figure 6: key at word 0, next at word 2, value pointer at word 4.
TraversalParameters
MakeListCall(uint64_t head, uint64_t key, uint32_t valueSize)
{
    TraversalParameters call;
    call.remoteAddress = head;
    call.key = key;
    call.valueSize = valueSize;
    call.valuePtrPosition = 4;
    call.nextElementPtrPosition = 2;
    call.nextElementPtrValid = true;
    return call;
}
} // namespace

TEST(TraversalParameters, SurviveARoundTripOfThirtyTwoBytes)
{
    TraversalParameters in;
    in.target = 1;
    in.remoteAddress = 0x123456789abcdef0;
    in.key = UINT64_MAX;
    in.valueSize = 4096;
    in.keyMask = 0x1111;
    in.predicate = TraversalPredicate::NOT_EQUAL;
    in.valuePtrPosition = 2;
    in.isRelativePosition = true;
    in.nextElementPtrPosition = 14;
    in.nextElementPtrValid = true;
    const std::vector<uint8_t> bytes = in.Encode();
    ASSERT_EQ(bytes.size(), 32);
    const auto out = TraversalParameters::Decode(ByteView(bytes));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->Encode(), bytes);
    EXPECT_EQ(out->predicate, TraversalPredicate::NOT_EQUAL);
    EXPECT_EQ(out->nextElementPtrPosition, 14);
}

TEST(TraversalParameters, RefuseFieldsBeyondTheElement)
{
    TraversalParameters good;
    good.valueSize = 8;
    const auto isRefused = [](const TraversalParameters& parameters) {
        const std::vector<uint8_t> bytes = parameters.Encode();
        return !TraversalParameters::Decode(ByteView(bytes));
    };
    EXPECT_FALSE(isRefused(good));
    TraversalParameters bad = good;
    bad.keyMask = 0;
    EXPECT_TRUE(isRefused(bad));
    bad.keyMask = 0x8000; // Half of the key would be outside.
    EXPECT_TRUE(isRefused(bad));
    bad = good;
    bad.valueSize = 0;
    EXPECT_TRUE(isRefused(bad));
    bad = good;
    bad.valuePtrPosition = 15;
    EXPECT_TRUE(isRefused(bad));
    bad.valuePtrPosition = 3;
    bad.keyMask = 0x1000; // Word 12, plus 3.
    bad.isRelativePosition = true;
    EXPECT_TRUE(isRefused(bad));
    bad = good;
    bad.nextElementPtrPosition = 15;
    EXPECT_FALSE(isRefused(bad)); // Not valid, hence not used.
    bad.nextElementPtrValid = true;
    EXPECT_TRUE(isRefused(bad));
    EXPECT_FALSE(TraversalParameters::Decode(ByteView(std::vector<uint8_t>(31))));
}

TEST(TraversalKernel, FindsWhatAListHoldsAndNothingElse)
{
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        Structures at(seed);
        const uint32_t valueSize = Draw(at.random, 1, 2000);
        std::vector<std::pair<uint64_t, std::vector<uint8_t>>> expected;
        std::vector<uint64_t> elements;
        for (uint32_t i = Draw(at.random, 1, 40); i > 0; --i)
        {
            expected.emplace_back(Draw(at.random, 0, 60), at.DrawValue(valueSize));
            elements.push_back(at.Place(ELEMENT));
        }
        for (std::size_t i = 0; i < elements.size(); ++i)
        {
            at.Put(elements[i], 0, expected[i].first);
            at.Put(elements[i], 2, i + 1 < elements.size() ? elements[i + 1] : 0);
            at.Put(elements[i], 4, at.PlaceValue(expected[i].second));
        }
        auto call = MakeListCall(elements[0], Draw(at.random, 0, 60), valueSize);
        call.predicate = static_cast<TraversalPredicate>(Draw(at.random, 0, 3));
        // The plain walk: the first element in the list's order to which the predicate applies.
        const auto found = std::find_if(expected.begin(), expected.end(), [&call](const auto& e) {
            switch (call.predicate)
            {
            case TraversalPredicate::EQUAL:
                return e.first == call.key;
            case TraversalPredicate::LESS_THAN:
                return e.first < call.key;
            case TraversalPredicate::GREATER_THAN:
                return e.first > call.key;
            default:
                return e.first != call.key;
            }
        });
        const KernelStatus status = at.Call(call);
        const auto walked = static_cast<uint32_t>(found - expected.begin());
        if (found == expected.end())
        {
            ASSERT_EQ(status, KernelStatus::NOT_FOUND) << "seed " << seed;
            ASSERT_EQ(at.bench.reads, walked);
            continue;
        }
        ASSERT_EQ(status, KernelStatus::OK) << "seed " << seed;
        ASSERT_EQ(at.bench.GetValue(TARGET), found->second) << "seed " << seed;
        // Elements, and the value, whose bytes behind a first packet of 1408 are read apart.
        ASSERT_EQ(at.bench.reads, walked + 2 + (valueSize > 1408));
    }
}

TEST(TraversalKernel, FindsWhatAHashTableWithChainsHolds)
{
    // Buckets of 64 bytes as in Pilaf: three keys (words 0, 5, 10), each with its value pointer two
    // words behind, and a chain pointer at word 14.
    constexpr uint32_t SLOTS[]{0, 5, 10};
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        Structures at(seed);
        constexpr uint32_t VALUE_BYTES{64};
        const uint32_t buckets = Draw(at.random, 1, 8);
        std::vector<uint64_t> table;
        for (uint32_t i = 0; i < buckets; ++i)
        {
            table.push_back(at.Place(ELEMENT));
        }
        std::map<uint64_t, std::vector<uint8_t>> expected;
        std::map<uint64_t, std::pair<uint64_t, uint32_t>>
            ends; // Last entry of a chain, keys in it.
        for (uint32_t i = Draw(at.random, 0, 40); i > 0; --i)
        {
            const uint64_t key = Draw(at.random, 1, 80); // 0 is an empty slot.
            if (!expected.emplace(key, at.DrawValue(VALUE_BYTES)).second)
            {
                continue;
            }
            const uint64_t head = table[key % buckets];
            auto& [entry, count] = ends.try_emplace(head, head, 0).first->second;
            if (count == 3)
            {
                const uint64_t next = at.Place(ELEMENT);
                at.Put(entry, 14, next);
                entry = next;
                count = 0;
            }
            at.Put(entry, SLOTS[count], key);
            at.Put(entry, SLOTS[count] + 2, at.PlaceValue(expected[key]));
            ++count;
        }
        TraversalParameters call;
        call.key = Draw(at.random, 1, 80);
        call.remoteAddress = table[call.key % buckets];
        call.valueSize = VALUE_BYTES;
        call.keyMask = 1U << 0 | 1U << 5 | 1U << 10;
        call.valuePtrPosition = 2;
        call.isRelativePosition = true;
        call.nextElementPtrPosition = 14;
        call.nextElementPtrValid = true;
        const KernelStatus status = at.Call(call);
        const auto found = expected.find(call.key);
        ASSERT_EQ(status, found == expected.end() ? KernelStatus::NOT_FOUND : KernelStatus::OK)
            << "seed " << seed;
        if (found != expected.end())
        {
            ASSERT_EQ(at.bench.GetValue(TARGET), found->second) << "seed " << seed;
        }
    }
}

namespace
{
/// A search tree with up to three keys per node of 64 bytes: key at words 0, 4, 8, the child of
/// smaller keys two words behind each, the child of the rest at word 12.  Unused keys are
/// UINT64_MAX.  Leaves: count, then keys.
/// @return the root's address. @param keys sorted
uint64_t
MakeTree(Structures& at, const std::vector<uint64_t>& keys, uint32_t height)
{
    const uint64_t node = at.Place(ELEMENT);
    std::size_t begin = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const std::size_t end = keys.size() * (i + 1) / 4;
        const std::vector<uint64_t> part(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                                         keys.begin() + static_cast<std::ptrdiff_t>(end));
        const uint64_t child = height > 0 ? MakeTree(at, part, height - 1) : at.Place(ELEMENT);
        if (height == 0)
        {
            at.Put(child, 0, part.size());
            for (std::size_t k = 0; k < part.size(); ++k)
            {
                at.Put(child, static_cast<uint32_t>(2 + 2 * k), part[k]);
            }
        }
        if (i < 3)
        {
            at.Put(node, i * 4, end < keys.size() ? keys[end] : UINT64_MAX);
        }
        at.Put(node, i < 3 ? i * 4 + 2 : 12, child);
        begin = end;
    }
    return node;
}
} // namespace

TEST(TraversalKernel, DescendsATreeByOneCallPerLevel)
{
    // Each call reads a node and returns the child whose keys are smaller than the first greater
    // one; from the last child, which is "the next element", it goes on by itself.
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        Structures at(seed);
        std::set<uint64_t> chosen;
        for (uint32_t i = Draw(at.random, 1, 60); i > 0; --i)
        {
            chosen.insert(Draw(at.random, 0, 200));
        }
        const std::vector<uint64_t> keys(chosen.begin(), chosen.end());
        const uint64_t root = MakeTree(at, keys, 0);
        TraversalParameters call;
        call.remoteAddress = root;
        call.key = Draw(at.random, 0, 200);
        call.valueSize = ELEMENT;
        call.keyMask = 1U << 0 | 1U << 4 | 1U << 8;
        call.predicate = TraversalPredicate::GREATER_THAN;
        call.valuePtrPosition = 2;
        call.isRelativePosition = true;
        // The plain search over the same cuts.
        std::size_t child = 0;
        while (child < 3)
        {
            const std::size_t end = keys.size() * (child + 1) / 4;
            if ((end < keys.size() ? keys[end] : UINT64_MAX) > call.key)
            {
                break;
            }
            ++child;
        }
        const KernelStatus status = at.Call(call);
        if (child == 3)
        {
            ASSERT_EQ(status, KernelStatus::NOT_FOUND); // Without the last child's pointer.
            continue;
        }
        ASSERT_EQ(status, KernelStatus::OK);
        const std::vector<uint8_t> leaf = at.bench.GetValue(TARGET);
        const ByteView view(leaf);
        const std::size_t begin = keys.size() * child / 4;
        ASSERT_EQ(view.Get64(0), keys.size() * (child + 1) / 4 - begin) << "seed " << seed;
        for (uint64_t k = 0; k < std::min<uint64_t>(view.Get64(0), 7); ++k)
        {
            ASSERT_EQ(view.Get64(8 + 8 * k), keys[begin + k]) << "seed " << seed;
        }
    }
}

TEST(TraversalKernel, FindsThePredecessorOnALevelOfASkipList)
{
    // Elements: key at word 0, pointer back at word 2 + 4 l and on at word 4 + 4 l for levels 0
    // and 1. The call looks for the first key not below on a level; its "value" is the element
    // before.
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        Structures at(seed);
        std::map<uint64_t, uint64_t> elements{{0, at.Place(ELEMENT)}};
        for (uint32_t i = Draw(at.random, 1, 50); i > 0; --i)
        {
            elements.emplace(Draw(at.random, 1, 200), at.Place(ELEMENT));
        }
        elements[UINT64_MAX] = at.Place(ELEMENT);
        std::vector<uint64_t> express; // Keys of level 1.
        for (uint32_t level = 0; level < 2; ++level)
        {
            uint64_t before = 0;
            for (const auto& [key, address] : elements)
            {
                const bool isEnd = key == 0 || key == UINT64_MAX;
                if (level == 1 && !isEnd && Draw(at.random, 0, 3) != 0)
                {
                    continue;
                }
                if (level == 1)
                {
                    express.push_back(key);
                }
                at.Put(address, 0, key);
                at.Put(address, 2 + 4 * level, before);
                if (before != 0)
                {
                    at.Put(before, 4 + 4 * level, address);
                }
                before = address;
            }
        }
        TraversalParameters call;
        const uint64_t wanted = Draw(at.random, 1, 200);
        call.key = wanted - 1;
        call.predicate = TraversalPredicate::GREATER_THAN; // Not below `wanted`.
        call.valueSize = ELEMENT;
        call.nextElementPtrValid = true;
        // Level 1 from the head, then level 0 from what it gave.
        call.remoteAddress = elements[0];
        call.valuePtrPosition = 6;
        call.nextElementPtrPosition = 8;
        ASSERT_EQ(at.Call(call), KernelStatus::OK);
        std::vector<uint8_t> element = at.bench.GetValue(TARGET);
        const uint64_t start = ByteView(element).Get64(0);
        ASSERT_EQ(start, *std::prev(std::lower_bound(express.begin(), express.end(), wanted)));
        call.remoteAddress = elements[start];
        call.valuePtrPosition = 2;
        call.nextElementPtrPosition = 4;
        ASSERT_EQ(at.Call(call), KernelStatus::OK);
        element = at.bench.GetValue(TARGET);
        ASSERT_EQ(ByteView(element).Get64(0), std::prev(elements.lower_bound(wanted))->first);
    }
}

TEST(TraversalKernel, ACircleEndsAtTheBoundOfElements)
{
    Structures at(1);
    at.kernel->SetAttribute("MaxElements", UintegerValue(10));
    const uint64_t first = at.Place(ELEMENT);
    const uint64_t second = at.Place(ELEMENT);
    at.Put(first, 2, second);
    at.Put(second, 2, first);
    EXPECT_EQ(at.Call(MakeListCall(first, 5, 8)), KernelStatus::TOO_MANY_STEPS);
    EXPECT_EQ(at.bench.reads, 10);
}

TEST(TraversalKernel, PointersToMemoryThatIsNotPinnedAreFaults)
{
    Structures at(1);
    const uint64_t element = at.Place(ELEMENT);
    at.Put(element, 0, 5);
    EXPECT_EQ(at.Call(MakeListCall(0, 5, 8)), KernelStatus::FAULT); // Null head.
    EXPECT_EQ(at.Call(MakeListCall(0xdead0000, 5, 8)), KernelStatus::FAULT);
    EXPECT_EQ(at.Call(MakeListCall(element, 5, 8)), KernelStatus::FAULT); // Null value.
    at.Put(element, 2, UINT64_MAX - 7);
    EXPECT_EQ(at.Call(MakeListCall(element, 6, 8)), KernelStatus::FAULT); // Wild next.
    at.Put(element, 4, at.base + (4 << 20) - 8);
    EXPECT_EQ(at.Call(MakeListCall(element, 5, 16)), KernelStatus::FAULT); // Its end is not pinned.
    EXPECT_EQ(at.Call(MakeListCall(element, 5, 8)), KernelStatus::OK);
}

TEST(TraversalKernel, BadParametersAreAnswered)
{
    Structures at(1);
    TraversalParameters bad = MakeListCall(at.base, 1, 8);
    bad.keyMask = 0;
    EXPECT_EQ(at.Call(bad), KernelStatus::BAD_PARAMETERS);
    at.bench.Call(std::vector<uint8_t>(4));
    at.bench.Run();
    EXPECT_EQ(at.kernel->GetDropped(), 1);
}

TEST(TraversalKernel, EachElementCostsOneReadAndItsCycles)
{
    Structures at(1);
    const uint64_t element = at.Place(ELEMENT);
    at.Put(element, 0, 5);
    at.Put(element, 4, at.base);
    auto call = MakeListCall(element, 5, 8);
    call.target = TARGET;
    at.bench.Call(call.Encode());
    // Command after 10 cycles of 6.4 ns; element after 1.5 us, on the edge after it 10 cycles;
    // likewise the value. 64 ns, 1564 ns: edge 245 (1568 ns), 255: 1632 ns, 3132 ns: edge 490 (3136
    // ns), 500: 3200 ns.
    EXPECT_EQ(at.bench.Run(), 3'200'000);
}

TEST(TraversalKernel, TakesNoMoreCallsThanItHasPlacesFor)
{
    Structures at(1);
    at.kernel->SetAttribute("MaxCalls", UintegerValue(2));
    const uint64_t element = at.Place(ELEMENT);
    auto call = MakeListCall(element, 5, 8);
    at.bench.Call(call.Encode());
    EXPECT_NE(at.bench.readyAt, TICK_NEVER);
    at.bench.Call(call.Encode(), 6400);
    EXPECT_EQ(at.bench.readyAt, TICK_NEVER);
    at.bench.Run();
    EXPECT_NE(at.bench.readyAt, TICK_NEVER);
}
