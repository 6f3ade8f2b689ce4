// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/atomic-eth-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AtomicEthHeader);

TypeId
AtomicEthHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("AtomicEthHeader");
    return tid;
}

void
AtomicEthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(virtualAddress);
    start.WriteHtonU32(remoteKey);
    start.WriteHtonU64(swapAdd);
    start.WriteHtonU64(compare);
}

void
AtomicEthHeader::Read(Buffer::Iterator start)
{
    virtualAddress = start.ReadNtohU64();
    remoteKey = start.ReadNtohU32();
    swapAdd = start.ReadNtohU64();
    compare = start.ReadNtohU64();
}

void
AtomicEthHeader::Print(std::ostream& os) const
{
    os << "VA " << virtualAddress << " R_Key " << remoteKey << " swap or add " << swapAdd
       << " compare " << compare;
}

} // namespace ns3::rdma
