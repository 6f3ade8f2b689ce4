// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cnp-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CnpHeader);

TypeId
CnpHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("CnpHeader");
    return tid;
}

void
CnpHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(0, SIZE);
}

void
CnpHeader::Read(Buffer::Iterator start)
{
    start.Next(SIZE);
}

void
CnpHeader::Print(std::ostream& os) const
{
    os << "reserved";
}

} // namespace ns3::rdma
