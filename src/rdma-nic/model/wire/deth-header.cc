// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/deth-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(DethHeader);

TypeId
DethHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("DethHeader");
    return tid;
}

void
DethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(queueKey);
    start.WriteHtonU32(sourceQp & 0xffffff); // The first byte is reserved.
}

void
DethHeader::Read(Buffer::Iterator start)
{
    queueKey = start.ReadNtohU32();
    sourceQp = start.ReadNtohU32() & 0xffffff;
}

void
DethHeader::Print(std::ostream& os) const
{
    os << "Q_Key " << queueKey << " source QP " << sourceQp;
}

} // namespace ns3::rdma
