// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-kernel.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(OffloadKernel, Object, "FpgaRnic");

OffloadKernel::OffloadKernel()
    : m_clock(156'250'000, 64)
{
}

std::string
OffloadKernel::FindFault() const
{
    return {};
}

KernelStep
OffloadKernel::OnWake(Tick)
{
    return {};
}

KernelStep
OffloadKernel::OnQueuePairEnd(uint32_t, Tick)
{
    return {};
}

void
OffloadKernel::SetClock(const ClockDomain& clock)
{
    m_clock = clock;
}

Tick
OffloadKernel::After(Tick now, Cycle cycles) const
{
    return m_clock.GetLater(now, cycles);
}

} // namespace ns3::rdma
