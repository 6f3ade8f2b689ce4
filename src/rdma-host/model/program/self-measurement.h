// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELF_MEASUREMENT_H
#define RDMA_SELF_MEASUREMENT_H

#include "ns3/host-cores.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief What it costs a thread to measure itself: when it runs and its last sample is old enough,
 * it takes another one, as each thread of the thesis' program does (chapter 5).
 *
 * A thread that wakes up more rarely than that takes a sample each time.
 */
class SelfMeasurement
{
  public:
    /// @param interval between two samples; 0: there are none. cores outlive this
    SelfMeasurement(const HostCores& cores, Tick interval)
        : m_cores(cores),
          m_interval(interval)
    {
    }

    /// The thread runs.
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
