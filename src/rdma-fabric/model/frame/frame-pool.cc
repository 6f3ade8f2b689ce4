// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"

#include "ns3/abort.h"

#include <sys/mman.h>

namespace ns3::rdma
{

namespace
{
/// Reserves address space; the system gives memory to what is touched.
template <typename T>
T*
Reserve()
{
    constexpr std::size_t BYTES = std::size_t{FramePool::MAX_FRAMES} * sizeof(T);
    void* space = mmap(nullptr,
                       BYTES,
                       PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1,
                       0);
    NS_ABORT_MSG_IF(space == MAP_FAILED,
                    "cannot reserve address space for " << FramePool::MAX_FRAMES << " frames");
    // Frames are reached at random: huge pages spare most of the address translation misses.
    madvise(space, BYTES, MADV_HUGEPAGE);
    return static_cast<T*>(space);
}

template <typename T>
void
Release(T* space)
{
    munmap(space, std::size_t{FramePool::MAX_FRAMES} * sizeof(T));
}
} // namespace

FramePool::FramePool()
    : m_frames(Reserve<Frame>()),
      m_details(Reserve<FrameDetail>())
{
}

FramePool::~FramePool()
{
    for (FrameIndex index = 0; index < m_grown; ++index)
    {
        RemoveDetail(index);
    }
    Release(m_frames);
    Release(m_details);
}

FrameIndex
FramePool::Grow()
{
    NS_ABORT_MSG_IF(m_grown == MAX_FRAMES - m_bookmarks,
                    "more than " << MAX_FRAMES << " frames are in flight");
    return m_grown++;
}

void
FramePool::RemoveDetail(FrameIndex index)
{
    if (m_frames[index].flags & frame_flag::DETAILED)
    {
        delete m_details[index].cargo;
        m_frames[index].flags &= static_cast<uint8_t>(~frame_flag::DETAILED);
    }
}

FrameIndex
FramePool::Copy(FrameIndex index)
{
    const FrameIndex copy = Allocate();
    m_frames[copy] = m_frames[index];
    if (m_frames[index].flags & frame_flag::DETAILED)
    {
        m_details[copy] = m_details[index];
        if (const FrameCargo* cargo = m_details[index].cargo)
        {
            m_details[copy].cargo = cargo->Clone().release();
        }
    }
    return copy;
}

} // namespace ns3::rdma
