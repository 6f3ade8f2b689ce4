// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-service.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(StreamService);

TypeId
StreamService::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::StreamService").SetParent<OffloadKernel>().SetGroupName("FpgaRnic");
    return tid;
}

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
