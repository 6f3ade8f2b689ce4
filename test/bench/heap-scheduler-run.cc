// SPDX-License-Identifier: GPL-2.0-only
#include "heap-scheduler-run.h"

#include "cpu-clock.h"

#include "ns3/global-value.h"
#include "ns3/random-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3::rdma
{

namespace
{

/// Keeps a number of events pending until so many have run.
class EmptyEvents
{
  public:
    explicit EmptyEvents(uint64_t count)
        : m_left(count)
    {
    }

    void ScheduleOne()
    {
        // Up to about a microsecond, as on the links of the scenarios.
        Simulator::Schedule(PicoSeconds(m_random.Next32() >> 12), &EmptyEvents::Happen, this);
    }

  private:
    void Happen()
    {
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
        ScheduleOne();
    }

    uint64_t m_left;
    RandomStream m_random{1, 1};
};

} // namespace

double
MeasureHeapScheduler(uint32_t pending, uint64_t count)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    GlobalValue::Bind("SchedulerType", StringValue("ns3::HeapScheduler"));
    EmptyEvents events(count);
    for (uint32_t event = 0; event < pending; ++event)
    {
        events.ScheduleOne();
    }
    const double begin = GetCpuSeconds();
    Simulator::Run();
    const double seconds = GetCpuSeconds() - begin;
    Simulator::Destroy();
    return static_cast<double>(count) / seconds;
}

} // namespace ns3::rdma
