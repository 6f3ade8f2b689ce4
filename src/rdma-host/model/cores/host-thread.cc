// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-thread.h"

#include "ns3/assert.h"

namespace ns3::rdma
{

HostThread::HostThread(HostProgram& program, uint32_t number, uint32_t core)
    : m_program(program),
      m_number(number),
      m_core(core)
{
}

void
HostThread::Spend(HostTask task, Tick time)
{
    NS_ASSERT_MSG(time >= 0, "a task takes no negative time");
    m_account[task] += time;
    m_step += time;
}

void
HostThread::Sleep()
{
    m_then = Then::SLEEP;
}

void
HostThread::Spin(HostTask task, Tick period)
{
    NS_ASSERT_MSG(period > 0, "a repetition takes time");
    m_then = Then::SPIN;
    m_spinTask = task;
    m_spinPeriod = period;
}

void
HostThread::End()
{
    m_then = Then::END;
}

} // namespace ns3::rdma
