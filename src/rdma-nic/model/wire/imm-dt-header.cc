// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/imm-dt-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ImmDtHeader);

TypeId
ImmDtHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("ImmDtHeader");
    return tid;
}

void
ImmDtHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(immediate);
}

void
ImmDtHeader::Read(Buffer::Iterator start)
{
    immediate = start.ReadNtohU32();
}

void
ImmDtHeader::Print(std::ostream& os) const
{
    os << "immediate " << immediate;
}

} // namespace ns3::rdma
