// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/checked-scheduler.h"

#include <string>
#include <typeinfo>

namespace ns3::rdma
{

CheckedScheduler::CheckedScheduler(Ptr<SendScheduler> scheduler)
    : m_scheduler(scheduler),
      m_isRoundRobin(typeid(*PeekPointer(scheduler)) == typeid(RoundRobinScheduler))
{
}

void
CheckedScheduler::FailPick(const char* expected, uint32_t number) const
{
    FailPolicy(*m_scheduler, "Pick()", expected, "number " + std::to_string(number));
}

void
CheckedScheduler::FailNextReady(const char* expected, Tick nextReady, Tick now) const
{
    FailPolicy(*m_scheduler,
               "GetNextReady()",
               expected,
               DescribeTick(nextReady) + " at " + DescribeTick(now) + " with " +
                   std::to_string(m_waiting) + " waiting");
}

} // namespace ns3::rdma
