// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-scheduler.h"

#include "ns3/policy-error.h"
#include "ns3/register-type.h"

#include <string>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(EgressScheduler, Object, "RdmaFabric");

PortSchedule::PortSchedule()
{
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        classes[number].level = static_cast<uint8_t>(number);
    }
}

void
EgressScheduler::Start(const PortSchedule& schedule)
{
    CallPolicy(*this, "Start()", [&] { DoStart(schedule); });
}

uint32_t
EgressScheduler::Choose(const EgressQueues& queues)
{
    const uint32_t chosen = CallPolicy(*this, "Choose()", [&] { return DoChoose(queues); });
    if (chosen >= PRIORITIES || ((queues.eligible >> chosen) & 1) == 0)
    {
        FailPolicy(*this,
                   "Choose()",
                   "a class of the eligible bits " + std::to_string(queues.eligible),
                   std::to_string(chosen));
    }
    return chosen;
}

void
EgressScheduler::OnSend(uint32_t classNumber, uint32_t wireBytes)
{
    CallPolicy(*this, "OnSend()", [&] { DoOnSend(classNumber, wireBytes); });
}

void
EgressScheduler::DoStart(const PortSchedule&)
{
}

void
EgressScheduler::DoOnSend(uint32_t, uint32_t)
{
}

} // namespace ns3::rdma
