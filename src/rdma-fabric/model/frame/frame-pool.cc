// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"

#include "ns3/int-stack.h"

#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// 4 MiB of frames: enough for a small network.
constexpr FrameIndex MIN_FRAMES{1U << 16};

/**
 * If address space is limited (RLIMIT_AS, ulimit -v), frames and details take at most half of it.
 *
 * @return the number of frames that address space is reserved for; MAX_FRAMES without a limit
 */
FrameIndex
GetCapacity()
{
    static const FrameIndex capacity = [] {
        rlimit limit{};
        const bool isLimited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        FrameIndex frames = FramePool::MAX_FRAMES;
        while (isLimited && frames > MIN_FRAMES &&
               frames * (sizeof(Frame) + sizeof(FrameDetail) + sizeof(uint32_t)) >
                   limit.rlim_cur / 2)
        {
            frames /= 2;
        }
        return frames;
    }();
    return capacity;
}

/// Reserves address space; the system allocates memory on first access.
void*
Reserve(std::size_t bytes)
{
    void* const space = mmap(nullptr,
                             bytes,
                             PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                             -1,
                             0);
    if (space == MAP_FAILED)
    {
        throw std::runtime_error("out of memory: expected address space for " +
                                 std::to_string(GetCapacity()) + " frames, got none (ulimit -v)");
    }
    // Accesses to frames are random: huge pages avoid most TLB misses.
    madvise(space, bytes, MADV_HUGEPAGE);
    return space;
}

} // namespace

FramePool::FramePool()
    : m_frames(static_cast<Frame*>(Reserve(GetCapacity() * sizeof(Frame)))),
      m_details(static_cast<FrameDetail*>(Reserve(GetCapacity() * sizeof(FrameDetail)))),
      m_arrivalTimes(static_cast<uint32_t*>(Reserve(GetCapacity() * sizeof(uint32_t))))
{
}

FramePool::~FramePool()
{
    for (FrameIndex index = 0; index < m_grown; ++index)
    {
        RemoveDetail(index);
    }
    munmap(m_frames, GetCapacity() * sizeof(Frame));
    munmap(m_details, GetCapacity() * sizeof(FrameDetail));
    munmap(m_arrivalTimes, GetCapacity() * sizeof(uint32_t));
}

FrameIndex
FramePool::Grow()
{
    if (m_grown == GetCapacity())
    {
        throw std::runtime_error("expected at most " + std::to_string(m_grown) +
                                 " frames in flight at a time, got more" +
                                 (GetCapacity() < MAX_FRAMES ? " (ulimit -v)" : ""));
    }
    return m_grown++;
}

void
FramePool::RemoveDetail(FrameIndex index)
{
    if (m_frames[index].flags & frame_flag::DETAILED)
    {
        delete m_details[index].cargo;
        delete m_details[index].path;
        m_frames[index].flags = ChangeFlags(m_frames[index].flags, frame_flag::DETAILED, false);
    }
}

void
FramePool::RemoveCargo(const Frame& frame)
{
    if (frame.flags & frame_flag::DETAILED)
    {
        FrameDetail& detail = m_details[&frame - m_frames];
        delete detail.cargo;
        detail.cargo = nullptr;
    }
}

void
FramePool::AddIntStack(FrameIndex index, uint32_t capacity)
{
    if (!(m_frames[index].flags & frame_flag::DETAILED))
    {
        AddDetail(index).isPlain = true;
    }
    m_details[index].path = new IntStack(capacity);
}

uint32_t&
FramePool::GetRouteTag(Frame& frame)
{
    const auto index = static_cast<FrameIndex>(&frame - m_frames);
    if (!(frame.flags & frame_flag::DETAILED))
    {
        AddDetail(index).isPlain = true;
    }
    return m_details[index].routeTag;
}

void
FramePool::MoveIntStack(const Frame& from, FrameIndex to)
{
    const FrameIndex index = static_cast<FrameIndex>(&from - m_frames);
    if (!(from.flags & frame_flag::DETAILED) || !m_details[index].path)
    {
        return;
    }
    if (!(m_frames[to].flags & frame_flag::DETAILED))
    {
        AddDetail(to).isPlain = true;
    }
    m_details[to].path = m_details[index].path;
    m_details[to].path->Close();
    m_details[index].path = nullptr;
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
        if (const IntStack* path = m_details[index].path)
        {
            m_details[copy].path = new IntStack(*path);
        }
    }
    return copy;
}

void
FramePool::Exchange(FrameIndex a, FrameIndex b)
{
    std::swap(m_frames[a], m_frames[b]);
    std::swap(m_arrivalTimes[a], m_arrivalTimes[b]);
    if ((m_frames[a].flags | m_frames[b].flags) & frame_flag::DETAILED)
    {
        std::swap(m_details[a], m_details[b]);
    }
}

} // namespace ns3::rdma
