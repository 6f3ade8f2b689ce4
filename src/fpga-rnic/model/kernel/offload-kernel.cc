// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-kernel.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(OffloadKernel);

TypeId
OffloadKernel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::OffloadKernel").SetParent<Object>().SetGroupName("FpgaRnic");
    return tid;
}

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
