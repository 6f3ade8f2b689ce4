// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

using namespace ns3::rdma;

namespace
{
struct alignas(64) Small final : public InSlab<Small>
{
    uint64_t value{7};
};
} // namespace

TEST(Slab, EachObjectHasCacheLinesOfItsOwn)
{
    std::vector<std::unique_ptr<Small>> objects;
    std::set<uintptr_t> lines;
    for (int i = 0; i < 1000; ++i) // More than one piece of 256 holds.
    {
        objects.push_back(std::make_unique<Small>());
        const auto address = reinterpret_cast<uintptr_t>(objects.back().get());
        EXPECT_EQ(address % 64, 0);
        lines.insert(address / 64);
    }
    EXPECT_EQ(lines.size(), 1000);
}

TEST(Slab, WhatWasFreedLastIsUsedNextAndMadeAnew)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "each object has memory of its own there";
#endif
    auto object = std::make_unique<Small>();
    const Small* before = object.get();
    object->value = 9;
    object = nullptr;
    object = std::make_unique<Small>();
    EXPECT_EQ(object.get(), before);
    EXPECT_EQ(object->value, 7);
}
