// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELF_MEASUREMENT_H
#define RDMA_SELF_MEASUREMENT_H

#include "ns3/host-cores.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief Core time for samples that a thread takes of its own goodput and use.
 *
 * A thread takes a sample when it runs and the interval has passed, as in the thesis' program
 * (chapter 5).  A thread that wakes up more rarely takes a sample at each wake-up.
 */
class SelfMeasurement
{
  public:
    /// @param cores outlives this object
    /// @param interval between two samples; 0: none
    SelfMeasurement(const HostCores& cores, Tick interval)
        : m_cores(cores),
          m_interval(interval)
    {
    }

    /// Called when the thread runs.
    void Look(HostThread& thread)
    {
        if (m_interval > 0 && m_cores.GetNow() >= m_next)
        {
            thread.Spend(HostTask::SAMPLE, m_cores.GetCosts().Get().sample);
            m_next = m_cores.GetNow() + m_interval;
        }
    }

  private:
    const HostCores& m_cores;
    Tick m_interval;
    Tick m_next{0};
};

} // namespace ns3::rdma

#endif // RDMA_SELF_MEASUREMENT_H
