// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/atomic-ack-eth-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AtomicAckEthHeader);

TypeId
AtomicAckEthHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("AtomicAckEthHeader");
    return tid;
}

void
AtomicAckEthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(original);
}

void
AtomicAckEthHeader::Read(Buffer::Iterator start)
{
    original = start.ReadNtohU64();
}

void
AtomicAckEthHeader::Print(std::ostream& os) const
{
    os << "original " << original;
}

} // namespace ns3::rdma
