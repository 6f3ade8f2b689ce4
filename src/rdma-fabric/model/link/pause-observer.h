// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAUSE_OBSERVER_H
#define RDMA_PAUSE_OBSERVER_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

class FabricPort;

/// Gets a call for each pause frame that a port receives.
class PauseObserver
{
  public:
    virtual ~PauseObserver() = default;

    /// @param until when the pause ends; now: the frame is a resume
    /// @param isNew whether the priority was not paused before
    virtual void OnPauseFrame(FabricPort& port, uint8_t priority, Tick until, bool isNew) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PAUSE_OBSERVER_H
