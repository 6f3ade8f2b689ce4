// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-service.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(StreamService, OffloadKernel, "FpgaRnic");

Tick
StreamService::GetHidden() const
{
    return 0;
}

StreamFault
StreamService::CheckMessage(const StreamMessage&) const
{
    return StreamFault::NONE;
}

std::string
StreamService::FindSlotFault() const
{
    return {};
}

uint32_t
StreamService::GetBytesBehind(uint32_t bytes) const
{
    return bytes;
}

KernelStep
StreamService::OnData(uint64_t, ByteView, Tick)
{
    return {};
}

KernelStep
StreamService::OnFault(uint64_t, Tick)
{
    return {};
}

} // namespace ns3::rdma
