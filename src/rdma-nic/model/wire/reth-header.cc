// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reth-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RethHeader);

TypeId
RethHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("RethHeader");
    return tid;
}

void
RethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(virtualAddress);
    start.WriteHtonU32(remoteKey);
    start.WriteHtonU32(dmaLength);
}

void
RethHeader::Read(Buffer::Iterator start)
{
    virtualAddress = start.ReadNtohU64();
    remoteKey = start.ReadNtohU32();
    dmaLength = start.ReadNtohU32();
}

void
RethHeader::Print(std::ostream& os) const
{
    os << "VA " << virtualAddress << " R_Key " << remoteKey << " DMA length " << dmaLength;
}

} // namespace ns3::rdma
