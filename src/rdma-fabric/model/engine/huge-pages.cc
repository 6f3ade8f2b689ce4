// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/huge-pages.h"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{
/// @return the address of the heap's end.
uintptr_t
GetBreak()
{
    return reinterpret_cast<uintptr_t>(sbrk(0));
}
} // namespace

void
UseHugePages()
{
    // The heap grows once, by more than most runs need. This takes address space only; memory is
    // allocated on first use.
    constexpr int SPAN{1 << 28};
    constexpr uintptr_t PAGE{1 << 21};
    mallopt(M_TOP_PAD, SPAN);
    mallopt(M_TRIM_THRESHOLD, SPAN);
    mallopt(M_MMAP_THRESHOLD, SPAN / 8); // Larger blocks get separate mappings.
    const uintptr_t begin = (GetBreak() + PAGE - 1) & ~(PAGE - 1);
    // More than the heap has free, so that it grows here. Without volatile the compiler would
    // remove the calls.
    void* volatile block = std::malloc(SPAN / 16);
    std::free(block);
    const uintptr_t end = GetBreak() & ~(PAGE - 1);
    if (begin < end)
    {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}

} // namespace ns3::rdma
