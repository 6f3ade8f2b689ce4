// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/leaving-frames.h"

namespace ns3::rdma
{

void
LeavingFrames::Grow()
{
    const uint32_t mask = 2 * m_mask + 1;
    auto frames = std::make_unique<LeavingFrame[]>(mask + 1);
    for (uint32_t number = m_first; number != m_end; ++number)
    {
        frames[number & mask] = m_frames[number & m_mask];
    }
    m_frames = std::move(frames);
    m_mask = mask;
}

} // namespace ns3::rdma
