// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELF_MEASUREMENT_H
#define RDMA_SELF_MEASUREMENT_H

#include "ns3/host-cores.h"

#include <vector>

namespace ns3::rdma
{

/// One measurement of a thread by itself.
struct OwnMeasurement
{
    Tick at{0};
    uint64_t bytes{0}; ///< Payload of the messages that the thread has taken from its start on.
};

/**
 * @ingroup rdma-program
 * @brief Measurements that a thread takes of its own goodput and use, and their core time.
 *
 * A thread takes a measurement when it runs and the interval has passed, as in the thesis' program
 * (section 3.4.2, chapter 5).  A thread that wakes up more rarely takes one at each wake-up.
 */
class SelfMeasurement
{
  public:
    /// @param cores outlives this object
    /// @param interval between two measurements; 0: none
    SelfMeasurement(const HostCores& cores, Tick interval)
        : m_cores(cores),
          m_interval(interval)
    {
    }

    /// Called when the thread runs. @param bytes as OwnMeasurement::bytes
    void Look(HostThread& thread, uint64_t bytes)
    {
        const Tick now = m_cores.GetNow();
        if (m_interval > 0 && now >= m_next)
        {
            thread.Spend(HostTask::SAMPLE, m_cores.GetCosts().Get().sample);
            m_measurements.push_back({now, bytes});
            m_next = now + m_interval;
        }
    }

    /// @return all measurements, in order of time.
    const std::vector<OwnMeasurement>& Get() const
    {
        return m_measurements;
    }

  private:
    const HostCores& m_cores;
    Tick m_interval;
    Tick m_next{0};
    std::vector<OwnMeasurement> m_measurements;
};

} // namespace ns3::rdma

#endif // RDMA_SELF_MEASUREMENT_H
