// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/huge-pages.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <sys/stat.h>

using namespace ns3::rdma;

namespace
{
/// @return the VmFlags of the mapping that holds an address, by proc(5), smaps.
std::string
FindFlags(const void* memory)
{
    std::ifstream maps("/proc/self/smaps");
    const auto address = reinterpret_cast<uintptr_t>(memory);
    bool isThere = false;
    for (std::string line; std::getline(maps, line);)
    {
        uintptr_t begin = 0;
        uintptr_t end = 0;
        char dash = 0;
        std::istringstream words(line);
        if (words >> std::hex >> begin >> dash >> end && dash == '-')
        {
            isThere = begin <= address && address < end;
        }
        else if (isThere && line.rfind("VmFlags:", 0) == 0)
        {
            return line + ' ';
        }
    }
    return {};
}

/// @return whether what is allocated after UseHugePages() is to have huge pages ("hg").
bool
AsksForThem()
{
    UseHugePages();
    constexpr std::size_t BYTES{24 << 20}; // What the heap had left before does not hold it.
    const std::unique_ptr<void, decltype(&std::free)> block(std::malloc(BYTES), &std::free);
    return FindFlags(static_cast<const char*>(block.get()) + BYTES / 2).find(" hg ") !=
           std::string::npos;
}
} // namespace

TEST(HugePages, WhatIsAllocatedLaterUsesThem)
{
    struct stat folder;
    if (stat("/sys/kernel/mm/transparent_hugepage", &folder) != 0)
    {
        GTEST_SKIP() << "this kernel has no transparent huge pages";
    }
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
    // In a child: it changes how the whole process allocates.
    EXPECT_EXIT(std::_Exit(AsksForThem() ? 0 : 1), testing::ExitedWithCode(0), "");
}
