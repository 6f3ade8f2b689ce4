// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/aeth-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AethHeader);

TypeId
AethHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("AethHeader");
    return tid;
}

void
AethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(uint32_t{syndrome} << 24 | (msn & 0xffffff));
}

void
AethHeader::Read(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    syndrome = static_cast<uint8_t>(word >> 24);
    msn = word & 0xffffff;
}

void
AethHeader::Print(std::ostream& os) const
{
    os << "syndrome " << uint32_t{syndrome} << " MSN " << msn;
}

} // namespace ns3::rdma
