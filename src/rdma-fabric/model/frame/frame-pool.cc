// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"

#include "ns3/abort.h"

#include <sys/mman.h>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t POOL_BYTES = std::size_t{FramePool::MAX_FRAMES} * sizeof(Frame);
} // namespace

FramePool::FramePool()
{
    void* space = mmap(nullptr,
                       POOL_BYTES,
                       PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1,
                       0);
    NS_ABORT_MSG_IF(space == MAP_FAILED,
                    "cannot reserve address space for " << MAX_FRAMES << " frames");
    // Frames are reached at random: large pages spare most of the address translation misses.
    madvise(space, POOL_BYTES, MADV_HUGEPAGE);
    m_frames = static_cast<Frame*>(space);
}

FramePool::~FramePool()
{
    munmap(m_frames, POOL_BYTES);
}

FrameIndex
FramePool::Grow()
{
    NS_ABORT_MSG_IF(m_grown == MAX_FRAMES, "more than " << MAX_FRAMES << " frames are in flight");
    return m_grown++;
}

} // namespace ns3::rdma
